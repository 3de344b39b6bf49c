/**
 * How a call to an upstream can fail:
 * - `network`: refused, reset, DNS, closed while reading
 * - `timeout`: no whole answer within the call's deadline
 * - `status`: an HTTP status other than 2xx
 * - `not_json`: a 2xx whose body is not JSON (HTML, cut short)
 * - `error_body`: a 2xx that says `{"error": …}` (seen with "Too Many Requests")
 * - `wrong_shape`: JSON of another shape than documented
 * - `circuit_open`: not called, since the route has just failed again and again
 */
export type UpstreamFailure =
  | 'network'
  | 'timeout'
  | 'status'
  | 'not_json'
  | 'error_body'
  | 'wrong_shape'
  | 'circuit_open';

export interface UpstreamErrorDetails {
  readonly route: string;
  readonly failure: UpstreamFailure;
  readonly status?: number | undefined;
  /** What the upstream asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The beginning of the body, for the log only. */
  readonly excerpt?: string | undefined;
  readonly cause?: unknown;
}

/** Statuses that speak of one request and not of the route. */
const REQUEST_STATUSES = new Set([400, 413, 422]);
/** Statuses that a second try will not change: the request itself is at fault. */
const FINAL_STATUSES = new Set([400, 401, 404, 405, 410, 413, 422]);
/** The upstream, or what stands before it, refuses this caller rather than this request. */
const BLOCKED_STATUSES = new Set([403, 429, 451]);

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly route: string;
  readonly failure: UpstreamFailure;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly excerpt: string | undefined;

  constructor(details: UpstreamErrorDetails) {
    const status = details.status === undefined ? '' : ` ${details.status}`;
    super(`${details.route}: ${details.failure}${status}`, { cause: details.cause });
    this.route = details.route;
    this.failure = details.failure;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.excerpt = details.excerpt;
  }

  get retriable(): boolean {
    if (this.failure === 'circuit_open') return false;
    return !(this.failure === 'status' && FINAL_STATUSES.has(this.status ?? 0));
  }

  /** Whether the failure says something about the route as a whole. */
  get ofRoute(): boolean {
    return !(this.failure === 'status' && REQUEST_STATUSES.has(this.status ?? 0));
  }

  get blocked(): boolean {
    return BLOCKED_STATUSES.has(this.status ?? 0) || this.failure === 'error_body';
  }

  /** What lies beneath it, where fetch wrapped it in "fetch failed": refused, reset, no such host. */
  get reason(): string | undefined {
    let cause = this.cause;
    while (typeof cause === 'object' && cause !== null && 'cause' in cause && cause.cause !== undefined) {
      cause = cause.cause;
    }
    return cause === undefined ? undefined : String(cause);
  }

  /** The keep-alive socket had gone stale: a new one usually works at once (upstream.md, "Both"). */
  get staleSocket(): boolean {
    return this.failure === 'network';
  }
}
