/** The facts about Gamma, which has the list of markets, and the checks of these facts. */
import type { CatalogueMarket, CatalogueRecord } from '../../lambda/core/domain/market.ts';
import { readGammaMarket } from '../../lambda/io/polymarket/gamma-market.ts';
import { MarketLookup } from '../../lambda/io/polymarket/market-lookup.ts';
import { type Fact, type Finding, isEnough, most, volumeOrder, volumesOf } from './fact.ts';
import { LIMITS, type Visit } from './visit.ts';

const UNLISTED = 'GET /api/markets/{id} returns 404 for markets outside of the list.';

export const LIST_FACTS: readonly Fact[] = [
  {
    fact: 'Gamma lists open markets',
    isNeeded: true,
    otherwise: 'There are no snapshots; callers get 502.',
    look: listsOpenMarkets,
  },
  {
    fact: 'the service can read the markets',
    isNeeded: true,
    otherwise: 'Markets are missing from the list.',
    look: canReadMarkets,
  },
  {
    fact: 'the cursor leads to other markets',
    isNeeded: true,
    otherwise: 'The list ends after the first page.',
    look: cursorLeadsOn,
  },
  {
    fact: 'Gamma sorts by volume',
    otherwise: 'The list misses markets of high volume.',
    look: async (visit) => volumeOrder((await visit.page()).records),
  },
  {
    fact: 'Gamma filters by volume',
    otherwise: 'A run takes longer to read the catalogue.',
    look: filtersByVolume,
  },
  {
    fact: 'markets have tags',
    otherwise: 'Categories follow from the words of the question alone.',
    look: (visit) => mostMarketsHave(visit, ({ tags }) => tags.length > 0),
  },
  {
    fact: 'markets have a volume of 24 hours',
    otherwise: 'The filter and the order by it have no effect.',
    look: (visit) => mostMarketsHave(visit, ({ volume24h }) => Boolean(volume24h)),
  },
  {
    fact: 'Gamma finds open markets by id, slug and token',
    otherwise: UNLISTED,
    look: findsOpenMarket,
  },
  {
    fact: 'Gamma finds closed markets by id, slug and token',
    otherwise: UNLISTED,
    look: async (visit) => findsMarket(visit, await visit.resolved()),
  },
];

async function listsOpenMarkets(visit: Visit): Promise<Finding> {
  const { records } = await visit.page();
  const closed = records.filter((market) => market.closed === true).length;
  const holds = records.length > 0 && closed === 0;
  return [holds, `${records.length} markets, ${closed} of them closed`];
}

async function canReadMarkets(visit: Visit): Promise<Finding> {
  const records = (await visit.page()).records.map(readGammaMarket);
  const problems = records.map(problemOf).filter((problem) => problem !== undefined);
  const readable = records.length - problems.length;
  const seen = [`${readable} of ${records.length}`];
  for (const [problem, all] of Map.groupBy(problems, (one) => one)) {
    seen.push(`${problem}: ${all.length}`);
  }
  return [isEnough(readable, records.length), seen.join(', ')];
}

/** Why the service cannot read a market, such as `version_unknown v9`; undefined if it can. */
function problemOf(record: CatalogueRecord): string | undefined {
  if (record.kind === 'listable') return record.lacksVolume ? 'volume' : undefined;
  if (record.kind === 'inactive') return 'inactive';
  // A text that does not look like a version could name a market, so no report may contain it.
  const isVersion = /^[\w-]{1,20}$/.test(record.version ?? '');
  return isVersion ? `${record.reason} ${record.version}` : record.reason;
}

async function cursorLeadsOn(visit: Visit): Promise<Finding> {
  const { records, nextCursor } = await visit.page();
  if (nextCursor === undefined)
    return [records.length > 0 && records.length < 100, 'there is one page'];
  const first = new Set(records.map(({ conditionId }) => conditionId));
  const next = `ascending=false&closed=false&after_cursor=${encodeURIComponent(nextCursor)}`;
  const second = await visit.page(next);
  const others = second.records.filter(({ conditionId }) => !first.has(conditionId)).length;
  return [others > 0, `${others} of ${second.records.length} markets are new`];
}

/** Requests the markets above the middle volume of the first page. */
async function filtersByVolume(visit: Visit): Promise<Finding> {
  const known = volumesOf((await visit.page()).records);
  const bound = Math.floor(known[Math.floor(known.length / 2)] ?? 0);
  const { records } = await visit.page(`ascending=true&closed=false&volume_num_min=${bound}`);
  const volumes = volumesOf(records);
  const below = volumes.filter((volume) => volume < bound).length;
  const holds = bound > 0 && isEnough(volumes.length, records.length) && below === 0;
  const counts = `${volumes.length} of ${records.length} markets have a volume`;
  return [holds, `${counts}, ${below} are below ${bound} USD`];
}

async function mostMarketsHave(
  visit: Visit,
  hasIt: (market: CatalogueMarket) => boolean,
): Promise<Finding> {
  const markets = await visit.markets();
  return most(markets.filter(hasIt).length, markets.length, 'markets');
}

async function findsOpenMarket(visit: Visit): Promise<Finding> {
  const market = (await visit.markets()).find(({ protocolVersion }) => protocolVersion === 'v1');
  if (!market) throw new Error('no market of protocol v1 on the first page');
  return findsMarket(visit, market);
}

/** Looks a market up by each of its names. */
async function findsMarket(
  { gamma }: Visit,
  { id, slug = '', clobTokenId }: CatalogueMarket,
): Promise<Finding> {
  const lookup = new MarketLookup(gamma);
  const missed: string[] = [];
  for (const [name, value] of Object.entries({ id, slug, token: clobTokenId })) {
    const found = await lookup.marketByName(value, LIMITS.deadline);
    if (!found || 'reason' in found) missed.push(name);
  }
  return [missed.length === 0, missed.length === 0 ? 'one market' : `not by ${missed.join(', ')}`];
}
