import type { Route } from '../routes.ts';

const WINDOW_MS = 10_000;
/** How far over the limit a request is delayed rather than refused; upstream says only that it does both. */
const DELAYED_SHARE = 0.1;
const DELAY_MS = 500;

/** Requests per IP and bucket in 10 s, as upstream counts them. */
export class RateLimits {
  readonly #counts = new Map<string, { window: number; count: number }>();

  /** Counts a request: the ms it must wait, or undefined if it is refused. */
  admit(route: Route, ip: string, nowMs: number): number | undefined {
    if (route.bucket === undefined) return 0;
    const { name, limit } = route.bucket;
    const window = Math.floor(nowMs / WINDOW_MS);
    const key = `${name} ${ip}`;
    const entry = this.#counts.get(key);
    const count = entry?.window === window ? entry.count + 1 : 1;
    this.#counts.set(key, { window, count });
    if (count <= limit) return 0;
    return count <= limit * (1 + DELAYED_SHARE) ? DELAY_MS : undefined;
  }
}
