import type { CatalogueMarket } from '../../lambda/core/domain/market.ts';
import { readGammaMarket } from '../../lambda/io/polymarket/gamma-market.ts';
import { MarketLookup } from '../../lambda/io/polymarket/market-lookup.ts';
import { type Finding, isEnough, most, needed, useful, volumeOrder, volumesOf } from './fact.ts';
import { LIMITS, type Visit } from './visit.ts';

const UNLISTED = 'GET /api/markets/{id} returns 404 for markets outside of the list.';
/** A version of upstream in a report. Other texts could name a market. */
const VERSION = /^[\w-]{1,20}$/;

export const LIST_FACTS = [
  needed('Gamma lists open markets', 'There are no snapshots; callers get 502.', async (visit) => {
    const { records: markets } = await visit.page();
    const closed = markets.filter((market) => market.closed === true).length;
    return [
      markets.length > 0 && closed === 0,
      `${markets.length} markets, ${closed} of them closed`,
    ];
  }),
  needed(
    'the service can read the markets',
    'Markets are missing from the list.',
    async (visit) => {
      const records = (await visit.page()).records.map(readGammaMarket);
      const reasons = records.flatMap((record) => {
        if (record.kind === 'listable') return record.lacksVolume ? ['volume'] : [];
        if (record.kind === 'inactive') return ['inactive'];
        const version = VERSION.test(record.version ?? '') ? ` ${record.version}` : '';
        return [`${record.reason}${version}`];
      });
      const counts = [...Map.groupBy(reasons, (name) => name)].map(
        ([name, all]) => `${name}: ${all.length}`,
      );
      const readable = records.length - reasons.length;
      const seen = [`${readable} of ${records.length}`, ...counts].join(', ');
      return [isEnough(readable, records.length), seen];
    },
  ),
  needed(
    'the cursor leads to other markets',
    'The list ends after the first page.',
    async (visit) => {
      const { records: markets, nextCursor: cursor } = await visit.page();
      if (cursor === undefined)
        return [markets.length > 0 && markets.length < 100, 'there is one page'];
      const first = new Set(markets.map(({ conditionId }) => conditionId));
      const next = `ascending=false&closed=false&after_cursor=${encodeURIComponent(cursor)}`;
      const second = await visit.page(next);
      const others = second.records.filter(({ conditionId }) => !first.has(conditionId)).length;
      return [others > 0, `${others} of ${second.records.length} markets are new`];
    },
  ),
  useful('Gamma sorts by volume', 'The list misses markets of high volume.', async (visit) =>
    volumeOrder((await visit.page()).records),
  ),
  useful('Gamma filters by volume', 'A run takes longer to read the catalogue.', async (visit) => {
    const known = volumesOf((await visit.page()).records);
    const bound = Math.floor(known[Math.floor(known.length / 2)] ?? 0);
    const { records: markets } = await visit.page(
      `ascending=true&closed=false&volume_num_min=${bound}`,
    );
    const volumes = volumesOf(markets);
    const below = volumes.filter((volume) => volume < bound).length;
    const holds = bound > 0 && isEnough(volumes.length, markets.length) && below === 0;
    return [
      holds,
      `${volumes.length} of ${markets.length} markets have a volume, ${below} are below ${bound} USD`,
    ];
  }),
  useful(
    'markets have tags',
    'Categories follow from the words of the question alone.',
    async (visit) => {
      const markets = await visit.markets();
      return most(markets.filter(({ tags }) => tags.length > 0).length, markets.length, 'markets');
    },
  ),
  useful(
    'markets have a volume of 24 hours',
    'The filter and the order by it have no effect.',
    async (visit) => {
      const markets = await visit.markets();
      return most(markets.filter(({ volume24h }) => volume24h).length, markets.length, 'markets');
    },
  ),
  useful('Gamma finds open markets by id, slug and token', UNLISTED, async (visit) => {
    const market = (await visit.markets()).find(({ protocolVersion }) => protocolVersion === 'v1');
    if (!market) throw new Error('no market of protocol v1 on the first page');
    return lookups(visit, market);
  }),
  useful('Gamma finds closed markets by id, slug and token', UNLISTED, async (visit) =>
    lookups(visit, await visit.resolved()),
  ),
];

async function lookups(
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
