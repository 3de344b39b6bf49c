/** The client of upstream, Polymarket's APIs: limits, time-outs, retries, and errors. */
import { MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import type { Log } from '../platform/telemetry.ts';
import { type CallQueue, sharedQueue } from './call-queue.ts';
import { callOnce } from './http-call.ts';
import { UpstreamError } from './upstream-error.ts';
import {
  UPSTREAMS,
  type UpstreamName,
  type UpstreamRoute,
  type UpstreamRouteName,
} from './upstreams.ts';

interface UpstreamOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Time-out of one call. @default that of the upstream */
  readonly timeoutMs?: number;
  /** Makes the call. @default over the network */
  readonly call?: typeof callOnce;
  /** Gets one warning for each failed request, however many retries it had. */
  readonly observer?: Pick<Log, 'warn'>;
}

/** How long and how often a request is tried. */
export interface CallLimits {
  /** No call goes on beyond this time. */
  readonly deadline: UnixMs;
  /** Retries after temporary failures. @default 0 */
  readonly retries?: number;
  /** Retries after time-outs, which take longest. @default as `retries` */
  readonly timeoutRetries?: number;
  /** Called before each retry, so that several calls can share one limit. @default always */
  readonly mayRetry?: () => boolean;
  /**
   * After this time a second attempt replaces the first one: a firewall can drop a kept connection
   * without closing it.
   *
   * @default no second attempt
   */
  readonly firstAttemptMs?: number;
}

/** What `parse` knows of a response besides its body. */
interface Reply {
  /** Earliest time at which upstream's origin made the response. */
  readonly madeAt: UnixMs;
}

/** A call to a route of upstream, and how to read its response. */
export interface UpstreamRequest<T> extends CallLimits {
  readonly route: UpstreamRouteName;
  /** Path and query. */
  readonly path: string;
  /** The JSON of a POST. Without it, the call is a GET. */
  readonly body?: unknown;
  /**
   * Reads the response. If it returns undefined, the response does not have the documented shape,
   * and the call fails.
   */
  readonly parse: (body: unknown, reply: Reply) => T | undefined;
  /**
   * Reads an error that is a valid response, such as a 404. It is neither logged nor retried. If this
   * returns undefined, the error is a failure.
   */
  readonly readError?: (error: UpstreamError) => T | undefined;
}

/**
 * The pause before the first retry. It doubles with each attempt, and its upper half is random.
 * Five retries take 4 to 8 s.
 */
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;
/** A `Retry-After` stops all calls of its route for at most this time. */
const MAX_HOLD_MS = 2 * MINUTE_MS;

/** A client of one upstream. Each request stays within the limits of its route. */
export class Upstream {
  readonly #name: UpstreamName;
  readonly #options: UpstreamOptions;
  #latestFailure: UpstreamError | undefined;

  constructor(name: UpstreamName, options: UpstreamOptions) {
    this.#name = name;
    this.#options = options;
  }

  /** The error of the latest attempt; undefined after a successful one. */
  get latestFailure(): UpstreamError | undefined {
    return this.#latestFailure;
  }

  /**
   * Makes a request, with retries.
   *
   * @returns what `parse` returns
   * @throws UpstreamError of the last attempt
   */
  async request<T>(request: UpstreamRequest<T>): Promise<T> {
    const queue = this.#queueOf(request.route);
    // The error of the last call that went out. If the limits prevent the retry, it is more useful
    // than theirs.
    let callError: UpstreamError | undefined;
    for (let retriesMade = 0; ; retriesMade++) {
      try {
        const response = await queue.run(request.deadline, () =>
          this.#attempt(request, retriesMade),
        );
        this.#latestFailure = undefined;
        return response;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        const response = request.readError?.(error);
        if (response !== undefined) return response;
        if (error.wasMade) {
          callError = error;
          this.#latestFailure = error;
          this.#pauseRoute(queue, error);
        }
        const pauseMs = this.#pauseBeforeRetry(error, retriesMade);
        if (!this.#canRetry(request, error, retriesMade, pauseMs)) {
          if (callError) this.#logFailure(callError, retriesMade);
          throw callError ?? error;
        }
        if (pauseMs > 0) await sleep(this.#options.clock, pauseMs);
      }
    }
  }

  /** Stops all calls of a route for as long as upstream's `Retry-After` asks. */
  #pauseRoute(queue: CallQueue, { retryAfterMs = 0 }: UpstreamError): void {
    if (retryAfterMs === 0) return;
    queue.pauseUntil(this.#options.clock.now() + Math.min(retryAfterMs, MAX_HOLD_MS));
  }

  #queueOf(route: UpstreamRouteName): CallQueue {
    const { baseUrl, clock } = this.#options;
    const routes: Readonly<Record<string, UpstreamRoute>> = UPSTREAMS[this.#name].routes;
    if (!routes[route]) throw new TypeError(`${this.#name} has no route ${route}`);
    return sharedQueue(baseUrl, route, routes[route], clock);
  }

  /** Makes one call. */
  async #attempt<T>(request: UpstreamRequest<T>, retriesMade: number): Promise<T> {
    const { baseUrl, clock, call = callOnce } = this.#options;
    const maxMs = this.#options.timeoutMs ?? UPSTREAMS[this.#name].timeoutMs;
    const { route, path, body, deadline, firstAttemptMs = maxMs } = request;
    const isFirst = retriesMade === 0;
    const begun = clock.now();
    const timeoutMs = Math.min(maxMs, isFirst ? firstAttemptMs : maxMs, deadline - begun);
    // After a dead connection, another kept one may be dead too.
    const connection = isFirst ? 'kept' : 'new';
    const url = new URL(`${baseUrl}${path}`);
    const reply = await call(clock, { route, url, body, timeoutMs, connection });
    const parsed = request.parse(reply.body, { madeAt: begun - reply.cachedMs });
    if (parsed === undefined) throw new UpstreamError({ route, failure: 'wrong_shape' });
    return parsed;
  }

  /** Whether a retry follows the failed attempt, after a pause. */
  #canRetry(
    limits: CallLimits,
    error: UpstreamError,
    retriesMade: number,
    pauseMs: number,
  ): boolean {
    if (retriesMade >= error.maxRetries) return false;
    if (this.#options.clock.now() + pauseMs >= limits.deadline) return false;
    const { retries = 0, timeoutRetries = retries, firstAttemptMs } = limits;
    const timedOut = error.failure === 'timeout';
    // The first retry is on a new connection. After a dead one it is always allowed.
    const wasDead = error.isConnectionReset || (timedOut && firstAttemptMs !== undefined);
    const isAllowed = retriesMade < (timedOut ? timeoutRetries : retries);
    if (!isAllowed && !(wasDead && retriesMade === 0)) return false;
    return limits.mayRetry?.() !== false;
  }

  /**
   * The pause before a retry, in ms. After a reset connection or a time-out of the first attempt,
   * the client retries at once.
   */
  #pauseBeforeRetry(error: UpstreamError, retriesMade: number): number {
    if (retriesMade === 0 && (error.isConnectionReset || error.failure === 'timeout')) return 0;
    const longest = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** retriesMade);
    return Math.max((0.5 + this.#options.random() / 2) * longest, error.retryAfterMs ?? 0);
  }

  #logFailure({ route, failure, status, excerpt, reason }: UpstreamError, retries: number): void {
    const fields = { upstream: this.#name, route, failure, status, excerpt, reason, retries };
    this.#options.observer?.warn('Upstream call failed', fields);
  }
}
