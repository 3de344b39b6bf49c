import { MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import type { Log } from '../platform/telemetry.ts';
import { type CallQueue, callQueue } from './call-queue.ts';
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
  readonly call?: typeof callOnce;
  readonly observer?: Pick<Log, 'warn'>;
}

export interface CallLimits {
  readonly deadline: UnixMs;
  /** After temporary failures. @default 0 */
  readonly retries?: number;
  /** After time-outs, which take longest. @default as `retries` */
  readonly timeoutRetries?: number;
  /** Called before each retry, so that several calls can share one limit. @default always */
  readonly mayRetry?: () => boolean;
  /**
   * Then a second attempt replaces the first: a firewall can silently drop a kept connection.
   *
   * @default never
   */
  readonly firstAttemptMs?: number;
}

interface Reply {
  /** Earliest time at which upstream's origin made the response. */
  readonly madeAt: UnixMs;
}

export interface UpstreamRequest<T> extends CallLimits {
  readonly route: UpstreamRouteName;
  readonly path: string;
  /** Makes the call a POST with this JSON. */
  readonly body?: unknown;
  /** Undefined if the response does not have the documented shape: the call fails. */
  readonly parse: (body: unknown, reply: Reply) => T | undefined;
  /** Errors that are valid responses, such as 404: neither logged nor retried. */
  readonly isResponse?: (error: UpstreamError) => boolean;
}

/** The pause doubles per attempt; its upper half is random. Five retries take 4 to 8 s. */
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;
/** Longest pause of a route after a `Retry-After`. */
const MAX_HOLD_MS = 2 * MINUTE_MS;

export class Upstream {
  readonly #name: UpstreamName;
  readonly #options: UpstreamOptions;
  #latestFailure: UpstreamError | undefined;

  constructor(name: UpstreamName, options: UpstreamOptions) {
    this.#name = name;
    this.#options = options;
  }

  get latestFailure(): UpstreamError | undefined {
    return this.#latestFailure;
  }

  /** @throws UpstreamError of the last attempt */
  async request<T>(request: UpstreamRequest<T>): Promise<T> {
    const { clock } = this.#options;
    const { route, deadline, isResponse } = request;
    const queue = this.#queueOf(route);
    let failed: UpstreamError | undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await queue.run(deadline, () => this.#attempt(request, attempt));
        this.#latestFailure = undefined;
        return response;
      } catch (error) {
        if (!(error instanceof UpstreamError) || isResponse?.(error)) throw error;
        // If no retry was allowed, the error of the attempt before is more useful.
        const { wasMade } = error;
        if (wasMade) {
          failed = error;
          this.#latestFailure = error;
        }
        const { retryAfterMs = 0 } = error;
        if (wasMade && retryAfterMs > 0)
          queue.pauseUntil(clock.now() + Math.min(retryAfterMs, MAX_HOLD_MS));
        const pause = this.#pauseBefore(attempt, error);
        const isLast =
          attempt >= retriesAfter(error, request, attempt) || clock.now() + pause >= deadline;
        if (!wasMade || isLast || request.mayRetry?.() === false) {
          if (failed) this.#logFailure(failed, attempt);
          throw failed ?? error;
        }
        if (pause > 0) await sleep(clock, pause);
      }
    }
  }

  #queueOf(route: UpstreamRouteName): CallQueue {
    const { baseUrl, clock } = this.#options;
    const routes: Readonly<Record<string, UpstreamRoute>> = UPSTREAMS[this.#name].routes;
    if (!routes[route]) throw new TypeError(`${this.#name} has no route ${route}`);
    return callQueue(baseUrl, route, routes[route], clock);
  }

  async #attempt<T>(request: UpstreamRequest<T>, attempt: number): Promise<T> {
    const { baseUrl, clock, call = callOnce } = this.#options;
    const { route, path, body, deadline, firstAttemptMs = Number.POSITIVE_INFINITY } = request;
    const begun = clock.now();
    const attemptMs = attempt === 0 ? firstAttemptMs : Number.POSITIVE_INFINITY;
    const timeoutMs = Math.min(UPSTREAMS[this.#name].timeoutMs, deadline - begun, attemptMs);
    // Another kept connection may be dead too.
    const connection = attempt === 0 ? 'kept' : 'new';
    const url = new URL(`${baseUrl}${path}`);
    const reply = await call(clock, { route, url, body, timeoutMs, connection });
    const parsed = request.parse(reply.body, { madeAt: begun - reply.cachedMs });
    if (parsed === undefined) throw new UpstreamError({ route, failure: 'wrong_shape' });
    return parsed;
  }

  /** In ms; 0 after a reset connection or a slow first attempt. */
  #pauseBefore(attempt: number, error: UpstreamError): number {
    if (attempt === 0 && (error.isConnectionReset || error.failure === 'timeout')) return 0;
    const longest = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** attempt);
    return Math.max((0.5 + this.#options.random() / 2) * longest, error.retryAfterMs ?? 0);
  }

  #logFailure({ route, failure, status, excerpt, reason }: UpstreamError, retries: number): void {
    const fields = { upstream: this.#name, route, failure, status, excerpt, reason, retries };
    this.#options.observer?.warn('Upstream call failed', fields);
  }
}

function retriesAfter(error: UpstreamError, limits: CallLimits, attempt: number): number {
  const { retries = 0, timeoutRetries = retries, firstAttemptMs } = limits;
  const timedOut = error.failure === 'timeout';
  const wasResetOrSlow =
    attempt === 0 && (error.isConnectionReset || (timedOut && firstAttemptMs !== undefined));
  return Math.min(
    Math.max(timedOut ? timeoutRetries : retries, wasResetOrSlow ? 1 : 0),
    error.maxRetries,
  );
}
