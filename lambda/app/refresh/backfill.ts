import { baseline, CHANGE_WINDOWS, type ChangeWindow, type PricePoint } from '../../core/domain/change.ts';
import { at } from '../../core/domain/values.ts';
import { MAX_CHUNK_BYTES } from '../../io/platform/dynamodb.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import { decodeText, encodeText, KEY_CHARACTERS, type StoredPrices } from './stored-prices.ts';

/** The last day and a half for the 1-day change, or the month for the other changes. */
export type HistoryKind = 'day' | 'month';

/** The prices of one market in a span of time that the refresher has read. Times are Unix seconds. */
interface Stretch {
  readonly from: number;
  readonly until: number;
  /** Ascending, without points that repeat the price before them. */
  readonly points: readonly PricePoint[];
}

/** The newest stretch of each kind. `listedAt`: Unix seconds. */
type KnownMarket = { -readonly [K in HistoryKind]?: Stretch } & { listedAt: number };

/** A stretch in an item: from, until, the first time and the steps between times, prices in units of 0.00001. */
type StoredStretch = readonly [number, number, readonly number[], readonly number[]];

/** The sort keys that a container has not read yet, in Unix ms. `next`: where the range after this one begins. */
type UnreadRange = { from: number; to: number; next: number };

const HOUR = 3_600;
const DAY = 24 * HOUR;
const KINDS = ['day', 'month'] as const satisfies readonly HistoryKind[];
const KIND_OF = { oneDay: 'day', sevenDay: 'month', thirtyDay: 'month' } as const satisfies Record<
  ChangeWindow,
  HistoryKind
>;
const PARTITIONS = { day: 'BACKFILL_DAY', month: 'BACKFILL_MONTH' } as const;
/** Seconds after which samples replace a stretch. */
const MAX_AGE_SECONDS = { day: 2 * DAY, month: 31 * DAY } as const;
/** The steps of stored points by their age, in seconds. */
const STEPS = [
  { maxAge: 1.5 * DAY, step: HOUR / 4 },
  { maxAge: 7.5 * DAY, step: 2 * HOUR },
  { maxAge: Number.POSITIVE_INFINITY, step: 6 * HOUR },
] as const;
/** The finest change that a response shows is 0.001 percentage points. */
const PRICE_UNITS = 100_000;
/** The refresher does not request an empty history again for this time. */
const EMPTY_TTL_SECONDS = HOUR;
/** A container forgets markets that left the list this long ago. Some leave it for a moment only. */
const UNLISTED_TTL_SECONDS = 6 * HOUR;
/** Other containers can store an item this much later than its sort key: a run ends within two minutes. */
const LATE_ITEM_MS = 10 * 60_000;
const ALL_UNREAD: UnreadRange = { from: 0, to: Number.MAX_SAFE_INTEGER, next: 0 };

/**
 * Upstream's histories of times that the service's own samples do not cover. Each run stores the histories that it
 * read. It logs failed reads and writes. A broken item counts as absent.
 */
export class Backfill {
  readonly #stored: Pick<StoredPrices, 'query' | 'put'>;
  readonly #logger: Pick<Log, 'warn'>;
  readonly #markets = new Map<string, KnownMarket>();
  /** Until when a market counts as one without history, Unix seconds. */
  readonly #emptyUntil = new Map<string, number>();
  readonly #unread = { day: ALL_UNREAD, month: ALL_UNREAD };
  readonly #unsaved: Record<HistoryKind, [string, Stretch][]> = { day: [], month: [] };

  constructor(stored: Pick<StoredPrices, 'query' | 'put'>, logger: Pick<Log, 'warn'>) {
    this.#stored = stored;
    this.#logger = logger;
  }

  /**
   * Reads the items that this container has not read, newest first. If the deadline ends the read, the next call goes
   * on from there. Times are Unix ms.
   *
   * @param listed keys of the markets in the newest snapshot; undefined: all markets are of use
   */
  async load(listed: ReadonlySet<string> | undefined, now: number, deadline: number): Promise<void> {
    const seconds = Math.floor(now / 1_000);
    for (const key of listed ?? []) this.#market(key, seconds).listedAt = seconds;
    try {
      for (const kind of KINDS) await this.#loadKind(kind, listed, now, deadline);
    } catch (error) {
      this.#logger.warn('The refresher could not read the whole backfill', { error });
    }
    this.#forget(seconds);
  }

  /** Whether this container has read all items of a kind once. */
  isLoaded(kind: HistoryKind): boolean {
    return this.#unread[kind].from > 0;
  }

  /** The price at the start of a window, 0–1; undefined if unknown. @param asOf end of the window, Unix seconds */
  startPrice(key: string, window: ChangeWindow, asOf: number): number | undefined {
    const stretch = this.#covering(key, window, asOf);
    return stretch && baseline(stretch.points, asOf, window);
  }

  /** Whether upstream has returned the price at the start of a window, or lately an empty history. */
  covers(key: string, window: ChangeWindow, asOf: number): boolean {
    const emptyUntil = this.#emptyUntil.get(`${KIND_OF[window]} ${key}`) ?? 0;
    return emptyUntil > asOf || this.#covering(key, window, asOf) !== undefined;
  }

  /** Keeps a history of upstream. @param from first second of the request @param until its last second: now */
  recordHistory(kind: HistoryKind, key: string, from: number, until: number, history: readonly PricePoint[]): void {
    const inSpan = history.filter(({ t }) => t >= from && t <= until);
    if (inSpan.length === 0) {
      this.#emptyUntil.set(`${kind} ${key}`, until + EMPTY_TTL_SECONDS);
      return;
    }
    const stretch = { from, until, points: thinned(inSpan, until) };
    this.#market(key, until)[kind] = stretch;
    this.#unsaved[kind].push([key, stretch]);
  }

  /** Stores the histories since the last call. After a failure, the next call tries again. */
  async save(now: number, deadline: number): Promise<void> {
    for (const kind of KINDS) {
      const unsaved = this.#unsaved[kind].splice(0);
      try {
        for (const [part, data] of encodeItems(unsaved).entries()) {
          await this.#stored.put(PARTITIONS[kind], { n: now + part, data }, deadline);
        }
      } catch (error) {
        this.#unsaved[kind].unshift(...unsaved);
        this.#logger.warn('The refresher could not store the backfill', { error });
      }
    }
  }

  async #loadKind(kind: HistoryKind, listed: ReadonlySet<string> | undefined, now: number, deadline: number) {
    const { from, to, next } = this.#unread[kind];
    const isNew = to === Number.MAX_SAFE_INTEGER;
    const range = { from, to, next: isNew ? now - LATE_ITEM_MS : next };
    this.#unread[kind] = range;
    const isOfUse = (key: string): boolean => listed === undefined || this.#markets.has(key);
    const items = this.#stored.query(PARTITIONS[kind], { from, to, newestFirst: true }, deadline);
    for await (const { n, data } of items) {
      for (const [key, stretch] of this.#decode(n, data, isOfUse)) {
        const market = this.#market(key, Math.floor(now / 1_000));
        if ((market[kind]?.until ?? 0) < stretch.until) market[kind] = stretch;
      }
      range.to = n - 1;
    }
    this.#unread[kind] = { from: range.next, to: Number.MAX_SAFE_INTEGER, next: 0 };
  }

  #market(key: string, listedAt: number): KnownMarket {
    const market = this.#markets.get(key) ?? { listedAt };
    this.#markets.set(key, market);
    return market;
  }

  #covering(key: string, window: ChangeWindow, asOf: number): Stretch | undefined {
    const start = asOf - CHANGE_WINDOWS[window];
    const stretch = this.#markets.get(key)?.[KIND_OF[window]];
    return stretch && stretch.from <= start && start <= stretch.until ? stretch : undefined;
  }

  #forget(now: number): void {
    for (const [key, market] of this.#markets) {
      for (const kind of KINDS) {
        const stretch = market[kind];
        if (stretch && stretch.until < now - MAX_AGE_SECONDS[kind]) delete market[kind];
      }
      if (now - market.listedAt > UNLISTED_TTL_SECONDS) this.#markets.delete(key);
    }
    for (const [key, until] of this.#emptyUntil) if (until <= now) this.#emptyUntil.delete(key);
  }

  /** Parses only the stretches that are of use: most stored markets have closed. */
  #decode(n: number, data: Uint8Array, isOfUse: (key: string) => boolean): [string, Stretch][] {
    try {
      return decodeText(data)
        .split('\n')
        .filter((line) => isOfUse(line.slice(0, KEY_CHARACTERS)))
        .flatMap((line) => {
          const stretch = readStretch(JSON.parse(line.slice(KEY_CHARACTERS)));
          return stretch ? [[line.slice(0, KEY_CHARACTERS), stretch] satisfies [string, Stretch]] : [];
        });
    } catch (error) {
      this.#logger.warn('A stored backfill item is broken', { n, error });
      return [];
    }
  }
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

/** Items with a line for each stretch, each within the size limit of the table. */
function encodeItems(stretches: readonly (readonly [string, Stretch])[]): Buffer[] {
  if (stretches.length === 0) return [];
  const data = encodeText(stretches.map(encodeLine).join('\n'));
  if (data.length <= MAX_CHUNK_BYTES || stretches.length === 1) return [data];
  const half = Math.ceil(stretches.length / 2);
  return [...encodeItems(stretches.slice(0, half)), ...encodeItems(stretches.slice(half))];
}

function encodeLine([key, { from, until, points }]: readonly [string, Stretch]): string {
  const steps = points.map(({ t }, n) => t - (points[n - 1]?.t ?? 0));
  const stored: StoredStretch = [from, until, steps, points.map(({ p }) => Math.round(p * PRICE_UNITS))];
  return key + JSON.stringify(stored);
}

/** @returns undefined unless times ascend and prices lie between 0 and 1 */
function readStretch(value: unknown): Stretch | undefined {
  const [from = -1, until = -1, steps = [], units = []] = value as Partial<StoredStretch>;
  const numbers = [from, until, ...steps, ...units];
  const areNumbers = numbers.every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!areNumbers || steps.length !== units.length || units.some((price) => price > PRICE_UNITS)) return undefined;
  let t = 0;
  const points = units.map((price, n) => {
    t += at(steps, n);
    return { t, p: price / PRICE_UNITS };
  });
  return { from, until, points };
}
