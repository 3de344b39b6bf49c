import { createHash } from 'node:crypto';
import { dataItem, isOfThisFormat, type MemoryIndex, rosterKey, sampleKey } from './memory-items.ts';
import type { MemoryStore } from './memory-store.ts';
import {
  decodeRoster,
  decodeSample,
  encodeRoster,
  encodeSample,
  type Roster,
  type Sample,
  strangers,
} from './sample.ts';
import { ROSTER_STRANGERS_SHARE, ROSTER_USE_MS, SAMPLE_SECONDS, tickOf } from './ticks.ts';

/** Six hours each, over all that is held of three windows. */
const ROSTERS_HELD = 24;

export type RosterInUse = NonNullable<MemoryIndex['roster']>;

/** Samples and rosters in the store. */
export class SampleStore {
  readonly #store: MemoryStore;
  readonly #rosters = new Map<string, Promise<Roster | undefined>>();

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  /** @returns undefined where there is none, or none that can be read. @throws whatever the store throws */
  async read(tick: number, deadline: number): Promise<Sample | undefined> {
    const item = await this.#store.get(sampleKey(tick), deadline);
    const { data, at, roster } = item ?? {};
    if (!isOfThisFormat(item) || !data?.B || !roster?.S) return undefined;
    const found = await this.#roster(roster.S, deadline);
    if (!found) return undefined;
    try {
      return decodeSample(Number(at?.N), found, data.B);
    } catch {
      return undefined; // what is broken stays so: as good as not there
    }
  }

  /**
   * Writes the prices of a moment under its tick.
   *
   * @param inUse the roster of the samples before
   * @returns the roster that it names
   */
  async write(
    at: number,
    prices: ReadonlyMap<number, number>,
    inUse: RosterInUse | undefined,
    deadline: number,
  ): Promise<RosterInUse> {
    const used =
      inUse && at - inUse.writtenAt < ROSTER_USE_MS ? await this.#roster(inUse.id, deadline) : undefined;
    const does = used && strangers(used, prices) <= ROSTER_STRANGERS_SHARE * used.keys.length;
    const { roster, reference } =
      does && inUse ? { roster: used, reference: inUse } : await this.#newRoster(at, prices, deadline);
    const more = { at: { N: String(at) }, roster: { S: roster.id } };
    const data = encodeSample(roster, prices);
    await this.#store.put(dataItem(sampleKey(tickOf(at)), data, at / 1_000 + SAMPLE_SECONDS, more), deadline);
    return reference;
  }

  async #newRoster(at: number, prices: ReadonlyMap<number, number>, deadline: number) {
    const keys = Float64Array.from(prices.keys()).sort();
    const data = encodeRoster(keys);
    const id = createHash('sha256').update(data).digest('hex').slice(0, 16);
    const roster: Roster = { id, keys };
    const expiresAt = (at + 2 * ROSTER_USE_MS) / 1_000 + SAMPLE_SECONDS;
    await this.#store.put(dataItem(rosterKey(id), data, expiresAt), deadline);
    this.#hold(id, Promise.resolve(roster));
    return { roster, reference: { id, writtenAt: at } };
  }

  async #roster(id: string, deadline: number): Promise<Roster | undefined> {
    const held = this.#rosters.get(id);
    if (held !== undefined) return await held;
    const loading = this.#load(id, deadline);
    this.#hold(id, loading);
    try {
      return await loading;
    } catch (error) {
      this.#rosters.delete(id);
      throw error;
    }
  }

  async #load(id: string, deadline: number): Promise<Roster | undefined> {
    const item = await this.#store.get(rosterKey(id), deadline);
    if (!isOfThisFormat(item) || !item.data?.B) return undefined;
    try {
      return decodeRoster(id, item.data.B);
    } catch {
      return undefined;
    }
  }

  #hold(id: string, roster: Promise<Roster | undefined>): void {
    this.#rosters.set(id, roster);
    const [oldest] = this.#rosters.keys();
    if (this.#rosters.size > ROSTERS_HELD && oldest !== undefined) this.#rosters.delete(oldest);
  }
}
