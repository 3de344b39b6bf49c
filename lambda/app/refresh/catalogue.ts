import { paddedConditionId } from '../../core/domain/condition-id.ts';
import { byVolume, type CatalogueMarket, type CatalogueRecord, type Market } from '../../core/domain/market.ts';
import { hasPriceSignal } from '../../core/domain/price.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { Clock } from '../../io/platform/clock.ts';
import type { GammaCatalogue } from '../../io/polymarket/gamma-catalogue.ts';
import {
  type Band,
  type BandPlan,
  BandsIgnoredError,
  checkPage,
  lowerBound,
  MAX_BAND_PAGES,
  MAX_PLAIN_MARKETS,
} from './bands.ts';
import { type CatalogueCounts, countRecords, RefreshError } from './run-result.ts';
import { TIMELINE } from './timeline.ts';

/** Markets beyond the limit, in place of those that turn out to have no price. */
const SPARE_MARKETS = 50;
/** For more than 40 to 50 ids in one address, upstream's firewall responds with 403 (docs/upstream.md). */
const MAX_IDS = 40;
/** Two, because one of them may close within the second. */
const CONTROLS = 2;
const MAX_ID_CALLS = 20;

export interface CatalogueDependencies {
  readonly catalogue: Pick<GammaCatalogue, 'page' | 'recordsByIds'>;
  readonly bandPlan: BandPlan;
  readonly maxMarkets: number;
  readonly clock: Clock;
}

export interface CatalogueReading {
  /** When the reading began. */
  readonly asOf: UnixMs;
  /** In list order. */
  readonly markets: readonly CatalogueMarket[];
  /** Markets of the previous snapshot that the catalogue shows neither as open nor as closed. */
  readonly unconfirmed: readonly Market[];
  readonly counts: CatalogueCounts;
}

/**
 * Reads the catalogue in bands if the previous snapshot allows it, otherwise page after page. Then it requests by id
 * the markets of the previous snapshot that no page showed.
 *
 * @param previous markets of the newest snapshot, in list order
 * @throws UpstreamError when a page cannot be read
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
  if (crawl.markets.length === 0) throw new RefreshError('The catalogue holds no market that can be listed');
  const missing = previous.filter(({ id }) => !crawl.hasSeen(id));
  const lookUpDeadline = Math.min(deadline, clock.now() + TIMELINE.unseenTimeoutMs);
  const { records, unconfirmed } = await confirmById(catalogue, missing, crawl.markets, lookUpDeadline);
  crawl.take(records);
  const { pages, duplicates, outOfBand } = crawl;
  const found = { unseen: missing.length, unconfirmed: unconfirmed.length, ...countRecords(crawl.records) };
  const counts = { pages, bands: inBands ? bands.length : 0, duplicates, outOfBand, ...found };
  return { asOf, markets: crawl.markets.toSorted(byVolume), unconfirmed, counts };
}

/** The records of a crawl, each market once. Upstream can show a market on two pages, because volumes change. */
class Crawl {
  readonly records: CatalogueRecord[] = [];
  readonly markets: CatalogueMarket[] = [];
  /** Markets with a price in the catalogue. Most of the others turn out to have none. */
  withPrice = 0;
  pages = 0;
  duplicates = 0;
  outOfBand = 0;
  readonly #seen = new Set<string>();

  hasSeen(conditionId: string): boolean {
    return this.#seen.has(paddedConditionId(conditionId));
  }

  /** @returns whether all identified records are known. Records without a readable id prove nothing. */
  take(records: readonly CatalogueRecord[]): boolean {
    const identified = records.filter(({ id }) => id !== undefined);
    const fresh = records.filter(({ id }) => id === undefined || (!this.#seen.has(id) && this.#seen.add(id)));
    const markets = fresh.flatMap((record) => (record.kind === 'listable' ? [record.market] : []));
    this.records.push(...fresh);
    this.markets.push(...markets);
    this.withPrice += markets.filter(hasPriceSignal).length;
    const repeated = records.length - fresh.length;
    this.duplicates += repeated;
    return repeated > 0 && repeated === identified.length;
  }

  /** Takes pages until `takePage` returns true, until the last page, or until the cursors lead back to known pages. */
  async readPages(
    page: (cursor: string | undefined) => ReturnType<GammaCatalogue['page']>,
    takePage: (records: readonly CatalogueRecord[]) => boolean,
  ): Promise<void> {
    const cursors = new Set<string | undefined>([undefined]);
    let cursor: string | undefined;
    do {
      cursors.add(cursor);
      const { records, nextCursor } = await page(cursor);
      this.pages += 1;
      if (takePage(records)) return;
      cursor = nextCursor;
    } while (!cursors.has(cursor));
  }
}

/**
 * Page after page, highest volume first, until there are enough markets with a price. A catalogue without prices ends
 * the crawl after twice as many markets.
 */
async function crawlPages({ catalogue, maxMarkets }: CatalogueDependencies, deadline: UnixMs): Promise<Crawl> {
  const crawl = new Crawl();
  const enough = Math.min(maxMarkets, MAX_PLAIN_MARKETS) + SPARE_MARKETS;
  await crawl.readPages(
    (cursor) => catalogue.page(cursor, deadline),
    (records) => crawl.take(records) || crawl.withPrice >= enough || crawl.markets.length >= 2 * enough,
  );
  return crawl;
}

/**
 * The bands in parallel, the lowest first: volumes only grow, so a market that moves during the crawl mostly appears
 * later. After one band has failed, no band reads another page.
 *
 * @returns undefined if the catalogue ignores the bounds
 */
async function crawlBands(
  { catalogue, bandPlan, clock }: CatalogueDependencies,
  bands: readonly Band[],
  deadline: UnixMs,
): Promise<Crawl | undefined> {
  const crawl = new Crawl();
  let hasFailed = false;
  const read = async (band: Band): Promise<void> => {
    let pages = 0;
    const takePage = (all: readonly CatalogueRecord[]): boolean => {
      const { records, outOfBand, isLast } = checkPage(band, all);
      crawl.outOfBand += outOfBand;
      return crawl.take(records) || isLast || ++pages >= MAX_BAND_PAGES || hasFailed;
    };
    try {
      await crawl.readPages((cursor) => catalogue.page(cursor, deadline, lowerBound(band)), takePage);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  try {
    await Promise.all(bands.toReversed().map(read));
    return crawl;
  } catch (error) {
    if (!(error instanceof BandsIgnoredError)) throw error;
    bandPlan.ignored(clock.now());
    return undefined;
  }
}

/**
 * Requests markets by their ids, because a market can move between pages during a crawl. Each call also requests two
 * markets of the same protocol version that a page has just shown: a response without them proves nothing.
 *
 * @param seen markets that the pages showed
 * @returns the records of open markets, and the markets without a reliable response; never throws
 */
export async function confirmById(
  catalogue: Pick<GammaCatalogue, 'recordsByIds'>,
  missing: readonly Market[],
  seen: readonly CatalogueMarket[],
  deadline: UnixMs,
) {
  const records: CatalogueRecord[] = [];
  const unconfirmed: Market[] = [];
  const groups = [...Map.groupBy(missing, ({ protocolVersion }) => protocolVersion)].flatMap(([version, markets]) => {
    const sameVersion = seen.filter(({ protocolVersion }) => protocolVersion === version);
    const controls = sameVersion.toSorted(byVolume).slice(0, CONTROLS);
    return inGroups(markets, MAX_IDS - CONTROLS).map((group) => ({ group, controls }));
  });
  const confirm = async ({ group, controls }: (typeof groups)[number]): Promise<void> => {
    const ids = [...group, ...controls].map(({ id }) => id);
    try {
      const found = await catalogue.recordsByIds(ids, deadline);
      const isFound = ({ id }: CatalogueMarket) => found.some((record) => record.id === paddedConditionId(id));
      const requested = new Set<string | undefined>(ids.map(paddedConditionId));
      if (!controls.some(isFound) || found.some(({ id }) => !requested.has(id))) unconfirmed.push(...group);
      else records.push(...found.filter((record) => !controls.some(({ id }) => paddedConditionId(id) === record.id)));
    } catch {
      unconfirmed.push(...group);
    }
  };
  await Promise.all(groups.slice(0, MAX_ID_CALLS).map(confirm));
  return { records, unconfirmed: [...unconfirmed, ...groups.slice(MAX_ID_CALLS).flatMap(({ group }) => group)] };
}
