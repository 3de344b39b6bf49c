/** The error of a failed call to upstream, Polymarket's APIs. */
import type { UpstreamRouteName } from './upstreams.ts';

/** How a call to upstream fails. */
type UpstreamFailure =
  | 'network' // refused, reset, DNS, or an encoding that this client did not request
  | 'timeout' // no complete response in time
  | 'status' // an HTTP status other than 2xx; redirects are among them
  | 'too_large' // a 2xx with more bytes or more values than any response that makes sense
  | 'not_json' // a 2xx whose body is not JSON (HTML, cut short)
  | 'error_body' // a 2xx with the body `{"error": …}` (observed with "Too Many Requests")
  | 'wrong_shape' // JSON of another shape than documented
  | 'paused' // the call was not made: upstream asked for a pause of its route beyond the deadline
  | 'rate_limited'; // the call was not made: the limits of its route left no room before its deadline

export interface UpstreamErrorDetails {
  readonly route: UpstreamRouteName;
  readonly failure: UpstreamFailure;
  readonly status?: number;
  /** The wait that upstream requests in `Retry-After`, or that our own limits require. */
  readonly retryAfterMs?: number | undefined;
  /** The beginning of the body, for the log only. */
  readonly excerpt?: string;
  readonly cause?: unknown;
}

/** Statuses after which retries do not help: the request is at fault. */
const FINAL_STATUSES: readonly unknown[] = [400, 401, 404, 405, 410, 413, 422];
/**
 * Statuses by which upstream or its firewall rejects this caller. One retry rules out an accident.
 */
const FORBIDDEN_STATUSES: readonly unknown[] = [403, 451];
/** Statuses that concern the request and not the whole route. */
const REQUEST_STATUSES: readonly unknown[] = [400, 404, 413, 422];
/** Node's codes for a connection that the other side has closed. */
const RESET_CODES: readonly string[] = ['ECONNRESET', 'ECONNABORTED', 'EPIPE'];

/** A failed call to upstream, and what follows from it for retries and other calls. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly route: UpstreamRouteName;
  readonly failure: UpstreamFailure;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly excerpt: string | undefined;

  constructor({ route, failure, status, retryAfterMs, excerpt, cause }: UpstreamErrorDetails) {
    super(status === undefined ? `${route}: ${failure}` : `${route}: ${failure} ${status}`, {
      cause,
    });
    this.route = route;
    this.failure = failure;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.excerpt = excerpt;
  }

  /** Whether the call went out. Our own limits and pauses prevent calls. */
  get wasMade(): boolean {
    return this.failure !== 'rate_limited' && this.failure !== 'paused';
  }

  /** The maximum number of retries after such a failure. */
  get maxRetries(): number {
    if (this.failure === 'too_large' || !this.wasMade) return 0;
    if (FINAL_STATUSES.includes(this.status)) return 0;
    return this.isForbidden ? 1 : Number.POSITIVE_INFINITY;
  }

  /** Whether upstream or its firewall rejects this caller, whatever it requests. */
  get isForbidden(): boolean {
    return FORBIDDEN_STATUSES.includes(this.status);
  }

  /**
   * Whether the failure concerns only this request. A 404 in HTML comes from a gateway and concerns
   * the route.
   */
  get isAboutRequest(): boolean {
    if (!this.wasMade) return true;
    return this.failure === 'status' && REQUEST_STATUSES.includes(this.status) && !this.isHtml;
  }

  get isHtml(): boolean {
    return /^\s*</.test(this.excerpt ?? '');
  }

  /** Whether upstream's limit or this client's own is the reason. The same call succeeds later. */
  get isRateLimited(): boolean {
    if (this.failure === 'error_body') return /too many requests/i.test(this.excerpt ?? '');
    return !this.wasMade || this.status === 429;
  }

  /** The cause as text, for example `Error: connect ECONNREFUSED 127.0.0.1:80`. */
  get reason(): string | undefined {
    return this.cause === undefined ? undefined : String(this.cause);
  }

  /** The other side closed the connection. A new one usually works at once (docs/upstream.md). */
  get isConnectionReset(): boolean {
    return this.failure === 'network' && RESET_CODES.includes(codeOf(this.cause));
  }
}

/** The `code` of an error of Node, or an empty text. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
