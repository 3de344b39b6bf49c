import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { LogThrottle } from '../platform/log-throttle.ts';
import type { Log, ServiceMetrics } from '../platform/telemetry.ts';
import { onceMoreIfClosed, RequestWindow, type RequestWindowOptions, throttlingOf } from './request-window.ts';

export const WINDOW_MS = MINUTE_MS;

export interface Decision {
  readonly allowed: boolean;
  readonly remaining: number;
  /** When the oldest counted request leaves the window. */
  readonly resetAt: UnixMs;
}

/** Whole seconds, 1 to 60. */
export function resetSeconds({ resetAt }: Decision, now: UnixMs): number {
  return Math.min(WINDOW_MS / SECOND_MS, Math.max(1, Math.ceil((resetAt - now) / SECOND_MS)));
}

interface RateLimiterOptions extends Omit<RequestWindowOptions, 'lengthMs' | 'isFull'> {
  readonly clock: Clock;
  readonly logger: Pick<Log, 'info' | 'warn'>;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
  /** How long a request waits for the table before it is served without a decision. */
  readonly timeoutMs: number;
}

const REFUSALS_CACHE_SIZE = 10_000;
/** For refusals that do not follow from the list. */
const SHORT_REFUSAL_MS = 1_000;
/** A limiter pauses after this many clients in a row without a decision. */
const MAX_FAILING_CLIENTS = 3;
const PAUSE_MS = 5_000;
const WARNING_INTERVAL_MS = 10_000;

/**
 * At most `limit` accepted requests per client in any 60 s, over all containers. Each accepted request is an entry in
 * the client's window.
 */
export class RateLimiter {
  readonly limit: number;
  readonly #options: RateLimiterOptions;
  readonly #window: RequestWindow;
  readonly #throttle: LogThrottle;
  readonly #refusals = new LRUCache<string, { readonly decision: Decision; readonly until: UnixMs }>({
    max: REFUSALS_CACHE_SIZE,
  });
  /** Clients without a decision since the table's last one. */
  readonly #failing = new Set<string>();
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: RateLimiterOptions) {
    this.limit = options.limit;
    this.#options = options;
    const isFull = (key: string) => this.#remembered(key) !== undefined;
    this.#window = new RequestWindow({ ...options, lengthMs: WINDOW_MS, isFull });
    this.#throttle = new LogThrottle(options.clock, WARNING_INTERVAL_MS);
  }

  /** A remembered refusal, without a call to the table. */
  immediateRefusal(address: string): Decision | undefined {
    return this.#remembered(this.#keyOf(address));
  }

  /**
   * Counts a request. Never rejects.
   *
   * @returns undefined if the table does not decide: then the request is served
   */
  async check(address: string): Promise<Decision | undefined> {
    const key = this.#keyOf(address);
    const remembered = this.#remembered(key);
    if (remembered) return remembered;
    const { clock, logger } = this.#options;
    if (clock.now() < this.#pausedUntil) return this.#unavailable('Paused after failures in a row');
    try {
      const decision = await this.#decideInTime(key);
      this.#failing.clear();
      // 24 bits distinguish the clients in the log. About 256 IPv4 addresses share each value.
      if (!decision.allowed) logger.info('Refused by the rate limit', { caller: key.slice(0, 6) });
      return decision;
    } catch (error) {
      return this.#failed(key, error);
    }
  }

  async #decideInTime(key: string): Promise<Decision> {
    const { clock, timeoutMs } = this.#options;
    return await withTimeout(clock, timeoutMs, (signal) => onceMoreIfClosed(() => this.#decide(key, signal)));
  }

  /** Serves the request only if the whole table has a problem. */
  #failed(key: string, error: unknown): Decision | undefined {
    const throttling = throttlingOf(error);
    if (throttling === 'key') return this.#shortRefusal(key);
    this.#failing.add(key);
    const isOutage = this.#failing.size >= MAX_FAILING_CLIENTS;
    if (isOutage) this.#pausedUntil = this.#options.clock.now() + PAUSE_MS;
    return throttling === 'unknown' && !isOutage ? this.#shortRefusal(key) : this.#unavailable(error);
  }

  async #decide(key: string, signal: AbortSignal): Promise<Decision> {
    const { granted, times } = await this.#window.take(key, 1, signal);
    const [oldest] = times;
    // Another request was refused in the meantime, or others changed the list in each attempt.
    if (oldest === undefined) return this.#remembered(key) ?? this.#shortRefusal(key);
    const end = oldest + WINDOW_MS;
    if (granted === 0) return this.#refused(key, end, end);
    const resetAt = Math.min(this.#options.clock.now() + WINDOW_MS, end);
    return { allowed: true, remaining: Math.max(0, this.limit - times.length), resetAt };
  }

  #refused(key: string, resetAt: UnixMs, until: UnixMs): Decision {
    const decision = refusal(resetAt);
    this.#refusals.set(key, { decision, until });
    return decision;
  }

  /** The reason is not the list: the client may be allowed again soon. */
  #shortRefusal(key: string): Decision {
    const now = this.#options.clock.now();
    return this.#refused(key, now + WINDOW_MS, now + SHORT_REFUSAL_MS);
  }

  #remembered(key: string): Decision | undefined {
    const refusal = this.#refusals.get(key);
    return refusal && this.#options.clock.now() < refusal.until ? refusal.decision : undefined;
  }

  #unavailable(error: unknown): undefined {
    const { logger, metrics } = this.#options;
    metrics.add('RateLimitUnavailable', 1);
    metrics.flush();
    if (this.#throttle.allow('unavailable')) {
      logger.warn('The rate limit is unavailable: requests are served without it', { error });
    }
  }

  /**
   * A pseudonym that keeps addresses out of the table and the log. It is not a secret: with the table's name, all IPv4
   * addresses can be tried. Items expire two minutes after the last request.
   */
  #keyOf(address: string): string {
    return hash('sha256', `${this.#options.table} ${address}`, 'hex').slice(0, 32);
  }
}

function refusal(resetAt: UnixMs): Decision {
  return { allowed: false, remaining: 0, resetAt };
}
