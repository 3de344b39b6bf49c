/**
 * The second half of a full run, which has read the catalogue: the markets that exist. It reads their
 * prices, and publishes both as a snapshot. Meanwhile price runs can publish snapshots of the known
 * markets, so it reads the newest one again. The table never replaces a newer snapshot by an older.
 */
import type { CatalogueMarket, Market, PricedMarket } from '../../core/domain/market.ts';
import { type BestLevels, hasSide } from '../../core/domain/quote.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import type { PointerInfo } from '../../io/snapshots/pointer-writer.ts';
import type { CatalogueReading } from './catalogue.ts';
import { allFailed, type PriceReading } from './price-reader.ts';
import { previousPrices, priceMarkets, withoutPrices } from './prices.ts';
import { publishWithHistories } from './publish-snapshot.ts';
import { type Newest, type Run, readNewest, requireRecentPrices } from './run.ts';
import { addSkipped, RefreshError, type RunResult } from './run-result.ts';
import { TIMEOUTS } from './timeouts.ts';

/**
 * Prices the markets of a new catalogue, and publishes them with their changes.
 *
 * @param newestAtStart the newest snapshot when the run began
 * @param levels best levels by token, read beside the catalogue; grows during the run
 * @throws RefreshError without a usable price or with too many old ones, or what the table throws
 */
export async function publishCatalogue(
  run: Run,
  newestAtStart: Newest,
  catalogue: CatalogueReading,
  levels: ReadonlyMap<string, BestLevels>,
): Promise<RunResult> {
  const candidates = [...catalogue.markets, ...catalogue.unconfirmed.map(withoutConfirmation)];
  const { reading, newest } = await readPrices(run, newestAtStart, candidates);
  const open = candidates.filter((market) => isOpen(market, reading));
  const isUnpriced = allFailed(reading);
  const times = {
    // Without CLOB, the run publishes the catalogue's prices with the catalogue's time.
    asOf: isUnpriced ? catalogue.asOf : reading.asOf,
    catalogueAsOf: catalogue.asOf,
    cataloguePricesAsOf: catalogue.cataloguePricesAsOf,
  };
  const { priced, tooOld } = priceMarkets(open, {
    ...reading,
    ...times,
    previous: previousPrices(newest),
    levels,
  });
  requireRecentPrices(run, newest, tooOld);
  if (priced.length === 0) throw new RefreshError('No market in the catalogue has a price');
  const markets = priced.slice(0, run.maxMarkets);
  const skippedByReason = addSkipped(catalogue.counts.skippedByReason, open.length - priced.length);
  const counts = { ...catalogue.counts, skippedByReason };
  if (newest && isShrunk(run, newest.info, markets)) {
    await run.writer.recordShrunkRun(newest.info, run.deadline);
    return { outcome: { kind: 'shrunk', catalogue: counts }, publications: [] };
  }
  const isCut = priced.length > markets.length;
  const content = { ...times, isCut, markets, counts, closed: catalogue.closed };
  const { publication, histories } = await publishWithHistories(run, newest, content, reading);
  const kind = isUnpriced ? 'unpriced' : 'catalogue';
  return { outcome: { kind, catalogue: counts, histories }, publications: [publication] };
}

/**
 * Reads the candidates' prices from CLOB.
 *
 * @returns the prices, and the newest snapshot after the reading: its prices are used where CLOB
 * returned none
 */
async function readPrices(
  run: Run,
  newestAtStart: Newest,
  candidates: readonly CatalogueMarket[],
): Promise<{ readonly reading: PriceReading; readonly newest: Newest }> {
  const newestAfterCrawl = await readNewest(run).catch(() => newestAtStart);
  const deadline = waitingDeadline(run, newestAfterCrawl);
  const reading = await run.reader.read(candidates, previousPrices(newestAfterCrawl), deadline);
  // Only a reading with failed calls takes long, up to two minutes. Meanwhile price runs publish.
  if (reading.failed === 0) return { reading, newest: newestAfterCrawl };
  return { reading, newest: await readNewest(run).catch(() => newestAfterCrawl) };
}

/**
 * A market of the newest snapshot that the crawl did not confirm. Drops the prices of its catalogue
 * record, because they may be old.
 */
function withoutConfirmation(market: Market): CatalogueMarket {
  return { ...withoutPrices(market), catalogue: {}, missedCrawls: (market.missedCrawls ?? 0) + 1 };
}

/** A market that the catalogue does not confirm stays listed for this many crawls. */
const MAX_MISSED_CRAWLS = 2;

/** Whether a market counts as open. One that is not confirmed does not if CLOB emptied its book. */
function isOpen({ missedCrawls, clobTokenId }: CatalogueMarket, { sides }: PriceReading): boolean {
  if (missedCrawls === undefined) return true;
  const book = sides.get(clobTokenId);
  return missedCrawls <= MAX_MISSED_CRAWLS && (!book || hasSide(book));
}

/**
 * Until when a full run waits for prices of CLOB: until the newest snapshot has the age
 * `maxWaitAgeMs`, at least for `minPricesMs`, and in time to publish.
 */
function waitingDeadline({ clock, deadline }: Run, newest: Newest): UnixMs {
  const minDeadline = clock.now() + TIMEOUTS.minPricesMs;
  const freshUntil = (newest?.info.asOf ?? 0) + TIMEOUTS.maxWaitAgeMs;
  const maxDeadline = deadline - TIMEOUTS.pricesBeforeDeadlineMs;
  return Math.min(maxDeadline, Math.max(minDeadline, freshUntil));
}

/**
 * A run with a smaller share of the newest snapshot's markets has shrunk. It does not publish,
 * unless it is the third in a row.
 */
const MIN_SHARE_OF_MARKETS = 0.5;
const MAX_SHRUNK_RUNS = 3;

/** Whether the catalogue confirms too few markets, compared with the newest snapshot. */
function isShrunk(
  { maxMarkets }: Run,
  newest: PointerInfo,
  markets: readonly PricedMarket[],
): boolean {
  const confirmed = markets.filter(({ missedCrawls }) => missedCrawls === undefined).length;
  // If the deployer lowers `maxMarkets`, the catalogue has not shrunk.
  const expected = Math.min(newest.markets, maxMarkets);
  return confirmed < expected * MIN_SHARE_OF_MARKETS && newest.shrunkRuns + 1 < MAX_SHRUNK_RUNS;
}
