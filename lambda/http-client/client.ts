import pLimit from 'p-limit';
import { MAX_PAGE_BYTES } from '../contract/upstreams.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import { callOnce, type UpstreamRequest, type UpstreamResponse } from './attempt.ts';
import { CallRate } from './call-rate.ts';
import type { Fetch, ResponseHeaders } from './fetch.ts';
import { UpstreamError } from './upstream-error.ts';

/** Told about every attempt, for metrics. */
export interface CallObserver {
  called(route: string): void;
  retried(route: string): void;
  failed(error: UpstreamError): void;
  /** A 2xx response in JSON, with the time of its arrival in ms. */
  responded?(headers: ResponseHeaders, at: number): void;
}

export interface UpstreamOptions {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** Calls under way at once. */
  readonly concurrency: number;
  /** Most calls of a route in any 10 s; a route without an entry is not bounded. @default no bounds */
  readonly callsPer10Seconds?: Readonly<Record<string, number>>;
  readonly observer?: CallObserver;
}

export interface CallLimits {
  /** Absolute ms: no attempt goes on beyond it and no retry starts after it. */
  readonly deadline: number;
  /** Retries after the first attempt. */
  readonly retries: number;
  /** Retries after attempts that timed out, which are no hiccup and cost the most. @default as many as `retries` */
  readonly timeoutRetries?: number;
  /** Most bytes of the response. @default as many as a page of the catalogue may have */
  readonly maxBytes?: number;
  /**
   * A caller is waiting: only a stale socket and a first attempt that took too long are worth a retry, and a call that would have to wait for its turn is
   * refused. @default false
   */
  readonly live?: boolean;
  /**
   * How long the first attempt may take where more than one may be made. A kept connection may lead nowhere (whoever
   * stands between has forgotten it): a new one usually works at once.
   * @default as long as any
   */
  readonly firstAttemptMs?: number;
  /** Share of the route's calls beyond which this one has no turn, 0..1. @default 1 */
  readonly share?: number;
  /** Errors that are a response, such as a 404 for a thing that may be missing: not a failure, not tried again. */
  readonly isResponse?: (error: UpstreamError) => boolean;
}

/**
 * First and greatest pause between attempts; the pause is drawn from half of it up to it, so that so many retries outlast
 * a hiccup of so long whatever the dice say: five retries, 3.9 s.
 */
const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 8_000;

/**
 * One upstream host: so many calls at once and in 10 s, a deadline on each, retries with jitter. A
 * route that keeps failing costs no more than the deadlines and retries of its callers allow.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #rates: ReadonlyMap<string, CallRate>;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
    this.#rates = new Map(
      Object.entries(options.callsPer10Seconds ?? {}).map(([route, calls]) => [route, new CallRate(calls)]),
    );
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /**
   * @param pathAndQuery appended to the base URL
   * @param parse turns the body into what the caller needs and throws UpstreamError `wrong_shape` otherwise
   * @throws UpstreamError of the last attempt
   */
  async request<T>(
    route: string,
    pathAndQuery: string,
    parse: (response: UpstreamResponse) => T,
    limits: CallLimits,
    body?: unknown,
  ): Promise<T> {
    const { baseUrl, observer } = this.#options;
    const request: UpstreamRequest = {
      route,
      url: `${baseUrl}${pathAndQuery}`,
      maxBytes: limits.maxBytes ?? MAX_PAGE_BYTES,
      ...(body === undefined ? {} : { body }),
    };
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#limit(() => this.#attempt(request, limits, parse, attempt));
      } catch (error) {
        if (!(error instanceof UpstreamError) || limits.isResponse?.(error)) throw error;
        observer?.failed(error);
        const pause = limits.live && error.failure === 'timeout' ? 0 : this.#pauseBefore(attempt + 1, error);
        const retries = Math.min(retriesAfter(error, limits, attempt), error.mostRetries);
        if (attempt >= retries || this.clock.now() + pause >= limits.deadline) throw error;
        observer?.retried(route);
        if (pause > 0) await sleep(this.clock, pause);
      }
    }
  }

  async #attempt<T>(
    request: UpstreamRequest,
    limits: CallLimits,
    parse: (response: UpstreamResponse) => T,
    attempt: number,
  ): Promise<T> {
    const { fetch, clock, timeoutMs, observer } = this.#options;
    const { route } = request;
    await this.#turn(route, limits);
    const remaining = limits.deadline - clock.now();
    if (remaining <= 0) throw new UpstreamError({ route, failure: 'timeout' });
    observer?.called(route);
    const first = attempt === 0 && limits.retries > 0 ? (limits.firstAttemptMs ?? timeoutMs) : timeoutMs;
    const response = await callOnce(fetch, clock, request, Math.min(timeoutMs, remaining, first));
    observer?.responded?.(response.headers, clock.now());
    return parse(response);
  }

  /** @throws UpstreamError `rate_limited` when the turn would come too late */
  async #turn(route: string, { deadline, live = false, share }: CallLimits): Promise<void> {
    const rate = this.#rates.get(route);
    if (!rate) return;
    const now = this.clock.now();
    const wait = rate.waitMs(now, share);
    if (wait > 0 && (live || now + wait >= deadline)) {
      throw new UpstreamError({ route, failure: 'rate_limited', retryAfterMs: wait });
    }
    rate.take(now + wait);
    if (wait > 0) await sleep(this.clock, wait);
  }

  #pauseBefore(retry: number, error: UpstreamError): number {
    if (retry === 1 && error.staleSocket) return 0;
    const ceiling = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (retry - 1));
    return Math.max((0.5 + this.#options.random() / 2) * ceiling, error.retryAfterMs ?? 0);
  }
}

/** Retries that an error is worth after so many attempts. */
function retriesAfter(error: UpstreamError, limits: CallLimits, attempt: number): number {
  const { retries, timeoutRetries = retries, live = false, firstAttemptMs } = limits;
  const timedOut = error.failure === 'timeout';
  if (live) return error.staleSocket || (timedOut && attempt === 0 && firstAttemptMs) ? retries : 0;
  return timedOut ? timeoutRetries : retries;
}
