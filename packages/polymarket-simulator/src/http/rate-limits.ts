import type { Bucket, Route, Upstream } from '../route.ts';

const WINDOW_MS = 10_000;
/** How far over the limit a request is delayed rather than refused; upstream says only that it does both. */
const DELAYED_SHARE = 0.1;
const DELAY_MS = 500;
/** What each host allows an address in all. */
const GENERAL: Readonly<Record<Upstream, Bucket>> = {
  gamma: { name: 'gamma', limit: 4_000 },
  clob: { name: 'clob', limit: 9_000 },
  data: { name: 'data', limit: 1_000 },
};

/** Requests per IP and bucket in the last 10 s, as upstream counts them: refused ones count as well. */
export class RateLimits {
  readonly #arrivals = new Map<string, number[]>();

  /** Counts a request: the ms it must wait, or undefined if it is refused. */
  check(route: Route, ip: string, nowMs: number): number | undefined {
    const buckets = [...(route.buckets ?? []), GENERAL[route.upstream]];
    const excess = buckets.map(({ name, limit }) => this.#count(`${name} ${ip}`, nowMs) / limit);
    const worst = Math.max(...excess);
    if (worst <= 1) return 0;
    return worst <= 1 + DELAYED_SHARE ? DELAY_MS : undefined;
  }

  #count(key: string, nowMs: number): number {
    const recent = (this.#arrivals.get(key) ?? []).filter((at) => at > nowMs - WINDOW_MS);
    recent.push(nowMs);
    this.#arrivals.set(key, recent);
    return recent.length;
  }
}
