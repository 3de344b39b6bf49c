/** A crawl reads all open markets of the catalogue that belong in the list. */
import { paddedConditionId } from '../../core/domain/ids.ts';
import {
  byVolume,
  type CatalogueMarket,
  type CatalogueRecord,
  type Market,
} from '../../core/domain/market.ts';
import { hasPriceSignal } from '../../core/domain/price.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { Clock } from '../../io/platform/clock.ts';
import {
  type CataloguePage,
  type GammaCatalogue,
  MAX_CONDITION_IDS,
} from '../../io/polymarket/gamma-catalogue.ts';
import {
  type Band,
  type BandPlan,
  BandsIgnoredError,
  checkPage,
  ignoresOrder,
  lowerBound,
  MAX_BAND_PAGES,
  MAX_PLAIN_MARKETS,
} from './bands.ts';
import { type CatalogueCounts, countRecords, RefreshError, requireReadable } from './run-result.ts';
import { TIMEOUTS } from './timeouts.ts';

/** The crawl reads this many markets beyond the limit. They replace markets without a price. */
const SPARE_MARKETS = 50;
/** At most 800 markets are confirmed by id. A healthy crawl misses a few. */
const MAX_ID_CALLS = 20;

/** What the crawl reads from, and its limits. */
export interface CatalogueDependencies {
  readonly catalogue: Pick<GammaCatalogue, 'page' | 'recordsByIds'>;
  readonly bandPlan: BandPlan;
  readonly maxMarkets: number;
  readonly clock: Clock;
}

/** What a run knows of the catalogue after its crawl. */
export interface CatalogueReading {
  readonly asOf: UnixMs;
  /** When upstream made the oldest page. */
  readonly cataloguePricesAsOf: UnixMs;
  /** In list order. */
  readonly markets: readonly CatalogueMarket[];
  /** Markets of the previous snapshot that neither a page nor a response by id contains. */
  readonly unconfirmed: readonly Market[];
  /** Padded ids of the records of closed markets, and of those that cannot be traded. */
  readonly closed: ReadonlySet<string>;
  readonly counts: CatalogueCounts;
}

/**
 * Reads the catalogue in bands if the previous snapshot allows it, otherwise in sequence. Then
 * requests by id the markets of the previous snapshot that no page contained.
 *
 * @param previous in list order
 * @throws UpstreamError if a page cannot be read
 * @throws RefreshError if the pages are not the catalogue: unsorted, repeated, or unreadable
 */
export async function readCatalogue(
  deps: CatalogueDependencies,
  previous: readonly Market[],
  deadline: UnixMs,
): Promise<CatalogueReading> {
  const { catalogue, bandPlan, maxMarkets, clock } = deps;
  const asOf = clock.now();
  const volumes = previous.map(({ volume }) => volume);
  const bands = bandPlan.bands(volumes, maxMarkets, asOf);
  const inBands = bands.length > 0 ? await crawlBands(deps, bands, deadline) : undefined;
  const crawl = inBands ?? (await crawlPages(deps, deadline));
  if (crawl.records.length === 0) throw new RefreshError('The upstream lists no open market');
  requireReadable(crawl.records);
  if (crawl.markets.length === 0)
    throw new RefreshError('The catalogue holds no market that can be listed');
  const notSeen = previous.filter(({ id }) => !crawl.hasSeen(id));
  await confirmById(
    catalogue,
    crawl,
    notSeen,
    Math.min(deadline, clock.now() + TIMEOUTS.confirmTimeoutMs),
  );
  const unconfirmed = notSeen.filter(({ id }) => !crawl.hasSeen(id));
  const counts = {
    pages: crawl.pages,
    bands: inBands ? bands.length : 0,
    notSeen: notSeen.length,
    unconfirmed: unconfirmed.length,
    ...countRecords(crawl.records),
  };
  const cataloguePricesAsOf = Math.min(asOf, crawl.cataloguePricesAsOf);
  return {
    asOf,
    cataloguePricesAsOf,
    markets: crawl.markets.toSorted(byVolume),
    unconfirmed,
    closed: new Set(crawl.records.filter(isClosed).flatMap(({ id }) => id ?? [])),
    counts,
  };
}

/** Whether a record shows that its market has closed, or that it cannot be traded. */
function isClosed(record: CatalogueRecord): boolean {
  return (
    record.kind === 'inactive' || (record.kind === 'skipped' && record.reason === 'no_order_book')
  );
}

/**
 * The records of a crawl. Keeps each market once: upstream can return one on two pages, because
 * volumes change.
 */
class Crawl {
  readonly records: CatalogueRecord[] = [];
  readonly markets: CatalogueMarket[] = [];
  /**
   * Markets that will probably get a price: the catalogue has one. Most other markets turn out to
   * have none.
   */
  withPrice = 0;
  pages = 0;
  /** When upstream made the oldest page: its time, less its age in a cache. */
  cataloguePricesAsOf: UnixMs = Number.POSITIVE_INFINITY;
  readonly #seen = new Set<string>();

  hasSeen(conditionId: string): boolean {
    return this.#seen.has(paddedConditionId(conditionId));
  }

  /** Adds the records of a page, without those of markets that the crawl has seen. */
  take(records: readonly CatalogueRecord[], madeAt: UnixMs): void {
    const fresh: CatalogueRecord[] = [];
    for (const record of records) {
      if (record.id !== undefined && this.#seen.has(record.id)) continue;
      if (record.id !== undefined) this.#seen.add(record.id);
      fresh.push(record);
    }
    const markets = fresh.flatMap((record) => (record.kind === 'listable' ? [record.market] : []));
    this.records.push(...fresh);
    this.markets.push(...markets);
    this.withPrice += markets.filter(hasPriceSignal).length;
    this.cataloguePricesAsOf = Math.min(this.cataloguePricesAsOf, madeAt);
  }
}

/**
 * Yields the pages up to the last one. An empty page is the last one even if it has a cursor.
 *
 * @throws RefreshError after a page that leads back: its cursor is not new, or it has a cursor but
 * only repeats the records of earlier pages. The rest of the catalogue would be missing.
 */
async function* pagesFrom(
  read: (cursor: string | undefined) => Promise<CataloguePage>,
): AsyncGenerator<CataloguePage> {
  const cursors = new Set<string>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    yield page;
    cursor = page.records.length > 0 ? page.nextCursor : undefined;
    if (cursor === undefined) return;
    // Records without a readable id do not count.
    const ids = page.records.flatMap(({ id }) => id ?? []);
    const isRepeated = ids.length > 0 && ids.every((id) => seen.has(id));
    if (cursors.has(cursor) || isRepeated)
      throw new RefreshError('The pages of the catalogue lead back to earlier ones');
    cursors.add(cursor);
    for (const id of ids) seen.add(id);
  }
}

/**
 * Reads in sequence, highest volume first, until enough markets have a price. A catalogue without
 * prices ends the crawl after twice as many markets.
 */
async function crawlPages(
  { catalogue, maxMarkets }: CatalogueDependencies,
  deadline: UnixMs,
): Promise<Crawl> {
  const crawl = new Crawl();
  const enough = Math.min(maxMarkets, MAX_PLAIN_MARKETS) + SPARE_MARKETS;
  for await (const { records, madeAt } of pagesFrom((cursor) => catalogue.page(cursor, deadline))) {
    crawl.pages += 1;
    if (ignoresOrder(records, 'descending'))
      throw new RefreshError('The catalogue does not sort its markets by volume');
    crawl.take(records, madeAt);
    if (crawl.withPrice >= enough || crawl.markets.length >= 2 * enough) break;
  }
  return crawl;
}

/**
 * Reads all bands at once, lowest first: volumes only grow, so a market that moves during the crawl
 * mostly appears later, not never. After a failure no band reads another page.
 *
 * @returns undefined if the catalogue ignores the bounds or the order
 */
async function crawlBands(
  { catalogue, bandPlan, clock }: CatalogueDependencies,
  bands: readonly Band[],
  deadline: UnixMs,
): Promise<Crawl | undefined> {
  const crawl = new Crawl();
  const stop = new AbortController();
  const reads = bands.toReversed().map((band) => {
    const read = (cursor: string | undefined) => catalogue.page(cursor, deadline, lowerBound(band));
    return readBand(band, pagesFrom(read), crawl, stop);
  });
  try {
    await Promise.all(reads);
    return crawl;
  } catch (error) {
    if (!(error instanceof BandsIgnoredError)) throw error;
    bandPlan.ignored(clock.now());
    return undefined;
  }
}

/** Reads one band into a crawl. @param stop ends all bands after the failure of one */
async function readBand(
  band: Band,
  pages: AsyncIterable<CataloguePage>,
  crawl: Crawl,
  stop: AbortController,
): Promise<void> {
  let count = 0;
  try {
    for await (const page of pages) {
      crawl.pages += 1;
      count += 1;
      const { records, isLast } = checkPage(band, page.records);
      crawl.take(records, page.madeAt);
      if (isLast || count >= MAX_BAND_PAGES || stop.signal.aborted) return;
    }
  } catch (error) {
    stop.abort();
    throw error;
  }
}

/**
 * Requests markets by their ids, because a market can move between pages during a crawl. Each call
 * has ids of one protocol version. Never throws.
 */
async function confirmById(
  catalogue: Pick<GammaCatalogue, 'recordsByIds'>,
  crawl: Crawl,
  notSeen: readonly Market[],
  deadline: UnixMs,
): Promise<void> {
  const versions = [...Map.groupBy(notSeen, ({ protocolVersion }) => protocolVersion).values()];
  const batches = versions.flatMap((markets) => inGroups(markets, MAX_CONDITION_IDS));
  const calls = batches.slice(0, MAX_ID_CALLS);
  const confirm = async (markets: readonly Market[]): Promise<void> => {
    const ids = markets.map(({ id }) => id);
    const requested = new Set<string | undefined>(ids.map(paddedConditionId));
    const { records, madeAt } = await catalogue.recordsByIds(ids, deadline);
    // If a response contains other markets, upstream ignored the ids.
    if (records.every(({ id }) => requested.has(id))) crawl.take(records, madeAt);
  };
  await Promise.allSettled(calls.map(confirm));
}
