import { hash } from 'node:crypto';
import type { ThrottlingReason } from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import { SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { LogThrottle } from '../platform/log-throttle.ts';
import type { Log, ServiceMetrics } from '../platform/telemetry.ts';
import { RequestWindow, type RequestWindowOptions, WINDOW_MS } from './request-window.ts';

export interface Decision {
  readonly allowed: boolean;
  /** Further requests that would be allowed now. */
  readonly remaining: number;
  /** When the oldest counted request leaves the window. A refused client is not allowed before. */
  readonly resetAt: UnixMs;
}

/** Whole seconds until the decision's reset, 1 to 60. */
export function resetSeconds({ resetAt }: Decision, now: UnixMs): number {
  return Math.min(WINDOW_MS / SECOND_MS, Math.max(1, Math.ceil((resetAt - now) / SECOND_MS)));
}

interface RateLimiterOptions extends RequestWindowOptions {
  readonly clock: Clock;
  readonly logger: Pick<Log, 'info' | 'warn'>;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
  /** How long a request waits for the table before it is served without a decision. */
  readonly timeoutMs: number;
}

/** How often one request tries to change a list that other requests of its client change at the same time. */
const MAX_ATTEMPTS = 5;
const REFUSALS_CACHE_SIZE = 10_000;
/** How long a limiter remembers a refusal that does not follow from the list. */
const SHORT_REFUSAL_MS = 1_000;
/** After requests of this many clients in a row without a decision, a limiter pauses. */
const MAX_FAILING_CLIENTS = 3;
const PAUSE_MS = 5_000;
const WARNING_INTERVAL_MS = 10_000;

/** DynamoDB's errors for too many requests. */
const THROTTLED = ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'];

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
  readonly #window: RequestWindow;
  readonly #throttle: LogThrottle;
  readonly #refusals = new LRUCache<string, { readonly decision: Decision; readonly until: UnixMs }>({
    max: REFUSALS_CACHE_SIZE,
  });
  /** Clients without a decision since the table made the last one. */
  readonly #failing = new Set<string>();
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: RateLimiterOptions) {
    this.limit = options.limit;
    this.#options = options;
    this.#window = new RequestWindow(options);
    this.#throttle = new LogThrottle(options.clock, WARNING_INTERVAL_MS);
  }

  /** The refusal of this address that the limiter remembers, without a call to the table. */
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
      // 24 bits of the key distinguish the clients of a log. About 256 IPv4 addresses share each value.
      if (!decision.allowed) logger.info('Refused by the rate limit', { caller: key.slice(0, 6) });
      return decision;
    } catch (error) {
      return this.#failed(key, error);
    }
  }

  /** @throws TimeoutError, or what the table throws */
  async #decideInTime(key: string): Promise<Decision> {
    const { clock, timeoutMs } = this.#options;
    return await withTimeout(clock, timeoutMs, (signal) =>
      this.#decide(key, signal).catch((error: unknown) => {
        // Lambda may have frozen the container and its connections may be closed. If DynamoDB has executed the append,
        // the request counts twice, which never exceeds the limit.
        if (isConnectionClosed(error)) return this.#decide(key, signal);
        throw error;
      }),
    );
  }

  /** What happens to a request without a decision: only a problem of the whole table makes the limiter serve it. */
  #failed(key: string, error: unknown): Decision | undefined {
    const throttling = throttlingOf(error);
    if (throttling === 'key') return this.#shortRefusal(key);
    this.#failing.add(key);
    const isOutage = this.#failing.size >= MAX_FAILING_CLIENTS;
    if (isOutage) this.#pausedUntil = this.#options.clock.now() + PAUSE_MS;
    return throttling === 'unknown' && !isOutage ? this.#shortRefusal(key) : this.#unavailable(error);
  }

  async #decide(key: string, signal: AbortSignal): Promise<Decision> {
    const now = (): number => this.#options.clock.now();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const appended = await this.#window.append(key, now(), signal);
      if (appended) return this.#allowed(appended);
      const remembered = this.#remembered(key);
      if (remembered) return remembered;
      const full = await this.#window.read(key, signal);
      const time = now();
      const young = full.times.filter((other) => isYoung(other, time));
      if (young.length >= this.limit) {
        const end = Math.min(...young) + WINDOW_MS;
        return this.#refused(key, end, end);
      }
      if (full.times.length < this.limit) continue; // another request has replaced the list
      const replacement = { times: [...young, time], version: full.version };
      const replaced = await this.#window.replace(key, replacement, time, signal);
      if (replaced) return this.#allowed(replaced);
    }
    // Other requests of this client changed the list between each read and write of this one.
    return this.#shortRefusal(key);
  }

  #allowed(times: readonly number[]): Decision {
    const now = this.#options.clock.now();
    const young = times.filter((time) => isYoung(time, now));
    const resetAt = Math.min(now, ...young) + WINDOW_MS;
    return { allowed: true, remaining: Math.max(0, this.limit - young.length), resetAt };
  }

  #refused(key: string, resetAt: UnixMs, until: UnixMs): Decision {
    const decision = refusal(resetAt);
    this.#refusals.set(key, { decision, until });
    return decision;
  }

  /** For reasons other than the list: the client may be allowed again soon. */
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
   * A pseudonym: it keeps addresses out of the table and the log, and differs between tables. It is no secret, since
   * the name of the table is enough to try all IPv4 addresses. Items expire two minutes after the last request.
   */
  #keyOf(address: string): string {
    return hash('sha256', `${this.#options.table} ${address}`, 'hex').slice(0, 32);
  }
}

/** The SDK writes the field with a small letter in `ThrottlingException` only. */
interface Throttled extends Error {
  readonly ThrottlingReasons?: readonly ThrottlingReason[];
  readonly throttlingReasons?: readonly ThrottlingReason[];
}

/**
 * What DynamoDB throttles, by the limit that the error names in `ThrottlingReasons`. Only the client's own requests write
 * to its key. An error without reasons is `unknown`.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
 */
function throttlingOf(error: unknown): 'key' | 'table' | 'unknown' | undefined {
  if (!(error instanceof Error && THROTTLED.includes(error.name))) return undefined;
  const { ThrottlingReasons, throttlingReasons }: Throttled = error;
  const reasons = ThrottlingReasons ?? throttlingReasons ?? [];
  if (reasons.length === 0) return 'unknown';
  return reasons.every(({ reason }) => reason?.endsWith('KeyRangeThroughputExceeded')) ? 'key' : 'table';
}

function refusal(resetAt: UnixMs): Decision {
  return { allowed: false, remaining: 0, resetAt };
}

function isConnectionClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** A request exactly 60 s ago no longer counts. One in the future, by another container's clock, does. */
function isYoung(time: number, now: UnixMs): boolean {
  return time > now - WINDOW_MS;
}
