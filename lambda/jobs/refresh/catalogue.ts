/**
 * Reads the catalogue (the open markets of Polymarket) for a run of the refresher: the pages of a
 * crawl, then by id the markets of the newest snapshot that no page contained.
 */
import { paddedConditionId } from '../../core/domain/ids.ts';
import {
  byVolume,
  type CatalogueMarket,
  type CatalogueRecord,
  type Market,
} from '../../core/domain/market.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { MAX_CONDITION_IDS } from '../../io/polymarket/gamma-catalogue.ts';
import { batchesByVersion } from './batches.ts';
import { type CatalogueDependencies, type Crawl, crawlCatalogue } from './crawl.ts';
import { type CatalogueCounts, countRecords, RefreshError, requireReadable } from './run-result.ts';
import { TIMEOUTS } from './timeouts.ts';

/** At most 800 markets (20 calls of 40) are confirmed by id. A healthy crawl misses a few. */
const MAX_ID_CALLS = 20;

/** What a run knows of the catalogue after its crawl. */
export interface CatalogueReading {
  /** When the reading began. */
  readonly asOf: UnixMs;
  /** When upstream made the oldest page. */
  readonly cataloguePricesAsOf: UnixMs;
  /** In list order. */
  readonly markets: readonly CatalogueMarket[];
  /** Markets of the newest snapshot that neither a page nor a response by id contains. */
  readonly unconfirmed: readonly Market[];
  /** Padded ids of the records of closed markets, and of those that cannot be traded. */
  readonly closed: ReadonlySet<string>;
  readonly counts: CatalogueCounts;
}

/**
 * Reads the catalogue.
 *
 * @param previous the markets of the newest snapshot, in list order
 * @throws UpstreamError if a page cannot be read
 * @throws RefreshError if the pages are not the catalogue: unsorted, repeated, or unreadable
 */
export async function readCatalogue(
  deps: CatalogueDependencies,
  previous: readonly Market[],
  deadline: UnixMs,
): Promise<CatalogueReading> {
  const asOf = deps.clock.now();
  const volumes = previous.map(({ volume }) => volume);
  const crawl = await crawlCatalogue(deps, volumes, deadline);
  if (crawl.records.length === 0) throw new RefreshError('The upstream lists no open market');
  requireReadable(crawl.records);
  if (crawl.markets.length === 0)
    throw new RefreshError('The catalogue holds no market that can be listed');
  const notSeen = previous.filter(({ id }) => !crawl.hasSeen(id));
  await confirmById(deps, crawl, notSeen, deadline);
  const unconfirmed = notSeen.filter(({ id }) => !crawl.hasSeen(id));
  return {
    asOf,
    cataloguePricesAsOf: Math.min(asOf, crawl.cataloguePricesAsOf),
    markets: crawl.markets.toSorted(byVolume),
    unconfirmed,
    closed: new Set(crawl.records.filter(isClosed).flatMap(({ id }) => id ?? [])),
    counts: {
      pages: crawl.pages,
      bands: crawl.bands,
      notSeen: notSeen.length,
      unconfirmed: unconfirmed.length,
      ...countRecords(crawl.records),
    },
  };
}

/**
 * Requests markets by their ids, and adds the responses to the crawl. Pages miss a market that moves
 * between them during the crawl. Never throws.
 */
async function confirmById(
  { catalogue, clock }: CatalogueDependencies,
  crawl: Crawl,
  notSeen: readonly Market[],
  runDeadline: UnixMs,
): Promise<void> {
  const deadline = Math.min(runDeadline, clock.now() + TIMEOUTS.confirmTimeoutMs);
  const batches = batchesByVersion(notSeen, MAX_CONDITION_IDS);
  const confirm = async (markets: readonly Market[]): Promise<void> => {
    const ids = markets.map(({ id }) => id);
    const requested = new Set<string | undefined>(ids.map(paddedConditionId));
    const { records, madeAt } = await catalogue.recordsByIds(ids, deadline);
    // If a response contains other markets, upstream ignored the ids.
    if (records.every(({ id }) => requested.has(id))) crawl.add(records, madeAt);
  };
  await Promise.allSettled(batches.slice(0, MAX_ID_CALLS).map(confirm));
}

/** Whether a record shows that its market has closed, or that it cannot be traded. */
function isClosed(record: CatalogueRecord): boolean {
  return (
    record.kind === 'inactive' || (record.kind === 'skipped' && record.reason === 'no_order_book')
  );
}
