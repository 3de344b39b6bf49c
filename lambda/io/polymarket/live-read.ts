import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../core/domain/service-error.ts';
import { SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

/** The time that a read may take, with retries. Callers get their response within 5 s. */
export const LIVE_DEADLINE_MS = 4_000;

/**
 * Reads from upstream while a caller waits.
 *
 * @param what the name of the data, for the error message
 * @throws ServiceError for every UpstreamError: `upstream_busy` (503) if our own limits refuse the
 * call, else `upstream_unavailable` (502)
 */
export type LiveRead = <T>(what: string, read: (deadline: UnixMs) => Promise<T>) => Promise<T>;

/** The `Retry-After` of an error that names no time: upstream's limits count the last 10 s. */
const RETRY_AFTER_MS = 10_000;
/** The service never tells a caller to wait longer, even if upstream asks for more. */
const MAX_RETRY_AFTER_SECONDS = 60;
/** The `Retry-After` of other failures. Each request makes new calls, so the next can succeed. */
const FAILED_RETRY_SECONDS = 5;

/** Gives each read `LIVE_DEADLINE_MS`, and turns errors of upstream into those for callers. */
export function liveRead(clock: Clock): LiveRead {
  return async (what, read) => {
    try {
      return await read(clock.now() + LIVE_DEADLINE_MS);
    } catch (error) {
      throw error instanceof UpstreamError ? unavailable(what, error) : error;
    }
  };
}

function unavailable(what: string, cause: UpstreamError): ServiceError {
  if (cause.isRateLimited) {
    const seconds = Math.ceil((cause.retryAfterMs ?? RETRY_AFTER_MS) / SECOND_MS);
    const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_AFTER_SECONDS);
    const advice = `Try again in ${retryAfterSeconds} seconds.`;
    if (cause.failure === 'rate_limited') {
      const message = `This service makes no more calls to the upstream at the moment. ${advice}`;
      return new ServiceError('upstream_busy', message, { cause, retryAfterSeconds });
    }
    const message = `The upstream accepts no more requests at the moment. ${advice}`;
    return new ServiceError('upstream_unavailable', message, { cause, retryAfterSeconds });
  }
  const problem =
    cause.failure === 'timeout'
      ? `did not return the ${what} in time`
      : `returned no usable ${what}`;
  const message = `The upstream ${problem}. Try again in ${FAILED_RETRY_SECONDS} seconds.`;
  return new ServiceError('upstream_unavailable', message, {
    cause,
    retryAfterSeconds: FAILED_RETRY_SECONDS,
  });
}

interface LiveCacheOptions<V> {
  readonly clock: Clock;
  /** Counts from the start of the load. */
  readonly ttlMs: number | ((value: V) => number);
  /** The sum of all sizes. */
  readonly maxSize: number;
  readonly sizeOf: (value: V) => number;
}

/**
 * A cache of recent values of upstream. Requests for one key share a load; errors are not cached.
 */
export class LiveCache<V extends object | string> {
  readonly #clock: Clock;
  readonly #cache: LRUCache<string, V, () => Promise<V>>;
  /** When each load under way began. */
  readonly #loading = new Map<string, UnixMs>();

  constructor({ clock, ttlMs, maxSize, sizeOf }: LiveCacheOptions<V>) {
    this.#clock = clock;
    this.#cache = new LRUCache({
      maxSize,
      sizeCalculation: sizeOf,
      // Required by the library; `fetchMethod` sets each entry's own.
      ttl: 1,
      ttlResolution: 0,
      // A monotonic clock may stop while Lambda freezes the container.
      perf: clock,
      fetchMethod: async (key, _stale, { options, context: load }) => {
        const began = clock.now();
        this.#loading.set(key, began);
        try {
          const value = await load();
          const ttl = typeof ttlMs === 'number' ? ttlMs : ttlMs(value);
          // With 0, the library would keep the value forever.
          options.ttl = Math.max(1, began + ttl - clock.now());
          return value;
        } finally {
          if (this.#loading.get(key) === began) this.#loading.delete(key);
        }
      },
      // A load that the cache drops still gives its requests their value.
      ignoreFetchAbort: true,
    });
  }

  /** The cached value, or what `load` returns now. */
  async get(key: string, load: () => Promise<V>): Promise<V> {
    // Lambda may have frozen the container during the load, so its value may be too old.
    const began = this.#loading.get(key);
    if (began !== undefined && this.#clock.now() - began > LIVE_DEADLINE_MS)
      this.#cache.delete(key);
    // The value is undefined if another request deleted the load.
    return (await this.#cache.fetch(key, { context: load })) ?? (await load());
  }

  /** Whole seconds for which the value may still be used. */
  remainingSeconds(key: string): number {
    return Math.max(0, Math.floor(this.#cache.getRemainingTTL(key) / SECOND_MS));
  }
}

/** Gathers keys: one call of `read` serves all keys that arrive before it begins. */
export function readTogether<V>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  const keys: string[] = [];
  let reading: Promise<ReadonlyMap<string, V>> | undefined;
  return async (key) => {
    keys.push(key);
    reading ??= Promise.resolve().then(() => read(keys));
    return (await reading).get(key);
  };
}
