import { baseline, CHANGE_WINDOWS, type ChangeWindow, type PricePoint } from '../domain/change.ts';
import { MAX_CHUNK_BYTES } from '../platform/dynamodb.ts';
import type { Log } from '../platform/telemetry.ts';
import { decodePrices, encodePrices, type StoredPrices } from './stored-prices.ts';

/** The prices of one market over a span of time that the upstream was requested for. Times are Unix seconds. */
interface Stretch {
  readonly from: number;
  readonly until: number;
  /** Ascending. Points that repeat the price before them are left out. */
  readonly points: readonly PricePoint[];
}

/** What a container keeps of a market, and when a run last read it, in Unix seconds. */
type KnownMarket = { stretches: readonly Stretch[]; usedAt: number };

/** A stretch in an item: key, from, until, the first time and the steps between times, prices in units of 0.00001. */
type StoredStretch = readonly [string, number, number, readonly number[], readonly number[]];

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** The steps of the points that are kept, by their age when they are recorded. */
const STEPS = [
  { maxAge: 1.5 * DAY, step: HOUR / 4 },
  { maxAge: 7.5 * DAY, step: 2 * HOUR },
  { maxAge: Number.POSITIVE_INFINITY, step: 6 * HOUR },
] as const;
/** The finest change that a response shows is 0.001 percentage points. */
const PRICE_UNITS = 100_000;
/** How long an empty history is not requested again. */
const EMPTY_TTL_SECONDS = HOUR;
/** Older prices are forgotten: the longest window has 30 days. */
const MAX_AGE_SECONDS = 31 * DAY;
/** Markets that no run has read for this long are forgotten: they are not listed any more, or samples cover them. */
const UNUSED_TTL_SECONDS = 6 * HOUR;
/** Other containers may store an item this much later than its sort key says: a run ends within two minutes. */
const LATE_ITEM_MS = 10 * 60_000;

/**
 * Histories from the upstream for times that the service's own samples do not cover. Each run stores the histories that
 * it read as items of its own. Failed reads and writes are logged; an item that cannot be read counts as absent.
 */
export class Backfill {
  readonly #stored: Pick<StoredPrices, 'query' | 'put'>;
  readonly #logger: Pick<Log, 'warn'>;
  readonly #markets = new Map<string, KnownMarket>();
  /** Until when, Unix seconds, a market counts as one without history. */
  readonly #emptyUntil = new Map<string, number>();
  #unsaved: [string, Stretch][] = [];
  /** Unix seconds. */
  #loadedAt = 0;
  /** The sort key from which the table may have items that this container has not read, and those that it has. */
  #from = 0;
  readonly #readItems = new Set<number>();

  constructor(stored: Pick<StoredPrices, 'query' | 'put'>, logger: Pick<Log, 'warn'>) {
    this.#stored = stored;
    this.#logger = logger;
  }

  /**
   * Reads all items at first, then those that other containers have stored since. After the deadline it keeps what it
   * has, and the next call goes on from there.
   *
   * @param now Unix ms @param deadline Unix ms
   */
  async load(now: number, deadline: number): Promise<void> {
    const seconds = Math.floor(now / 1_000);
    const from = now - LATE_ITEM_MS;
    try {
      for await (const { n, data } of this.#stored.query('BACKFILL', { from: this.#from }, deadline)) {
        const entries = this.#readItems.has(n) ? [] : this.#decode(n, data);
        for (const [key, stretch] of entries) this.#add(key, stretch, seconds);
        this.#readItems.add(n);
        this.#from = Math.min(n, from);
      }
      this.#from = from;
    } catch (error) {
      this.#logger.warn('The backfill could not be read to its end', { error });
    }
    this.#forget(seconds);
  }

  /** The price at the start of a window, 0–1; undefined when it is unknown. @param asOf end of the window, Unix seconds */
  startPrice(key: string, window: ChangeWindow, asOf: number): number | undefined {
    const stretch = this.#covering(key, asOf - CHANGE_WINDOWS[window], asOf);
    return stretch && baseline(stretch.points, asOf, window);
  }

  /** Whether the upstream has given the history at a time, or has lately said that there is none. Unix seconds. */
  covers(key: string, time: number, now: number): boolean {
    return this.#covering(key, time, now) !== undefined || (this.#emptyUntil.get(emptyKey(key, time, now)) ?? 0) > now;
  }

  /**
   * Keeps a history that the upstream gave.
   *
   * @param from first second of the request @param until its last second
   */
  recordHistory(key: string, from: number, until: number, history: readonly PricePoint[], now: number): void {
    const inSpan = history.filter(({ t }) => t >= from && t <= until);
    if (inSpan.length === 0) {
      this.#emptyUntil.set(emptyKey(key, from, now), now + EMPTY_TTL_SECONDS);
      return;
    }
    const stretch = { from, until, points: thinned(inSpan, now) };
    this.#add(key, stretch, now);
    this.#unsaved.push([key, stretch]);
  }

  /** Stores what was recorded since the last call. What could not be stored is tried again by the next call. */
  async save(now: number, deadline: number): Promise<void> {
    const unsaved = this.#unsaved;
    this.#unsaved = [];
    try {
      for (const [part, data] of encodeItems(unsaved).entries()) {
        await this.#stored.put('BACKFILL', { n: now + part, data }, deadline);
        this.#readItems.add(now + part);
      }
    } catch (error) {
      this.#unsaved = [...unsaved, ...this.#unsaved];
      this.#logger.warn('The backfill could not be stored', { error });
    }
  }

  #covering(key: string, time: number, now: number): Stretch | undefined {
    const market = this.#markets.get(key);
    if (market) market.usedAt = now;
    return market?.stretches.find(({ from, until }) => from <= time && time <= until);
  }

  /** Stretches that touch or overlap become one, so that stretches of a market never overlap. */
  #add(key: string, added: Stretch, usedAt: number): void {
    const { stretches = [] } = this.#markets.get(key) ?? {};
    const touches = ({ from, until }: Stretch) => from <= added.until && until >= added.from;
    const joined = stretches.filter(touches).reduce(join, added);
    this.#markets.set(key, { stretches: [...stretches.filter((stretch) => !touches(stretch)), joined], usedAt });
  }

  #forget(now: number): void {
    const oldest = now - MAX_AGE_SECONDS;
    for (const [key, market] of this.#markets) {
      market.stretches = market.stretches
        .filter(({ until }) => until >= oldest)
        .map((stretch) => since(oldest, stretch));
      // Compared with the last run, so that a pause without any run is not a reason.
      const isUnused = this.#loadedAt - market.usedAt > UNUSED_TTL_SECONDS;
      if (market.stretches.length === 0 || isUnused) this.#markets.delete(key);
    }
    this.#loadedAt = now;
    for (const [key, until] of this.#emptyUntil) if (until <= now) this.#emptyUntil.delete(key);
    for (const n of this.#readItems) if (n < this.#from) this.#readItems.delete(n);
  }

  #decode(n: number, data: Uint8Array): [string, Stretch][] {
    try {
      return (decodePrices(data) as readonly Partial<StoredStretch>[]).flatMap(readStretch);
    } catch (error) {
      this.#logger.warn('A stored backfill item is broken', { n, error });
      return [];
    }
  }
}

/** The day and the month are separate requests: if one is empty, the other can still have prices. */
function emptyKey(key: string, time: number, now: number): string {
  return `${key} ${now - time <= STEPS[0].maxAge ? 'day' : 'month'}`;
}

/** A stretch without its points before a time, except the last of them: its price is the one at that time. */
function since(time: number, stretch: Stretch): Stretch {
  if (stretch.from >= time) return stretch;
  const first = Math.max(
    0,
    stretch.points.findLastIndex(({ t }) => t <= time),
  );
  return { ...stretch, from: time, points: stretch.points.slice(first) };
}

function join(a: Stretch, b: Stretch): Stretch {
  const byTime = new Map([...b.points, ...a.points].map((point) => [point.t, point]));
  return {
    from: Math.min(a.from, b.from),
    until: Math.max(a.until, b.until),
    points: [...byTime.values()].sort((one, other) => one.t - other.t),
  };
}

/** The last point of each step, without those that repeat the price before them. */
function thinned(history: readonly PricePoint[], now: number): PricePoint[] {
  const cellOf = ({ t }: PricePoint): string => {
    const { step } = STEPS.find(({ maxAge }) => now - t <= maxAge) ?? STEPS[2];
    return `${step} ${Math.floor(t / step)}`;
  };
  const sorted = history.toSorted((a, b) => a.t - b.t);
  return [...new Map(sorted.map((point) => [cellOf(point), point])).values()]
    .map(({ t, p }) => ({ t, p: Math.round(p * PRICE_UNITS) / PRICE_UNITS }))
    .filter(({ p }, n, all) => n === 0 || all[n - 1]?.p !== p);
}

/** One item, or as many as keep each within the limit of an item. */
function encodeItems(stretches: readonly (readonly [string, Stretch])[]): Buffer[] {
  if (stretches.length === 0) return [];
  const data = encodePrices(stretches.map(storedForm));
  if (data.length <= MAX_CHUNK_BYTES || stretches.length === 1) return [data];
  const half = Math.ceil(stretches.length / 2);
  return [...encodeItems(stretches.slice(0, half)), ...encodeItems(stretches.slice(half))];
}

function storedForm([key, { from, until, points }]: readonly [string, Stretch]): StoredStretch {
  const steps = points.map(({ t }, n) => t - (points[n - 1]?.t ?? 0));
  return [key, from, until, steps, points.map(({ p }) => Math.round(p * PRICE_UNITS))];
}

/** @returns nothing when the value is not a stretch whose times ascend and whose prices lie between 0 and 1 */
function readStretch([key, from, until, steps, units]: Partial<StoredStretch>): [string, Stretch][] {
  const lists = [[from, until], steps, units];
  const areNumbers = lists.every(
    (list) => Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && Number(n) >= 0),
  );
  if (!key || !areNumbers || steps?.length !== units?.length || units?.some((price) => price > PRICE_UNITS)) return [];
  let t = 0;
  const points = (steps ?? []).map((step, n) => {
    t += step;
    return { t, p: (units?.[n] ?? 0) / PRICE_UNITS };
  });
  return [[key, { from: from ?? 0, until: until ?? 0, points }]];
}
