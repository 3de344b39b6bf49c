/**
 * Stores the backfill: Polymarket's price histories of the time before our own samples begin. A
 * market's price changes start from these prices: those of 1 hour, 1 day, 7 and 30 days ago.
 */
import { baseline, CHANGE_WINDOWS_MS, type ChangeWindow } from '../../core/domain/change.ts';
import { lastJump, type PricePoint, withoutEmptyBooks } from '../../core/domain/price-history.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
  type UnixSeconds,
} from '../../core/domain/time.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import {
  decodeSeries,
  encodeSeries,
  type PriceSeries,
} from '../../io/snapshots/stored-histories.ts';
import type { StoredPrices } from '../../io/snapshots/stored-prices.ts';
import { thinHistory } from './thin-history.ts';

/**
 * The two histories of a market. `day`: the last day and a half, for the changes over an hour and a
 * day. `month`: the last month, for the longer ones.
 */
export type HistoryKind = 'day' | 'month';

const KINDS: readonly HistoryKind[] = ['day', 'month'];

/** The history in which each change starts. A window is the time over which a price changes. */
export const KIND_OF_WINDOW: Readonly<Record<ChangeWindow, HistoryKind>> = {
  oneHour: 'day',
  oneDay: 'day',
  sevenDay: 'month',
  thirtyDay: 'month',
};

/** The prices of a token in the span of a request to upstream. Both ends are included. */
export interface History {
  readonly from: UnixSeconds;
  readonly until: UnixSeconds;
  readonly points: readonly PricePoint[];
}

/** The price at the start of a window. */
export interface StartPrice {
  /** 0–1; null for an empty book, or where the history lacks points. */
  readonly price: number | null;
  /**
   * Whether the history has jumped since the window's start. Then `price` may be the middle of a
   * wide book, whose bid and ask are far apart.
   */
  readonly hasJumped: boolean;
}

/** A market in a container's memory, with its newest history of each kind. */
interface KnownMarket {
  day?: PriceSeries;
  month?: PriceSeries;
  /** When the list last had the market. */
  listedAt: UnixMs;
}

/** The partition of the table for each kind. */
const PARTITIONS = { day: 'BACKFILL_DAY', month: 'BACKFILL_MONTH' } as const;
/** A history is forgotten when its end has this age. By then, samples have replaced it. */
const MAX_AGE_MS = { day: 2 * DAY_MS, month: 31 * DAY_MS } as const;
/** An empty history is not requested again for this time. */
const EMPTY_TTL_MS = HOUR_MS;
/** A container forgets markets that left the list this long ago. Some leave it only briefly. */
const UNLISTED_TTL_MS = 6 * HOUR_MS;
/**
 * Another container may store an item this long after the time in its sort key, which is when its
 * run began to save. A run takes two minutes at most. So each `load` reads this time before the
 * last `load` again.
 */
const LATE_ITEM_MS = 10 * MINUTE_MS;

/**
 * The histories in memory and in the table. A run calls `load`, reads prices with `startPrice`, adds
 * missing histories with `recordHistory`, and ends with `save`. A market's key is `priceKey` of its
 * token. Failed reads and writes are logged; a broken item counts as absent.
 */
export class BackfillStore {
  readonly #stored: Pick<StoredPrices, 'query' | 'put'>;
  readonly #logger: Pick<Log, 'warn'>;
  readonly #markets = new Map<string, KnownMarket>();
  /** By kind and key: until when upstream's empty response counts. */
  readonly #emptyUntil = new Map<string, UnixMs>();
  /** Where the next `load` continues in each partition: a sort key, in Unix ms. */
  readonly #unreadFrom = { day: 0, month: 0 };
  readonly #loaded = new Set<HistoryKind>();
  readonly #unsaved: Record<HistoryKind, [string, PriceSeries][]> = { day: [], month: [] };

  constructor(stored: Pick<StoredPrices, 'query' | 'put'>, logger: Pick<Log, 'warn'>) {
    this.#stored = stored;
    this.#logger = logger;
  }

  /**
   * Reads the items that this container has not read yet, for listed markets. After the deadline,
   * the next call continues.
   *
   * @param listed keys of the newest snapshot's markets. Undefined without a snapshot: then it reads
   * all markets
   */
  async load(
    listed: ReadonlySet<string> | undefined,
    now: UnixMs,
    deadline: UnixMs,
  ): Promise<void> {
    for (const key of listed ?? []) this.#market(key, now).listedAt = now;
    // Markets that left the list a short time ago are still in memory, so they are read too.
    const isNeeded = (key: string): boolean => listed === undefined || this.#markets.has(key);
    try {
      for (const kind of KINDS) await this.#loadKind(kind, isNeeded, now, deadline);
    } catch (error) {
      this.#logger.warn('The refresher could not read the whole backfill', { error });
    }
    this.#forget(now);
  }

  /**
   * Whether this container has read all items of a kind once. Before, it is unknown which histories
   * are stored, so none is requested.
   */
  isLoaded(kind: HistoryKind): boolean {
    return this.#loaded.has(kind);
  }

  /**
   * The price at the start of a window.
   *
   * @param asOf end of the window
   * @returns undefined if the price is unknown
   */
  startPrice(key: string, window: ChangeWindow, asOf: UnixMs): StartPrice | undefined {
    const series = this.#seriesAtStart(key, window, asOf);
    const price = series && baseline(series.points, asOf, window);
    if (!series || price === undefined) return undefined;
    return { price, hasJumped: toUnixMs(series.jumpedAt) > asOf - CHANGE_WINDOWS_MS[window] };
  }

  /** True if upstream returned the price at the start of a window, or recently an empty history. */
  covers(key: string, window: ChangeWindow, asOf: UnixMs): boolean {
    const emptyUntil = this.#emptyUntil.get(`${KIND_OF_WINDOW[window]} ${key}`) ?? 0;
    return emptyUntil > asOf || this.#seriesAtStart(key, window, asOf) !== undefined;
  }

  /** Keeps a history that ends now, in memory and for the next `save`. */
  recordHistory(kind: HistoryKind, key: string, { from, until, points }: History): void {
    const inSpan = points.filter(({ t }) => t >= from && t <= until);
    if (inSpan.length === 0) {
      this.#emptyUntil.set(`${kind} ${key}`, toUnixMs(until) + EMPTY_TTL_MS);
      return;
    }
    const prices = withoutEmptyBooks(inSpan.toSorted((a, b) => a.t - b.t));
    const series = {
      from,
      until,
      // The older the points, the fewer are stored.
      points: thinHistory(prices, until),
      jumpedAt: lastJump(prices),
    };
    this.#market(key, toUnixMs(until))[kind] = series;
    this.#unsaved[kind].push([key, series]);
  }

  /**
   * Stores the histories that were recorded since the last call. If this fails, the next call tries
   * again.
   */
  async save(now: UnixMs, deadline: UnixMs): Promise<void> {
    for (const kind of KINDS) {
      const unsaved = this.#unsaved[kind].splice(0);
      try {
        // The number of the part keeps the sort keys apart.
        for (const [part, data] of encodeSeries(unsaved).entries()) {
          await this.#stored.put(PARTITIONS[kind], { n: now + part, data }, deadline);
        }
      } catch (error) {
        this.#unsaved[kind].unshift(...unsaved);
        this.#logger.warn('The refresher could not store the backfill', { error });
      }
    }
  }

  /**
   * Reads the oldest items first, so that the next call can continue after a deadline. The order
   * does not change the result, because the series with the latest end wins.
   */
  async #loadKind(
    kind: HistoryKind,
    isNeeded: (key: string) => boolean,
    now: UnixMs,
    deadline: UnixMs,
  ): Promise<void> {
    const from = this.#unreadFrom[kind];
    const completeUntil = now - LATE_ITEM_MS;
    for await (const { n, data } of this.#stored.query(PARTITIONS[kind], { from }, deadline)) {
      for (const [key, series] of this.#decode(n, data, isNeeded)) {
        const market = this.#market(key, now);
        if ((market[kind]?.until ?? 0) < series.until) market[kind] = series;
      }
      this.#unreadFrom[kind] = Math.min(n + 1, completeUntil);
    }
    this.#unreadFrom[kind] = completeUntil;
    this.#loaded.add(kind);
  }

  /** A market in memory. Adds it if it is new. */
  #market(key: string, listedAt: UnixMs): KnownMarket {
    const market = this.#markets.get(key) ?? { listedAt };
    this.#markets.set(key, market);
    return market;
  }

  /** The history of a market, if it contains the start of the window. */
  #seriesAtStart(key: string, window: ChangeWindow, asOf: UnixMs): PriceSeries | undefined {
    const start = toUnixSeconds(asOf - CHANGE_WINDOWS_MS[window]);
    const series = this.#markets.get(key)?.[KIND_OF_WINDOW[window]];
    return series && series.from <= start && start <= series.until ? series : undefined;
  }

  /** Forgets old histories, and markets that left the list. */
  #forget(now: UnixMs): void {
    for (const [key, market] of this.#markets) {
      for (const kind of KINDS) {
        const series = market[kind];
        if (series && toUnixMs(series.until) < now - MAX_AGE_MS[kind]) delete market[kind];
      }
      if (now - market.listedAt > UNLISTED_TTL_MS) this.#markets.delete(key);
    }
    for (const [key, until] of this.#emptyUntil) if (until <= now) this.#emptyUntil.delete(key);
  }

  #decode(
    n: number,
    data: Uint8Array,
    isNeeded: (key: string) => boolean,
  ): readonly (readonly [string, PriceSeries])[] {
    try {
      return decodeSeries(data, isNeeded);
    } catch (error) {
      this.#logger.warn('A stored backfill item is broken', { n, error });
      return [];
    }
  }
}
