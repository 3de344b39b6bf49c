import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';
import { SingleFlight } from './single-flight.ts';

export interface LoadCacheOptions<V> {
  readonly clock: Clock;
  /** How long a value is kept, ms. */
  readonly keptMs: number;
  /** Most values held; the least recently used one makes room. */
  readonly maxEntries: number;
  /** Most that the values held may weigh together, in units of `sizeOf`; a heavier one is not held at all. */
  readonly maxSize: number;
  readonly sizeOf: (value: V) => number;
}

export interface Loaded<V> {
  readonly value: V;
  /** How much longer it is kept, ms: all the time for those who waited for the load itself. */
  readonly keptForMs: number;
}

/**
 * What was loaded a moment ago, in the memory of one container. One load a key at a time, shared by all who ask
 * meanwhile; a load that fails is told to all of them and not kept.
 */
export class LoadCache<V> {
  readonly #keptMs: number;
  readonly #held: LRUCache<string, { readonly value: V }>;
  readonly #loads = new SingleFlight<V>();

  constructor(options: LoadCacheOptions<V>) {
    const { clock, keptMs, maxEntries, maxSize, sizeOf } = options;
    this.#keptMs = keptMs;
    this.#held = new LRUCache({
      max: maxEntries,
      maxSize,
      sizeCalculation: ({ value }) => Math.max(1, sizeOf(value)),
      ttl: keptMs,
      // Wall time, read anew each time: a monotonic clock may stand still while Lambda has the container frozen.
      ttlResolution: 0,
      perf: { now: () => clock.now() },
    });
  }

  /** @throws whatever `load` throws */
  async get(key: string, load: () => Promise<V>): Promise<Loaded<V>> {
    const known = this.#held.get(key);
    if (known) {
      // A clock that was set back must not lengthen the time.
      return { value: known.value, keptForMs: Math.min(this.#held.getRemainingTTL(key), this.#keptMs) };
    }
    const value = await this.#loads.run(key, async () => {
      const loaded = await load();
      this.#held.set(key, { value: loaded });
      return loaded;
    });
    return { value, keptForMs: this.#keptMs };
  }
}
