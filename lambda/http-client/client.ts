import pLimit from 'p-limit';
import { UPSTREAM_CONCURRENCY } from '../contract/constants.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import { callOnce, type Fetch, type UpstreamAnswer, type UpstreamRequest } from './attempt.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { UpstreamError } from './upstream-error.ts';

/** Told about every attempt, for metrics. */
export interface CallObserver {
  called(route: string): void;
  retried(route: string): void;
  failed(error: UpstreamError): void;
  /** A 2xx answer in JSON, with the time of its arrival in ms. */
  answered?(headers: Headers, at: number): void;
}

export interface UpstreamOptions {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** Whether a route that keeps failing is left alone for a while. */
  readonly circuitBreaker: boolean;
  readonly observer?: CallObserver;
}

export interface CallLimits {
  /** Absolute ms: no attempt goes on beyond it and no retry starts after it. */
  readonly deadline: number;
  /** Retries after the first attempt. */
  readonly retries: number;
  /** Whether only a stale socket is worth a retry, since a caller is waiting. @default false */
  readonly onlyStaleSockets?: boolean;
  /** Errors that are an answer, such as a 404 for a thing that may be missing: not a failure, not tried again. */
  readonly isAnswer?: (error: UpstreamError) => boolean;
}

/** First and greatest pause between attempts; the pause is drawn from 0 up to it (full jitter). */
const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 8_000;

/** One upstream host: at most 16 calls at once, a deadline on each, retries with full jitter, a breaker per route. */
export class Upstream {
  private readonly options: UpstreamOptions;
  private readonly limit = pLimit(UPSTREAM_CONCURRENCY);
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(options: UpstreamOptions) {
    this.options = options;
  }

  get clock(): Clock {
    return this.options.clock;
  }

  /**
   * @param pathAndQuery appended to the base URL
   * @param parse turns the body into what the caller needs and throws UpstreamError `wrong_shape` otherwise
   * @throws UpstreamError of the last attempt
   */
  async request<T>(
    route: string,
    pathAndQuery: string,
    parse: (answer: UpstreamAnswer) => T,
    limits: CallLimits,
    body?: unknown,
  ): Promise<T> {
    const { baseUrl, observer } = this.options;
    const request = { route, url: `${baseUrl}${pathAndQuery}`, ...(body === undefined ? {} : { body }) };
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.limit(() => this.attempt(request, limits.deadline, parse));
      } catch (error) {
        if (!(error instanceof UpstreamError) || limits.isAnswer?.(error)) throw error;
        observer?.failed(error);
        const pause = this.pauseBefore(attempt + 1, error);
        const worthIt = limits.onlyStaleSockets ? error.staleSocket : error.retriable;
        const again = attempt < limits.retries && worthIt;
        if (!again || this.clock.now() + pause >= limits.deadline) throw error;
        observer?.retried(route);
        if (pause > 0) await sleep(this.clock, pause);
      }
    }
  }

  private async attempt<T>(
    request: UpstreamRequest,
    deadline: number,
    parse: (answer: UpstreamAnswer) => T,
  ): Promise<T> {
    const { fetch, clock, timeoutMs, observer } = this.options;
    const { route } = request;
    const remaining = deadline - clock.now();
    if (remaining <= 0) throw new UpstreamError({ route, failure: 'timeout' });
    const breaker = this.breakerOf(route);
    if (breaker?.allows() === false) throw new UpstreamError({ route, failure: 'circuit_open' });
    observer?.called(route);
    try {
      const answer = await callOnce(fetch, clock, request, Math.min(timeoutMs, remaining));
      observer?.answered?.(answer.headers, clock.now());
      const parsed = parse(answer);
      breaker?.succeeded();
      return parsed;
    } catch (error) {
      if (error instanceof UpstreamError && error.ofRoute) breaker?.failed();
      throw error;
    }
  }

  private pauseBefore(retry: number, error: UpstreamError): number {
    if (retry === 1 && error.staleSocket) return 0;
    const ceiling = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (retry - 1));
    return Math.max(this.options.random() * ceiling, error.retryAfterMs ?? 0);
  }

  private breakerOf(route: string): CircuitBreaker | undefined {
    if (!this.options.circuitBreaker) return undefined;
    const known = this.breakers.get(route);
    if (known) return known;
    const breaker = new CircuitBreaker(this.clock);
    this.breakers.set(route, breaker);
    return breaker;
  }
}
