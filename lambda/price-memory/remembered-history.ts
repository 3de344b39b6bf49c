import type { PricePoint } from '../domain/change.ts';
import { INDEX_KEY, readIndex } from './memory-items.ts';
import type { MemoryStore } from './memory-store.ts';
import { priceKey } from './price-key.ts';
import type { Sample } from './sample.ts';
import { SampleStore } from './sample-store.ts';
import { SAMPLE_SECONDS, TICK_MS, tickOf } from './ticks.ts';

/** Points of a history at most. */
const MOST_POINTS = 48;
/** Samples looked at for one point: a stage that is refreshed less often has none in every tick. */
const TRIES = 4;
/** Ticks before this one that a run may still write. */
const UNSETTLED_TICKS = 3;
/** Samples held, of all tokens at once: of 50,000 markets they and their rosters take 32 MB. */
const SAMPLES_HELD = 64;
const MINUTE_MS = 60_000;

export interface RememberedHistoryOptions {
  readonly store: MemoryStore;
  readonly now: () => number;
  /** The YES token of a market by its other one. @default none is known */
  readonly yesTokenOf?: (token: string, deadline: number) => Promise<string | undefined>;
  /** Told of what went wrong; the history has no point there. */
  readonly onProblem?: (message: string, error: unknown) => void;
}

/**
 * The prices of one token as the price memory has them: of listed markets, at most a month back. It holds those of YES; the
 * other token of two has what is missing to one, as its order book is the mirror image of the first. Its
 * ticks lie on one grid for all callers, so that a container which has served one token has the samples for the next.
 */
export class RememberedHistory {
  readonly #options: RememberedHistoryOptions;
  readonly #samples: SampleStore;
  readonly #held = new Map<number, Promise<Sample | undefined>>();

  constructor(options: RememberedHistoryOptions) {
    this.#options = options;
    this.#samples = new SampleStore(options.store);
  }

  /**
   * Never rejects: what cannot be read is not there.
   *
   * @param seconds how far back
   * @param fidelity minutes between points at least, where that is more than a 48th of the time
   * @param deadline ms
   * @returns ascending, at most 48
   */
  async points(
    token: string,
    seconds: number,
    fidelity: number,
    deadline: number,
  ): Promise<readonly PricePoint[]> {
    const { store, now, onProblem } = this.#options;
    const asOf = now();
    try {
      const since = readIndex(await store.get(INDEX_KEY, deadline))?.since;
      if (since === undefined) return [];
      const from = Math.max(since, asOf - Math.min(seconds, SAMPLE_SECONDS) * 1_000);
      // A finer one leaves more points than there may be; a young memory then has all that it knows.
      const asked = fidelity * MINUTE_MS;
      const least = asked > (seconds * 1_000) / MOST_POINTS ? Math.floor(asked / TICK_MS) : 1;
      const grid = gridOf(from, asOf, least);
      const own = await this.#read(priceKey(token), grid, from, deadline);
      if (own.length > 0) return own;
      const yes = await this.#options.yesTokenOf?.(token, deadline);
      if (yes === undefined) return [];
      const opposite = await this.#read(priceKey(yes), grid, from, deadline);
      return opposite.map(({ t, p }) => ({ t, p: complement(p) }));
    } catch (error) {
      onProblem?.('The price memory cannot be read', error);
      return [];
    }
  }

  async #read(key: number, { ticks, step }: Grid, from: number, deadline: number): Promise<PricePoint[]> {
    const failures: unknown[] = [];
    const byTime = new Map<number, number>();
    await Promise.all(
      ticks.map(async (tick) => {
        try {
          const sample = await this.#newestAt(tick, Math.min(TRIES, step), deadline);
          const price = sample?.price(key);
          if (sample && price !== undefined && sample.at >= from) {
            byTime.set(Math.floor(sample.at / 1_000), price);
          }
        } catch (error) {
          failures.push(error);
        }
      }),
    );
    if (failures.length > 0) this.#options.onProblem?.('The price memory cannot be read', failures[0]);
    return [...byTime].map(([t, p]) => ({ t, p })).sort((a, b) => a.t - b.t);
  }

  async #newestAt(tick: number, tries: number, deadline: number): Promise<Sample | undefined> {
    for (let back = 0; back < tries; back++) {
      const sample = await this.#sample(tick - back, deadline);
      if (sample) return sample;
    }
    return undefined;
  }

  /** A sample does not change, and what is missing stays so: only the newest ticks are asked for again. */
  async #sample(tick: number, deadline: number): Promise<Sample | undefined> {
    const held = this.#held.get(tick);
    if (held !== undefined) return await held;
    const loading = this.#samples.read(tick, deadline);
    this.#held.set(tick, loading);
    const [oldest] = this.#held.keys();
    if (this.#held.size > SAMPLES_HELD && oldest !== undefined) this.#held.delete(oldest);
    try {
      const sample = await loading;
      if (!sample && tick > tickOf(this.#options.now()) - UNSETTLED_TICKS) this.#held.delete(tick);
      return sample;
    } catch (error) {
      this.#held.delete(tick);
      throw error;
    }
  }
}

/** Without what binary fractions add. */
function complement(price: number): number {
  return Number((1 - price).toFixed(6));
}

interface Grid {
  readonly ticks: readonly number[];
  /** Ticks between two of them. */
  readonly step: number;
}

/** The newest tick and those before it that a step divides: the least power of two that gives few enough, or `least`. */
function gridOf(from: number, until: number, least: number): Grid {
  const [first, last] = [tickOf(from), tickOf(until)];
  let step = 1;
  while ((last - first) / step > MOST_POINTS - 2) step *= 2;
  step = Math.max(step, least);
  const start = Math.ceil(first / step);
  const count = Math.max(0, Math.floor(last / step) - start + 1);
  const ticks = Array.from({ length: count }, (_, n) => (start + n) * step);
  return { ticks: [...new Set([...ticks, last])], step };
}
