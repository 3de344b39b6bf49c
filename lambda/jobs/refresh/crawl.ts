/**
 * A crawl reads the open markets of Polymarket's catalogue (Gamma), page by page, highest volume
 * first or in bands: ranges of volume that are read at the same time.
 */
import { paddedConditionId } from '../../core/domain/ids.ts';
import type { CatalogueMarket, CatalogueRecord } from '../../core/domain/market.ts';
import { hasPriceSignal } from '../../core/domain/price.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import type { Clock } from '../../io/platform/clock.ts';
import type { CataloguePage, GammaCatalogue } from '../../io/polymarket/gamma-catalogue.ts';
import {
  type Band,
  type BandPlan,
  BandsIgnoredError,
  checkPage,
  ignoresOrder,
  lowerBound,
  MAX_PLAIN_MARKETS,
} from './bands.ts';
import { RefreshError } from './run-result.ts';

/** The crawl reads this many markets beyond the limit. They replace markets without a price. */
const SPARE_MARKETS = 50;
/** A run reads at most this many pages of one band: one after the other, they take 66 s. */
const MAX_BAND_PAGES = 60;

/** What the crawl uses. */
export interface CatalogueDependencies {
  readonly catalogue: Pick<GammaCatalogue, 'page' | 'recordsByIds'>;
  readonly bandPlan: BandPlan;
  /** The length of a full list. */
  readonly maxMarkets: number;
  readonly clock: Clock;
}

/**
 * What a crawl has read so far. Keeps each market once: upstream can return one on two pages,
 * because volumes change.
 */
export class Crawl {
  /** The markets of the catalogue as upstream has them, even those that cannot be listed. */
  readonly records: CatalogueRecord[] = [];
  /** The markets that can be listed. */
  readonly markets: CatalogueMarket[] = [];
  /**
   * Markets that will probably get a price: the catalogue has one. Most other markets turn out to
   * have none.
   */
  withPrice = 0;
  pages = 0;
  /** The bands that were read at once; 0 if the crawl read in sequence. */
  bands = 0;
  /** When upstream made the oldest page: its time, less its age in a cache. */
  cataloguePricesAsOf: UnixMs = Number.POSITIVE_INFINITY;
  readonly #seen = new Set<string>();

  hasSeen(conditionId: string): boolean {
    return this.#seen.has(paddedConditionId(conditionId));
  }

  /** Adds the records of a page, without those of markets that the crawl has seen. */
  add(records: readonly CatalogueRecord[], madeAt: UnixMs): void {
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
 * Reads the catalogue in bands if the previous snapshot allows it, otherwise in sequence.
 *
 * @param volumes of the previous snapshot, descending
 * @throws UpstreamError if a page cannot be read
 * @throws RefreshError if the pages are unsorted or repeated
 */
export async function crawlCatalogue(
  deps: CatalogueDependencies,
  volumes: readonly number[],
  deadline: UnixMs,
): Promise<Crawl> {
  const bands = deps.bandPlan.bands(volumes, deps.maxMarkets, deps.clock.now());
  if (bands.length === 0) return await crawlPages(deps, deadline);
  try {
    return await crawlBands(deps, bands, deadline);
  } catch (error) {
    if (!(error instanceof BandsIgnoredError)) throw error;
    deps.bandPlan.ignored(deps.clock.now());
    return await crawlPages(deps, deadline);
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
  const needed = Math.min(maxMarkets, MAX_PLAIN_MARKETS) + SPARE_MARKETS;
  for await (const { records, madeAt } of pagesFrom((cursor) => catalogue.page(cursor, deadline))) {
    crawl.pages += 1;
    if (ignoresOrder(records, 'descending'))
      throw new RefreshError('The catalogue does not sort its markets by volume');
    crawl.add(records, madeAt);
    if (crawl.withPrice >= needed || crawl.markets.length >= 2 * needed) break;
  }
  return crawl;
}

/**
 * Reads all bands at once, lowest first: volumes only grow, so a market that moves during the crawl
 * mostly appears later, not never. After a failure no band reads another page.
 *
 * @throws BandsIgnoredError if the catalogue ignores the bounds or the order
 */
async function crawlBands(
  { catalogue }: CatalogueDependencies,
  bands: readonly Band[],
  deadline: UnixMs,
): Promise<Crawl> {
  const crawl = new Crawl();
  crawl.bands = bands.length;
  const stop = new AbortController();
  const reads = bands.toReversed().map((band) => {
    const read = (cursor: string | undefined) => catalogue.page(cursor, deadline, lowerBound(band));
    return readBand(band, pagesFrom(read), crawl, stop);
  });
  await Promise.all(reads);
  return crawl;
}

/** Reads one band into a crawl. @param stop shared by all bands: a failed one stops the others */
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
      crawl.add(records, page.madeAt);
      if (isLast || count >= MAX_BAND_PAGES || stop.signal.aborted) return;
    }
  } catch (error) {
    stop.abort();
    throw error;
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
