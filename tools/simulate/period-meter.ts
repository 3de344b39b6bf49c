import { POINTER_DUE_LOOK_SECONDS } from '../../lambda/contract/constants.ts';
import { CHANGE_WINDOWS, type ChangeWindow } from '../../lambda/domain/change.ts';
import type { SnapshotEntry } from '../../lambda/domain/snapshot.ts';
import type { MemoryTable } from '../../test/support/memory-table.ts';
import type { SimulatedUpstreams } from './simulated-upstreams.ts';

/** What a run has published. Times in ms. */
export interface Publication {
  readonly asOf: number;
  readonly publishedAt: number;
  readonly entries: readonly SnapshotEntry[];
}

/** What was seen from the first run to the end of a period. */
export interface Period {
  readonly name: string;
  readonly markets: number;
  readonly runs: number;
  readonly published: number;
  /** Seconds, as a reader sees them. */
  readonly greatestAge: number;
  readonly medianAge: number;
  /** Markets with a price and without a change, percent, at the end of the period. */
  readonly withoutChange: Readonly<Record<ChangeWindow, number>>;
  /** Changes within half a point of the truth, percent, in the last hour of the period; null where there was none. */
  readonly right: Readonly<Record<ChangeWindow, number | null>>;
  /** Calls for histories in all, and a full run in its second half. */
  readonly historyCalls: number;
  readonly historyCallsARun: number;
  /** Units a published snapshot in the second half of the period, of everything that is written. */
  readonly writeUnits: number;
}

/** Between two looks of a reader at the pointer when the next prices are due. */
const LOOK_MS = POINTER_DUE_LOOK_SECONDS * 1_000;
/** Ages are taken at so many moments between two publications. */
const MOMENTS = 6;
/** Points; and what binary fractions add. */
const RIGHT_WITHIN = 0.5 + 1e-6;
/** Full runs whose changes are held against the truth: an hour of them. */
const COMPARED = 30;
const WINDOWS = Object.keys(CHANGE_WINDOWS) as ChangeWindow[];
const FIELDS = {
  oneDay: 'oneDayPriceChange',
  sevenDay: 'sevenDayPriceChange',
  thirtyDay: 'thirtyDayPriceChange',
} as const;

/** Counts and compares while runs go by. */
export class PeriodMeter {
  readonly #upstreams: SimulatedUpstreams;
  readonly #table: MemoryTable;
  readonly #ages: number[] = [];
  readonly #callsAfterRun: number[] = [];
  readonly #unitsAfterRun: number[] = [];
  #runs = 0;
  #published = 0;
  #newest: Publication | undefined;
  #full: Publication[] = [];

  constructor(upstreams: SimulatedUpstreams, table: MemoryTable) {
    this.#upstreams = upstreams;
    this.#table = table;
  }

  run(kind: 'full' | 'prices', publication: Publication | undefined): void {
    this.#runs += 1;
    if (kind === 'full') this.#callsAfterRun.push(this.#upstreams.historyCalls);
    if (!publication) return;
    this.#published += 1;
    this.#unitsAfterRun.push(this.#table.writeUnits);
    if (this.#newest) this.#addAges(this.#newest, publication.publishedAt + LOOK_MS);
    this.#newest = publication;
    if (kind === 'full') this.#full = [...this.#full, publication].slice(-COMPARED);
  }

  period(name: string, markets: number): Period {
    const ages = this.#ages.toSorted((a, b) => a - b);
    const half = Math.floor(this.#callsAfterRun.length / 2);
    const calls = this.#upstreams.historyCalls - (this.#callsAfterRun[half] ?? 0);
    const entries = this.#newest?.entries ?? [];
    return {
      name,
      markets,
      runs: this.#runs,
      published: this.#published,
      greatestAge: rounded((ages.at(-1) ?? 0) / 1_000),
      medianAge: rounded((ages[ages.length >> 1] ?? 0) / 1_000),
      withoutChange: byWindow((window) => share(entries, (entry) => lacks(entry, window))),
      right: byWindow((window) => this.#right(window)),
      historyCalls: this.#upstreams.historyCalls,
      historyCallsARun: rounded(calls / Math.max(1, this.#callsAfterRun.length - half - 1)),
      writeUnits: this.#unitsASnapshot(),
    };
  }

  #unitsASnapshot(): number {
    const half = Math.floor(this.#unitsAfterRun.length / 2);
    const units = this.#table.writeUnits - (this.#unitsAfterRun[half] ?? 0);
    return rounded(units / Math.max(1, this.#unitsAfterRun.length - half - 1));
  }

  #addAges({ asOf, publishedAt }: Publication, until: number): void {
    for (let n = 0; n <= MOMENTS; n++) {
      this.#ages.push(publishedAt + ((until - publishedAt) * n) / MOMENTS - asOf);
    }
  }

  #right(window: ChangeWindow): number | null {
    let [right, all] = [0, 0];
    for (const { asOf, entries } of this.#full) {
      for (const { market, midpoint } of entries) {
        const change = market[FIELDS[window]];
        const then = this.#upstreams.truth(market.clobTokenId, asOf - CHANGE_WINDOWS[window] * 1_000);
        if (typeof change !== 'number' || midpoint === undefined || then === undefined) continue;
        all += 1;
        if (Math.abs(change - (midpoint - then) * 100) <= RIGHT_WITHIN) right += 1;
      }
    }
    return all === 0 ? null : rounded((100 * right) / all);
  }
}

function lacks({ market, midpoint }: SnapshotEntry, window: ChangeWindow): boolean {
  return midpoint !== undefined && typeof market[FIELDS[window]] !== 'number';
}

function share(entries: readonly SnapshotEntry[], matches: (entry: SnapshotEntry) => boolean): number {
  const priced = entries.filter(({ midpoint }) => midpoint !== undefined);
  return rounded((100 * priced.filter(matches).length) / Math.max(1, priced.length));
}

function byWindow<T>(of: (window: ChangeWindow) => T): Record<ChangeWindow, T> {
  return Object.fromEntries(WINDOWS.map((window) => [window, of(window)])) as Record<ChangeWindow, T>;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
