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

/** A load under way. */
interface Load<V> {
  readonly began: UnixMs;
  readonly value: Promise<V>;
}

/**
 * A cache of recent values of upstream. Requests for one key share a load; errors are not cached.
 */
export class LiveCache<V extends object | string> {
  readonly #options: LiveCacheOptions<V>;
  readonly #cache: LRUCache<string, V>;
  /** The newest load of each key. */
  readonly #loads = new Map<string, Load<V>>();

  constructor(options: LiveCacheOptions<V>) {
    this.#options = options;
    this.#cache = new LRUCache({
      maxSize: options.maxSize,
      sizeCalculation: options.sizeOf,
      ttlResolution: 0,
      // The library's monotonic clock may stop while Lambda freezes the container.
      perf: options.clock,
    });
  }

  /** The cached value, or what `load` returns now. */
  async get(key: string, load: () => Promise<V>): Promise<V> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const began = this.#options.clock.now();
    const current = this.#loads.get(key);
    // Lambda may have frozen the container during an older load, so its value may be too old.
    if (current && began - current.began <= LIVE_DEADLINE_MS) return await current.value;
    const own = { began, value: load() };
    this.#loads.set(key, own);
    try {
      const value = await own.value;
      if (this.#loads.get(key) === own) this.#store(key, value, began);
      return value;
    } finally {
      // A newer load of the same key may have replaced this one.
      if (this.#loads.get(key) === own) this.#loads.delete(key);
    }
  }

  /** Whole seconds for which the value may still be used. */
  remainingSeconds(key: string): number {
    return Math.max(0, Math.floor(this.#cache.getRemainingTTL(key) / SECOND_MS));
  }

  #store(key: string, value: V, began: UnixMs): void {
    const { clock, ttlMs } = this.#options;
    const usableMs = typeof ttlMs === 'number' ? ttlMs : ttlMs(value);
    const ttl = began + usableMs - clock.now();
    // With 0, the library would keep the value forever.
    if (ttl > 0) this.#cache.set(key, value, { ttl });
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
