/**
 * How a call to an upstream can fail:
 * - `network`: refused, reset, DNS, closed while reading
 * - `timeout`: no whole response within the call's deadline
 * - `status`: an HTTP status other than 2xx
 * - `too_large`: a 2xx whose body is longer, or has more values, than any that makes sense
 * - `not_json`: a 2xx whose body is not JSON (HTML, cut short)
 * - `error_body`: a 2xx that says `{"error": …}` (seen with "Too Many Requests")
 * - `wrong_shape`: JSON of another shape than documented, or nested deeper than any is
 * - `rate_limited`: not called, since this container has made all the calls it may make for the moment
 * - `no_route`: not called, since every route that could give it is known to be gone
 */
export type UpstreamFailure =
  | 'network'
  | 'timeout'
  | 'status'
  | 'too_large'
  | 'not_json'
  | 'error_body'
  | 'wrong_shape'
  | 'rate_limited'
  | 'no_route';

export interface UpstreamErrorDetails {
  readonly route: string;
  readonly failure: UpstreamFailure;
  readonly status?: number | undefined;
  /** What the upstream asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The upstream's own word that a second try is useless. */
  readonly final?: boolean;
  /** The beginning of the body, for the log only. */
  readonly excerpt?: string | undefined;
  readonly cause?: unknown;
}

/** Statuses that speak of one request and not of the route. */
const REQUEST_STATUSES = new Set([400, 413, 422]);
/** Statuses that a second try will not change: the request itself is at fault. */
const FINAL_STATUSES = new Set([400, 401, 404, 405, 410, 413, 422]);
/** Statuses of a route that is not there (any more). */
const GONE_STATUSES = new Set([404, 405, 410]);
/** The upstream, or what stands before it, refuses this caller; by an accident once, by decision twice in a row. */
const FORBIDDEN_STATUSES = new Set([403, 451]);
/** The same, and the one that says for how long. */
const BLOCKED_STATUSES = new Set([...FORBIDDEN_STATUSES, 429]);
/** Failures that no second call changes, or that were no calls. */
const FINAL_FAILURES: ReadonlySet<UpstreamFailure> = new Set(['too_large', 'rate_limited', 'no_route']);
/** How a keep-alive socket that the other side has closed shows itself, in Node.js and in undici. */
const CLOSED_SOCKET = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly route: string;
  readonly failure: UpstreamFailure;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly excerpt: string | undefined;
  readonly #final: boolean;

  constructor(details: UpstreamErrorDetails) {
    const status = details.status === undefined ? '' : ` ${details.status}`;
    super(`${details.route}: ${details.failure}${status}`, { cause: details.cause });
    this.route = details.route;
    this.failure = details.failure;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.excerpt = details.excerpt;
    this.#final = details.final === true;
  }

  /** How often a call that failed like this is worth repeating. */
  get mostRetries(): number {
    if (this.#final || FINAL_FAILURES.has(this.failure)) return 0;
    if (this.failure !== 'status') return Number.POSITIVE_INFINITY;
    if (FINAL_STATUSES.has(this.status ?? 0)) return 0;
    return FORBIDDEN_STATUSES.has(this.status ?? 0) ? 1 : Number.POSITIVE_INFINITY;
  }

  /** Whether the failure says something about the route as a whole. */
  get ofRoute(): boolean {
    return !(this.failure === 'status' && REQUEST_STATUSES.has(this.status ?? 0));
  }

  /** Whether the route itself is not there, where a thing that is missing is no 404. */
  get gone(): boolean {
    return this.failure === 'status' && GONE_STATUSES.has(this.status ?? 0);
  }

  get blocked(): boolean {
    return BLOCKED_STATUSES.has(this.status ?? 0) || this.failure === 'error_body';
  }

  /** Whether the upstream's limit is to blame, or ours that stays below it: later, the same call goes well. */
  get limited(): boolean {
    return (
      this.failure === 'rate_limited' ||
      this.status === 429 ||
      (this.failure === 'error_body' && /too many requests/i.test(this.excerpt ?? ''))
    );
  }

  /** What lies beneath it, where fetch wrapped it in "fetch failed": refused, reset, no such host. */
  get reason(): string | undefined {
    const innermost = [...causes(this)].at(-1);
    return innermost === undefined ? undefined : String(innermost);
  }

  /** The keep-alive socket had gone stale: a new one usually works at once (upstream.md, "Both"). */
  get staleSocket(): boolean {
    return this.failure === 'network' && [...causes(this)].some((cause) => CLOSED_SOCKET.has(codeOf(cause)));
  }
}

function* causes(error: Error): Generator<unknown> {
  let { cause } = error;
  while (cause !== undefined) {
    yield cause;
    cause = typeof cause === 'object' && cause !== null && 'cause' in cause ? cause.cause : undefined;
  }
}

function codeOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
}
