import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { LogThrottle } from '../platform/log-throttle.ts';
import type { Log, ServiceMetrics } from '../platform/telemetry.ts';
import { RequestWindow, type RequestWindowOptions, WINDOW_MS } from './request-window.ts';

/** A request waits at most this long for the decision of the rate limit and is then served. */
const RATE_LIMIT_TIMEOUT_MS = 2_000;

export interface Decision {
  readonly allowed: boolean;
  /** Further requests that would be allowed now. */
  readonly remaining: number;
  /** Unix ms when the oldest counted request leaves the window. A refused client is not allowed before. */
  readonly resetAt: number;
}

/** Whole seconds until the decision's reset, 1 to 60. */
export function resetSeconds({ resetAt }: Decision, now: number): number {
  return Math.min(WINDOW_MS / 1_000, Math.max(1, Math.ceil((resetAt - now) / 1_000)));
}

export interface RateLimiterOptions extends RequestWindowOptions {
  readonly clock: Clock;
  readonly logger: Pick<Log, 'info' | 'warn'>;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
}

/** How often one request tries to change a list that other requests of its client change at the same time. */
const MAX_ATTEMPTS = 5;
const REFUSALS_CACHE_SIZE = 10_000;
/** How long a container remembers a refusal that does not follow from the list. */
const SHORT_REFUSAL_MS = 1_000;
/** After this many requests in a row without a decision, a container pauses the limit. */
const MAX_FAILURES = 3;
const PAUSE_MS = 5_000;
const WARNING_INTERVAL_MS = 10_000;

/** DynamoDB's errors for too many writes to one key. Only the client's own requests write to it. */
const THROTTLED = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException']);

/**
 * The limit per client over all containers: at most `limit` accepted requests of a client in any 60 s.
 *
 * Usually a request costs one conditional write: it appends its time to the list of its client. If the list is full and
 * all entries are younger than 60 s, the limiter refuses the request. If some are older, the request replaces the list
 * by the young entries and its own time. A full list accepts no appends, so its version detects each concurrent change.
 */
export class RateLimiter {
  readonly limit: number;
  readonly #options: RateLimiterOptions;
  readonly #log: RequestWindow;
  readonly #throttle: LogThrottle;
  readonly #refusals = new LRUCache<string, { readonly decision: Decision; readonly until: number }>({
    max: REFUSALS_CACHE_SIZE,
  });
  #failures = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: RateLimiterOptions) {
    this.limit = options.limit;
    this.#options = options;
    this.#log = new RequestWindow(options);
    this.#throttle = new LogThrottle(options.clock, WARNING_INTERVAL_MS);
  }

  /** The refusal of this address that this container remembers. It costs no call to the table. */
  rememberedRefusal(address: string): Decision | undefined {
    return this.#remembered(this.#keyOf(address));
  }

  /**
   * Counts a request. Never rejects.
   *
   * @returns undefined if the table does not decide within 2 s: then the request is served
   */
  async check(address: string): Promise<Decision | undefined> {
    const { clock, logger } = this.#options;
    if (clock.now() < this.#pausedUntil) return this.#undecided('Paused after failures in a row');
    const key = this.#keyOf(address);
    try {
      const decision = await withTimeout(clock, RATE_LIMIT_TIMEOUT_MS, (signal) =>
        // Lambda may have frozen the container and its connections may be closed. If DynamoDB has executed the append,
        // the request counts twice, which never exceeds the limit.
        this.#decide(key, signal).catch((error: unknown) => {
          if (isConnectionClosed(error)) return this.#decide(key, signal);
          throw error;
        }),
      );
      this.#failures = 0;
      // 24 bits of the key distinguish the clients of a log. About 256 IPv4 addresses share each value.
      if (!decision.allowed) logger.info('Refused by the rate limit', { caller: key.slice(0, 6) });
      return decision;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures >= MAX_FAILURES) this.#pausedUntil = clock.now() + PAUSE_MS;
      return this.#undecided(error);
    }
  }

  async #decide(key: string, signal: AbortSignal): Promise<Decision> {
    const now = (): number => this.#options.clock.now();
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const appended = await this.#log.append(key, now(), signal);
        if (appended) return this.#allowed(appended);
        const remembered = this.#remembered(key);
        if (remembered) return remembered;
        const full = await this.#log.read(key, signal);
        const time = now();
        const young = full.times.filter((other) => isYoung(other, time));
        if (young.length >= this.limit) {
          const end = Math.min(...young) + WINDOW_MS;
          return this.#refused(key, end, end);
        }
        if (full.times.length < this.limit) continue; // another request has replaced the list
        const replacement = { times: [...young, time], version: full.version };
        const replaced = await this.#log.replace(key, replacement, time, signal);
        if (replaced) return this.#allowed(replaced);
      }
    } catch (error) {
      if (!(error instanceof Error && THROTTLED.has(error.name))) throw error;
    }
    // DynamoDB throttles the key because this client makes too many requests at once.
    return this.#refused(key, now() + WINDOW_MS, now() + SHORT_REFUSAL_MS);
  }

  #allowed(times: readonly number[]): Decision {
    const now = this.#options.clock.now();
    const young = times.filter((time) => isYoung(time, now));
    const resetAt = Math.min(now, ...young) + WINDOW_MS;
    return { allowed: true, remaining: Math.max(0, this.limit - young.length), resetAt };
  }

  #refused(key: string, resetAt: number, until: number): Decision {
    const decision = { allowed: false, remaining: 0, resetAt };
    this.#refusals.set(key, { decision, until });
    return decision;
  }

  #remembered(key: string): Decision | undefined {
    const refusal = this.#refusals.get(key);
    return refusal && this.#options.clock.now() < refusal.until ? refusal.decision : undefined;
  }

  #undecided(error: unknown): undefined {
    const { logger, metrics } = this.#options;
    metrics.add('RateLimitUnavailable', 1);
    metrics.flush();
    if (this.#throttle.allow('unavailable')) {
      logger.warn('The rate limit is unavailable: requests are served without it', { error });
    }
  }

  /**
   * A pseudonym: it keeps addresses out of the table and the log, and differs between tables. It is no secret, since
   * the name of the table is enough to try all IPv4 addresses. Items expire two minutes after the last request.
   */
  #keyOf(address: string): string {
    return hash('sha256', `${this.#options.table} ${address}`, 'hex').slice(0, 32);
  }
}

function isConnectionClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** A request exactly 60 s ago no longer counts. One in the future, by another container's clock, does. */
function isYoung(time: number, now: number): boolean {
  return time > now - WINDOW_MS;
}
