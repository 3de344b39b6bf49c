import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { throttlingOf } from '../platform/dynamodb-errors.ts';
import { type Log, LogThrottle, type ServiceMetrics } from '../platform/telemetry.ts';
import {
  LIMIT_WINDOW_MS,
  RequestWindow,
  type RequestWindowOptions,
  type Taken,
} from './request-window.ts';
import { ServedRequests } from './served-requests.ts';

/** Whether a request is accepted, and what its response says about the limit. */
export interface Decision {
  readonly allowed: boolean;
  /** Further requests that would be accepted now. */
  readonly remaining: number;
  /** When the oldest counted request leaves the window. No refused client is accepted before. */
  readonly resetAt: UnixMs;
}

/** Whole seconds until a decision's reset, 1 to 60. */
export function resetSeconds({ resetAt }: Decision, now: UnixMs): number {
  return Math.min(LIMIT_WINDOW_MS / SECOND_MS, Math.max(1, Math.ceil((resetAt - now) / SECOND_MS)));
}

interface RateLimiterOptions extends RequestWindowOptions {
  readonly logger: Pick<Log, 'info' | 'warn'>;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
}

/** The limiter remembers the refusals of this many clients. It forgets the oldest ones first. */
const REFUSALS_CACHE_SIZE = 10_000;
/** How long the limiter remembers a refusal that does not follow from the table's list. */
const SHORT_REFUSAL_MS = 1_000;
/**
 * After this many clients in a row without a decision, the limiter pauses, and requests do not wait
 * for the table.
 */
const MAX_FAILING_CLIENTS = 3;
/** How long such a pause is. Then the next request tries the table again. */
const PAUSE_MS = 5_000;
/** During an outage, each process warns once per interval. */
const WARNING_INTERVAL_MS = 10_000;

/**
 * Accepts at most `limit` requests per client in any 60 s, over all containers. Each of these can
 * refuse a request, in this order:
 *
 * 1. the refusals that this process remembers;
 * 2. the requests that this process alone has served;
 * 3. the client's list of times in the table, which all containers share.
 *
 * If the table does not respond, only the first two limit a client.
 */
export class RateLimiter {
  readonly limit: number;
  readonly #options: RateLimiterOptions;
  readonly #window: RequestWindow;
  readonly #served: ServedRequests;
  readonly #throttle: LogThrottle;
  readonly #refusals = new LRUCache<
    string,
    { readonly decision: Decision; readonly until: UnixMs }
  >({
    max: REFUSALS_CACHE_SIZE,
  });
  /** Clients without a decision since the table's last one. */
  readonly #failing = new Set<string>();
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: RateLimiterOptions) {
    this.limit = options.limit;
    this.#options = options;
    this.#window = new RequestWindow(options);
    this.#served = new ServedRequests(options);
    this.#throttle = new LogThrottle(options.clock, WARNING_INTERVAL_MS);
  }

  /** A refusal without a call to the table. */
  immediateRefusal(address: string): Decision | undefined {
    return this.#knownRefusal(this.#keyOf(address));
  }

  /**
   * Counts a request. Never rejects.
   *
   * @returns undefined if the table does not decide: the request is served
   */
  async check(address: string): Promise<Decision | undefined> {
    const key = this.#keyOf(address);
    const refusal = this.#knownRefusal(key);
    if (refusal) return refusal;
    const servedAt = this.#served.add(key);
    const decision = await this.#checkTable(key);
    if (decision?.allowed === false) this.#served.remove(key, servedAt);
    return decision;
  }

  async #checkTable(key: string): Promise<Decision | undefined> {
    if (this.#options.clock.now() < this.#pausedUntil)
      return this.#unavailable('Paused after failures in a row');
    try {
      const decision = this.#decide(key, await this.#window.take(key));
      this.#failing.clear();
      if (!decision.allowed) this.#logRefusal(key);
      return decision;
    } catch (error) {
      return this.#failed(key, error);
    }
  }

  /** A refusal that follows from what this process knows, without the table. */
  #knownRefusal(key: string): Decision | undefined {
    const now = this.#options.clock.now();
    const refusal = this.#refusals.get(key);
    if (refusal && now < refusal.until) return refusal.decision;
    const fullUntil = this.#served.fullUntil(key);
    if (fullUntil === undefined) return undefined;
    this.#logRefusal(key);
    // A short refusal, because the table may still refuse requests under way, which leave room.
    return this.#refused(key, fullUntil, Math.min(fullUntil, now + SHORT_REFUSAL_MS));
  }

  /** Logs 24 bits to tell clients apart. About 256 IPv4 addresses share each value. */
  #logRefusal(key: string): void {
    this.#options.logger.info('Refused by the rate limit', { caller: key.slice(0, 6) });
  }

  /** The decision that follows from the table's list. */
  #decide(key: string, { granted, times }: Taken): Decision {
    const [oldest] = times;
    // The list is empty if other requests changed it before each write.
    if (oldest === undefined) return this.#shortRefusal(key);
    const leavesAt = oldest + LIMIT_WINDOW_MS;
    if (!granted) return this.#refused(key, leavesAt, leavesAt);
    const resetAt = Math.min(this.#options.clock.now() + LIMIT_WINDOW_MS, leavesAt);
    return { allowed: true, remaining: Math.max(0, this.limit - times.length), resetAt };
  }

  /**
   * What happens to a request without a decision. Refuses if only this client's key has a problem,
   * serves if the table has.
   */
  #failed(key: string, error: unknown): Decision | undefined {
    const throttling = throttlingOf(error);
    // DynamoDB throttles one key from about 1,000 writes a second, far above any limit.
    if (throttling === 'key') return this.#shortRefusal(key);
    this.#failing.add(key);
    const isOutage = this.#failing.size >= MAX_FAILING_CLIENTS;
    if (isOutage) this.#pausedUntil = this.#options.clock.now() + PAUSE_MS;
    // As long as few clients fail, throttling without a reason is probably that of one key.
    if (throttling === 'unknown' && !isOutage) return this.#shortRefusal(key);
    return this.#unavailable(error);
  }

  /** A refusal, which the limiter remembers until a time. */
  #refused(key: string, resetAt: UnixMs, until: UnixMs): Decision {
    const decision = { allowed: false, remaining: 0, resetAt };
    this.#refusals.set(key, { decision, until });
    return decision;
  }

  /** A refusal for another reason than the list: the client may be accepted again soon. */
  #shortRefusal(key: string): Decision {
    const now = this.#options.clock.now();
    return this.#refused(key, now + LIMIT_WINDOW_MS, now + SHORT_REFUSAL_MS);
  }

  /** Counts and logs a request that is served without a decision. */
  #unavailable(error: unknown): undefined {
    const { logger, metrics } = this.#options;
    metrics.add('RateLimitUnavailable', 1);
    metrics.flush();
    if (this.#throttle.allow('unavailable')) {
      logger.warn('The rate limit is unavailable: each process counts alone', { error });
    }
  }

  /**
   * A pseudonym that keeps addresses out of table and log. It is not secret: with the table's name,
   * a person can try all IPv4 addresses.
   */
  #keyOf(address: string): string {
    return hash('sha256', `${this.#options.table} ${address}`, 'hex').slice(0, 32);
  }
}
