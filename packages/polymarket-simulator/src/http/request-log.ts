import type { RouteName } from '../routes.ts';

/** One request to the simulated upstream. */
export interface LoggedRequest {
  /** Ms. */
  readonly at: number;
  readonly route: RouteName | 'unknown';
  readonly method: string;
  readonly url: string;
  readonly userAgent: string;
  readonly requestBytes: number;
  /** Bytes of the body before compression; 0 where none was sent. */
  readonly responseBytes: number;
  /** 0 where the connection ended without a response. */
  readonly status: number;
  readonly durationMs: number;
  /** Faults that acted on it. */
  readonly faults: readonly string[];
}

export interface RouteCount {
  requests: number;
  requestBytes: number;
  responseBytes: number;
  readonly statuses: Record<string, number>;
}

const KEPT = 100;

/** Counts requests by route, from their arrival, and keeps the last 100 that have ended: a hanging one is not among them. */
export class RequestLog {
  readonly #counts = new Map<string, RouteCount>();
  readonly #last: LoggedRequest[] = [];

  arrived(route: RouteName | 'unknown'): void {
    this.#count(route).requests += 1;
  }

  ended(entry: LoggedRequest): void {
    const count = this.#count(entry.route);
    count.requestBytes += entry.requestBytes;
    count.responseBytes += entry.responseBytes;
    count.statuses[entry.status] = (count.statuses[entry.status] ?? 0) + 1;
    this.#last.push(entry);
    if (this.#last.length > KEPT) this.#last.shift();
  }

  routes(): Readonly<Record<string, RouteCount>> {
    return Object.fromEntries(this.#counts);
  }

  last(): readonly LoggedRequest[] {
    return [...this.#last];
  }

  #count(route: string): RouteCount {
    let count = this.#counts.get(route);
    if (count === undefined) {
      count = { requests: 0, requestBytes: 0, responseBytes: 0, statuses: {} };
      this.#counts.set(route, count);
    }
    return count;
  }
}
