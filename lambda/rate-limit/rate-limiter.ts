import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { ClientKeys } from './client-key.ts';
import { momentOf } from './dynamodb-items.ts';
import type { Recorded, RequestLog } from './request-log.ts';
import { type RateLimitResult, slidingWindow, WINDOW_MS } from './sliding-window.ts';

/** Limits the requests of each address. */
export interface RateLimiter {
  /** Requests in any 60 s. */
  readonly limit: number;
  /** A refusal that this container remembers; needs no table. */
  cachedRefusal(address: string): RateLimitResult | undefined;
  /** Counts a request. Undefined when the count cannot be had in time. Never rejects. */
  check(address: string): Promise<RateLimitResult | undefined>;
}

export interface RateLimiterOptions {
  readonly limit: number;
  readonly keys: ClientKeys;
  readonly log: RequestLog;
  readonly clock: Clock;
  /** Told of each request that could not be counted or taken back. */
  readonly onUnavailable: (error: unknown) => void;
  /** Told of each refusal; `cached`: without asking the table. */
  readonly onRefused: (clientKey: string, cached: boolean) => void;
}

/** Time the table has before a request is served uncounted (design 2.5). */
const BUDGET_MS = 500;
/** Refused clients held in memory; the one asked for least recently is forgotten first, and asks the table again. */
const REFUSED_HELD = 10_000;
/** The longest a refusal is repeated without asking: an entry may have been taken back that another refusal saw. */
const CACHED_MS = 5_000;
/** Entries this much older than the window are useless whatever the clocks of the containers say. */
const USELESS_AGE_MS = WINDOW_MS + 5_000;
/** Useless entries are erased this many at once: one request in twenty needs a second write, not every one. */
const ERASED_AT_ONCE = 20;

/**
 * The per-IP limit over all containers: a request is put into its client's log, judged by what was there before it,
 * and taken out again when it is refused, so that only requests that were served count.
 */
export class DynamoDbRateLimiter implements RateLimiter {
  readonly limit: number;
  readonly #options: RateLimiterOptions;
  readonly #refused = new LRUCache<string, RateLimitResult & { readonly until: number }>({
    max: REFUSED_HELD,
  });

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.limit = options.limit;
  }

  /**
   * Makes ready while the container starts, where Lambda lends a full CPU: the key is there then, and a connection to
   * the table. A failure is met again by the first request. Never rejects.
   */
  async prepare(): Promise<void> {
    const { keys, clock } = this.#options;
    await withTimeout(clock, BUDGET_MS, () => keys.load()).catch(() => undefined);
  }

  cachedRefusal(address: string): RateLimitResult | undefined {
    const { keys, clock, onRefused } = this.#options;
    const key = keys.knownKeyOf(address);
    const cached = key === undefined ? undefined : this.#refused.get(key);
    if (key === undefined || cached === undefined || clock.now() >= cached.until) return undefined;
    onRefused(key, true);
    return cached;
  }

  async check(address: string): Promise<RateLimitResult | undefined> {
    const { keys, log, clock, onUnavailable, onRefused } = this.#options;
    const deadline = clock.now() + BUDGET_MS;
    try {
      const { key, moment, recorded } = await withTimeout(clock, BUDGET_MS, async (signal) => {
        const key = await keys.keyOf(address);
        const moment = clock.now();
        return { key, moment, recorded: await log.record(key, moment, signal) };
      });
      const result = slidingWindow(this.limit, moment, recorded.others.map(momentOf));
      if (!result.allowed) {
        this.#refused.set(key, { ...result, until: Math.min(result.resetAt, moment + CACHED_MS) });
        onRefused(key, false);
      }
      await this.#erase(key, toErase(recorded, result, moment), deadline);
      return result;
    } catch (error) {
      // Whatever it is: a limit that cannot be kept must not take the service down with it.
      onUnavailable(error);
      return undefined;
    }
  }

  /** What stays in the log by a failure counts until it is old: the limit is kept all the same. */
  async #erase(key: string, entries: readonly Uint8Array[], deadline: number): Promise<void> {
    const { log, clock, onUnavailable } = this.#options;
    if (entries.length === 0) return;
    try {
      await withTimeout(clock, Math.max(0, deadline - clock.now()), (signal) =>
        log.erase(key, entries, signal),
      );
    } catch (error) {
      onUnavailable(error);
    }
  }
}

function toErase({ entry, others }: Recorded, result: RateLimitResult, now: number): readonly Uint8Array[] {
  const useless = others.filter((other) => momentOf(other) <= now - USELESS_AGE_MS);
  return [...(useless.length < ERASED_AT_ONCE ? [] : useless), ...(result.allowed ? [] : [entry])];
}
