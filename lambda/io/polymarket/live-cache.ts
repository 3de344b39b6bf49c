/** How parallel and repeated requests share the calls to the upstream (an API of Polymarket). */
import { LRUCache } from 'lru-cache';
import { SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import { LIVE_DEADLINE_MS } from './live-read.ts';

interface LiveCacheOptions<V> {
  readonly clock: Clock;
  /** How long a value may be used, from the start of its load. It can depend on the value. */
  readonly ttlMs: number | ((value: V) => number);
  /** The largest sum of all sizes. */
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
        const value = await this.#load(key, load);
        const ttl = typeof ttlMs === 'number' ? ttlMs : ttlMs(value);
        // With 0, the library would keep the value forever.
        options.ttl = Math.max(1, began + ttl - clock.now());
        return value;
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

  /** Loads a value, and remembers until then when the load began. */
  async #load(key: string, load: () => Promise<V>): Promise<V> {
    const began = this.#clock.now();
    this.#loading.set(key, began);
    try {
      return await load();
    } finally {
      // A newer load of the same key may have replaced this one.
      if (this.#loading.get(key) === began) this.#loading.delete(key);
    }
  }
}

/**
 * Makes a function that reads the value of one key. Its calls share one call of `read`: after
 * `load('a')` and `load('b')`, `read(['a', 'b'])` runs once. Calls must come in the same turn, before
 * `read` begins.
 *
 * @returns the function; it returns undefined for a key that `read` omits
 */
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
