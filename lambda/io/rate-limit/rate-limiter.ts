/** The rate limit: how many requests each client may make in a minute. */
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
  /** When the oldest counted request leaves the window; the end of a whole window if unknown. */
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
const BRIEF_REFUSAL_MS = 1_000;
/**
 * After this many clients in a row without a decision, the limiter pauses, and requests do not wait
 * for the table.
 */
const MAX_UNDECIDED_CLIENTS = 3;
/** How long such a pause is. Then the next request tries the table again. */
const PAUSE_MS = 5_000;
/** During an outage, each process warns once per interval. */
const WARNING_INTERVAL_MS = 10_000;

/** A refusal that the limiter repeats without the table until a time. */
interface RememberedRefusal {
  readonly decision: Decision;
  readonly until: UnixMs;
}

/**
 * Accepts at most `limit` requests per client in any 60 s, over all containers. Each of these can
 * refuse a request, in this order:
 *
 * 1. the refusals that this process remembers;
 * 2. the requests that this process alone has served;
 * 3. the client's list of times in the table, which all containers share.
 *
 * If the table does not respond, only the first two limit a client. A request about which neither
 * they nor the table decide is served.
 */
export class RateLimiter {
  readonly limit: number;
  readonly #options: RateLimiterOptions;
  readonly #window: RequestWindow;
  readonly #served: ServedRequests;
  readonly #throttle: LogThrottle;
  readonly #refusals = new LRUCache<string, RememberedRefusal>({ max: REFUSALS_CACHE_SIZE });
  /** Clients whose requests the table has not decided since its last decision. */
  readonly #undecided = new Set<string>();
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: RateLimiterOptions) {
    this.limit = options.limit;
    this.#options = options;
    this.#window = new RequestWindow(options);
    this.#served = new ServedRequests(options);
    this.#throttle = new LogThrottle(options.clock, WARNING_INTERVAL_MS);
  }

  /** The refusal that needs no call to the table. @returns undefined if there is none */
  immediateRefusal(address: string): Decision | undefined {
    return this.#refusalWithoutTable(this.#keyOf(address));
  }

  /**
   * Counts a request. Never rejects.
   *
   * @returns undefined if the table does not decide: the request is served
   */
  async check(address: string): Promise<Decision | undefined> {
    const key = this.#keyOf(address);
    const refusal = this.#refusalWithoutTable(key);
    if (refusal) return refusal;
    const servedAt = this.#served.add(key);
    const decision = await this.#askTable(key);
    if (decision?.allowed === false) this.#served.remove(key, servedAt);
    return decision;
  }

  /**
   * A pseudonym that keeps addresses out of table and log. It is not secret: with the table's name,
   * a person can try all IPv4 addresses.
   */
  #keyOf(address: string): string {
    return hash('sha256', `${this.#options.table} ${address}`, 'hex').slice(0, 32);
  }

  /** The refusal that follows from what this process knows. */
  #refusalWithoutTable(key: string): Decision | undefined {
    const now = this.#options.clock.now();
    const remembered = this.#refusals.get(key);
    if (remembered && now < remembered.until) return remembered.decision;
    const fullUntil = this.#served.fullUntil(key);
    if (fullUntil === undefined) return undefined;
    this.#logRefusal(key);
    // Brief, because the table may still refuse requests under way, which leave room.
    return this.#refuse(key, fullUntil, Math.min(fullUntil, now + BRIEF_REFUSAL_MS));
  }

  async #askTable(key: string): Promise<Decision | undefined> {
    if (this.#options.clock.now() < this.#pausedUntil)
      return this.#serveUndecided('Paused after failures in a row');
    try {
      const decision = this.#decide(key, await this.#window.take(key));
      this.#undecided.clear();
      if (!decision.allowed) this.#logRefusal(key);
      return decision;
    } catch (error) {
      return this.#decideAfterFailure(key, error);
    }
  }

  /** The decision that follows from the table's list. */
  #decide(key: string, { granted, times }: Taken): Decision {
    const [oldest] = times;
    // The list is empty if other requests changed it before each write.
    if (oldest === undefined) return this.#refuseBriefly(key);
    const leavesAt = oldest + LIMIT_WINDOW_MS;
    if (!granted) return this.#refuse(key, leavesAt, leavesAt);
    const resetAt = Math.min(this.#options.clock.now() + LIMIT_WINDOW_MS, leavesAt);
    return { allowed: true, remaining: Math.max(0, this.limit - times.length), resetAt };
  }

  /**
   * What happens to a request if the table returned an error. Refuses the request if only this
   * client's key has a problem. Serves it, without a decision, if the table has one.
   */
  #decideAfterFailure(key: string, error: unknown): Decision | undefined {
    const throttling = throttlingOf(error);
    // DynamoDB throttles one key from about 1,000 writes a second, far above any limit.
    if (throttling === 'key') return this.#refuseBriefly(key);
    this.#undecided.add(key);
    const isOutage = this.#undecided.size >= MAX_UNDECIDED_CLIENTS;
    if (isOutage) this.#pausedUntil = this.#options.clock.now() + PAUSE_MS;
    // As long as few clients fail, throttling without a reason is probably that of one key.
    if (throttling === 'unknown' && !isOutage) return this.#refuseBriefly(key);
    return this.#serveUndecided(error);
  }

  /**
   * Refuses for another reason than the table's list. The response names the longest wait, but the
   * client may be accepted again after a second.
   */
  #refuseBriefly(key: string): Decision {
    const now = this.#options.clock.now();
    return this.#refuse(key, now + LIMIT_WINDOW_MS, now + BRIEF_REFUSAL_MS);
  }

  /** Makes a refusal. @param rememberUntil the limiter repeats it without the table until then */
  #refuse(key: string, resetAt: UnixMs, rememberUntil: UnixMs): Decision {
    const decision = { allowed: false, remaining: 0, resetAt };
    this.#refusals.set(key, { decision, until: rememberUntil });
    return decision;
  }

  /** Logs 24 bits to tell clients apart. About 256 IPv4 addresses share each value. */
  #logRefusal(key: string): void {
    this.#options.logger.info('Refused by the rate limit', { caller: key.slice(0, 6) });
  }

  /** Counts and logs a request that is served without a decision. @param error why, for the log */
  #serveUndecided(error: unknown): undefined {
    const { logger, metrics } = this.#options;
    metrics.add('RateLimitUnavailable', 1);
    metrics.flush();
    if (this.#throttle.allow('unavailable')) {
      logger.warn('The rate limit is unavailable: each process counts alone', { error });
    }
  }
}
