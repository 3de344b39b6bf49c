import { LRUCache } from 'lru-cache';
import { LIVE_DEADLINE_MS } from '../contract/constants.ts';
import type { Clock } from './clock.ts';
import { SingleFlight } from './single-flight.ts';

export interface LoadCacheOptions<V> {
  readonly clock: Clock;
  /** How long a value is kept, ms from the beginning of its load. */
  readonly keptMs: number;
  /** Most values held; the least recently used one makes room. */
  readonly maxEntries: number;
  /** Most that the values held may weigh together, in units of `sizeOf`; a heavier one is not held at all. */
  readonly maxSize: number;
  readonly sizeOf: (value: V) => number;
}

export interface Loaded<V> {
  readonly value: V;
  /** How much longer it is kept, ms. */
  readonly keptForMs: number;
}

/** A value with the time at which its load began: upstream may have made it then. */
interface Dated<V> {
  readonly value: V;
  readonly startedAt: number;
}

/**
 * What was loaded a moment ago, in the memory of one container. One load a key at a time, shared by all who ask
 * meanwhile; a load that fails is told to all of them and not kept. Freshness counts from the beginning of a load, and
 * a load is joined only while what it brings can still be fresh (docs/adr/0006-faults.md).
 */
export class LoadCache<V> {
  readonly #clock: Clock;
  readonly #keptMs: number;
  readonly #held: LRUCache<string, Dated<V>>;
  readonly #loads: SingleFlight<Dated<V>>;

  constructor(options: LoadCacheOptions<V>) {
    const { clock, keptMs, maxEntries, maxSize, sizeOf } = options;
    this.#clock = clock;
    this.#keptMs = keptMs;
    this.#loads = new SingleFlight({ clock, joinableMs: Math.min(keptMs, LIVE_DEADLINE_MS) });
    this.#held = new LRUCache({
      max: maxEntries,
      maxSize,
      sizeCalculation: ({ value }) => Math.max(1, sizeOf(value)),
      // Wall time, read anew each time: a monotonic clock may stand still while Lambda has the container frozen.
      ttl: keptMs,
      ttlResolution: 0,
      perf: { now: () => clock.now() },
    });
  }

  /** @throws whatever `load` throws */
  async get(key: string, load: () => Promise<V>): Promise<Loaded<V>> {
    const known = this.#held.get(key);
    if (known) return { value: known.value, keptForMs: this.#keptFor(known.startedAt) };
    const { value, startedAt } = await this.#loads.run(key, async () => {
      const loaded: Dated<V> = { startedAt: this.#clock.now(), value: await load() };
      const keptForMs = this.#keptFor(loaded.startedAt);
      if (keptForMs > 0) this.#held.set(key, loaded, { ttl: keptForMs });
      return loaded;
    });
    return { value, keptForMs: this.#keptFor(startedAt) };
  }

  /** A clock that was set back must not lengthen the time. */
  #keptFor(startedAt: number): number {
    return Math.min(Math.max(0, startedAt + this.#keptMs - this.#clock.now()), this.#keptMs);
  }
}
