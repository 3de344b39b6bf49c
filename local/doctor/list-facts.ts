import { readGammaMarket } from '../../lambda/io/polymarket/gamma-market.ts';
import * as json from '../../lambda/io/polymarket/json-values.ts';
import { type Finding, isEnough, needed, outOfOrder, useful, volumesOf, wordOf } from './fact.ts';
import { FIRST_PAGE, type Resolved, type Visit } from './visit.ts';

const UNLISTED = 'GET /api/markets/{id} returns 404 for markets outside of the list.';

export const LIST_FACTS = [
  needed('Gamma lists open markets', 'There are no snapshots; callers get 502.', async (visit) => {
    const { markets } = await visit.firstPage();
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
      const records = (await visit.firstPage()).markets.map(readGammaMarket);
      const reasons = records.flatMap((record) => {
        if (record.kind === 'skipped')
          return [`${record.reason} ${wordOf(record.version) ?? ''}`.trim()];
        return record.kind === 'listable' && record.lacksVolume ? ['volume'] : [];
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
      const { markets, cursor } = await visit.firstPage();
      if (cursor === undefined)
        return [markets.length > 0 && markets.length < 100, 'there is one page'];
      const first = new Set(markets.map(({ conditionId }) => conditionId));
      const second = await visit.page(`${FIRST_PAGE}&after_cursor=${encodeURIComponent(cursor)}`);
      const others = second.markets.filter(({ conditionId }) => !first.has(conditionId)).length;
      return [others > 0, `${others} of ${second.markets.length} markets are new`];
    },
  ),
  useful('Gamma sorts by volume', 'The list misses markets of high volume.', async (visit) => {
    const { markets } = await visit.firstPage();
    const volumes = volumesOf(markets);
    const wrong = outOfOrder(volumes);
    const holds = isEnough(volumes.length, markets.length) && wrong <= volumes.length / 20;
    return [
      holds,
      `${volumes.length} of ${markets.length} markets have a volume, ${wrong} are out of order`,
    ];
  }),
  useful('Gamma filters by volume', 'A run takes longer to read the catalogue.', async (visit) => {
    const known = volumesOf((await visit.firstPage()).markets);
    const bound = Math.floor(known[Math.floor(known.length / 2)] ?? 0);
    const { markets } = await visit.page(
      FIRST_PAGE.replace('ascending=false', `ascending=true&volume_num_min=${bound}`),
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
      const tagged = markets.filter(({ tags }) => tags.length > 0).length;
      return [tagged > markets.length / 2, `${tagged} of ${markets.length} markets`];
    },
  ),
  useful(
    'markets have a volume of 24 hours',
    'The filter and the order by it have no effect.',
    async (visit) => {
      const { markets } = await visit.firstPage();
      const filled = markets.filter(
        ({ volume24hr }) => (json.asNumber(volume24hr) ?? 0) > 0,
      ).length;
      return [filled > markets.length / 2, `${filled} of ${markets.length} markets`];
    },
  ),
  useful('Gamma finds open markets by id, slug and token', UNLISTED, async (visit) => {
    const market = (await visit.markets()).find(({ protocolVersion }) => protocolVersion === 'v1');
    if (!market) throw new Error('no market of protocol v1 on the first page');
    return lookups(
      visit,
      { conditionId: market.id, slug: market.slug ?? '', token: market.clobTokenId },
      'false',
    );
  }),
  useful('Gamma finds closed markets by id, slug and token', UNLISTED, async (visit) =>
    lookups(visit, await visit.resolved(), 'true'),
  ),
];

async function lookups(
  visit: Visit,
  { conditionId, slug, token }: Resolved,
  closed: string,
): Promise<Finding> {
  const names = Object.entries({ condition_ids: conditionId, slug, clob_token_ids: token });
  const missed: string[] = [];
  for (const [name, value] of names) {
    const { markets } = await visit.page(
      `/markets/keyset?closed=${closed}&${name}=${encodeURIComponent(value)}`,
    );
    if (markets.length !== 1 || markets[0]?.slug !== slug) missed.push(name);
  }
  return [missed.length === 0, missed.length === 0 ? 'one market' : `not by ${missed.join(', ')}`];
}
