import { readGammaMarket } from '../lambda/io/polymarket/gamma-market.ts';
import { HISTORY_BATCH_TOKENS } from '../lambda/io/polymarket/history-sources.ts';
import * as json from '../lambda/io/polymarket/json-values.ts';
import { FIRST_PAGE, isPrice, type Resolved, type Visit } from './doctor-visit.ts';

export type Finding = readonly [holds: boolean, seen: string];
type Look = (visit: Visit) => Promise<Finding>;

export interface Fact {
  readonly fact: string;
  /** True if the service cannot run without it. */
  readonly isNeeded: boolean;
  /** What happens if the fact does not hold. */
  readonly otherwise: string;
  readonly look: Look;
}

const needed = (fact: string, otherwise: string, look: Look): Fact => ({
  fact,
  isNeeded: true,
  otherwise,
  look,
});
const useful = (fact: string, otherwise: string, look: Look): Fact => ({
  fact,
  isNeeded: false,
  otherwise,
  look,
});

const DAY_SECONDS = 86_400;
/** The rules for the times of prices tolerate as much (`lambda/core/domain/price.ts`). */
const MAX_CLOCK_ERROR_SECONDS = 5;
/** Share of a page's records. */
const MIN_READABLE = 0.9;
/** No market has this token. */
const UNKNOWN_TOKEN = '1';
const UNLISTED = 'GET /api/markets/{id} returns 404 for markets outside of the list.';
/** Payouts are in millionths of a dollar. */
const PAYOUT_UNITS = 1_000_000;
const volumesOf = (markets: readonly json.WireObject[]) =>
  markets.flatMap(({ volumeNum }) => json.asAmount(volumeNum) ?? []);
/** Enough of a page's records to draw a conclusion. */
const isEnough = (read: number, all: number): boolean => read > 0 && read >= all * MIN_READABLE;

const GAMMA_FACTS = [
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
        if (record.kind === 'skipped') return [`${record.reason} ${record.version ?? ''}`.trim()];
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
    const wrong = volumes.filter((volume, n) => volume > (volumes[n - 1] ?? volume)).length;
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
  return [missed.length === 0, missed.length === 0 ? slug : `not by ${missed.join(', ')}`];
}

const PRICE_FACTS = [
  needed(
    'CLOB returns both sides of books',
    'Prices can be five minutes old; changes disappear.',
    async (visit) => {
      const tokens = (await visit.markets()).map(({ clobTokenId }) => clobTokenId);
      const { status, body, found } = await visit.sides(tokens);
      const sides = tokens.map((token) => json.asObject(body?.[token]));
      // If BUY were the best ask, all spreads would be negative.
      const crossed = sides.filter(
        (book) => isPrice(book?.SELL) && Number(book?.BUY) > Number(book?.SELL),
      ).length;
      const holds = found > tokens.length / 2 && crossed < found / 2;
      return [
        holds,
        `status ${status}, ${found} of ${tokens.length} tokens, BUY above SELL: ${crossed}`,
      ];
    },
  ),
  useful(
    'CLOB prices ids of Protocol V2',
    'Their prices come from the catalogue.',
    async (visit) => {
      const markets = await visit.markets();
      const [v1, v2] = (['v1', 'v2'] as const).map((version) =>
        markets
          .filter(({ protocolVersion }) => protocolVersion === version)
          .map(({ clobTokenId }) => clobTokenId),
      ) as [string[], string[]];
      if (v2.length === 0) return [true, 'no market of protocol v2 on the first page'];
      const alone = await visit.sides(v2);
      const mixed = await visit.sides([...v1.slice(0, 1), ...v2.slice(0, 1)]);
      const seen = `status ${alone.status}, ${alone.found} of ${v2.length} tokens; one of each protocol: status ${mixed.status}, ${mixed.found} of 2`;
      return [alone.found > v2.length / 2, seen];
    },
  ),
  useful(
    'CLOB prices a call that names an unknown token',
    'A run needs up to 64 calls more.',
    async (visit) => {
      const known = await visit.token();
      const { token: resolved } = await visit.resolved().catch(() => ({ token: UNKNOWN_TOKEN }));
      const tokens = [known, UNKNOWN_TOKEN, resolved];
      const { status, body, found } = await visit.sides(tokens);
      const [, unknown, closed] = tokens.map((token) => JSON.stringify(body?.[token]) ?? 'missing');
      return [found > 0, `status ${status}; unknown token: ${unknown}; resolved token: ${closed}`];
    },
  ),
  useful(
    "this machine's clock agrees with CLOB's",
    'All times of the service are off by as much, and so are the starts of changes.',
    async (visit) => {
      // The response to a POST comes from no cache, so its `Date` is the present.
      const { clockAheadMs } = await visit.sides([await visit.token()]);
      const seconds = Math.round(clockAheadMs / 1_000);
      if (Number.isNaN(seconds)) return [false, 'the response has no Date'];
      const seen = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}`;
      return [Math.abs(seconds) <= MAX_CLOCK_ERROR_SECONDS, seen];
    },
  ),
  useful('CLOB returns last trades', 'The last trade of the catalogue is used.', async (visit) => {
    const tokens = (await visit.markets()).map(({ clobTokenId }) => clobTokenId);
    const { token: resolved } = await visit.resolved().catch(() => ({ token: UNKNOWN_TOKEN }));
    const sent = [...tokens, resolved].map((token_id) => ({ token_id }));
    const { status, list } = await visit.call('clob', '/last-trades-prices', sent);
    const trades = new Map(
      list.map((item) => [json.asObject(item)?.token_id, json.asObject(item)]),
    );
    const found = tokens.filter((token) => isPrice(trades.get(token)?.price)).length;
    const last = trades.get(resolved)?.price ?? 'missing';
    return [
      found > tokens.length / 2,
      `status ${status}, ${found} of ${tokens.length} tokens; resolved token: ${last}`,
    ];
  }),
  useful('CLOB returns order books', 'The order book endpoints return 502.', async (visit) => {
    const token = await visit.token();
    const { status, body } = await visit.call('clob', `/book?token_id=${token}`);
    const [bids, asks] = [json.asList(body?.bids)?.length, json.asList(body?.asks)?.length];
    const holds = body?.asset_id === token && bids !== undefined && asks !== undefined;
    return [holds, `status ${status}, ${bids} bids, ${asks} asks`];
  }),
  useful(
    'CLOB returns 404 for an unknown token',
    'An unknown token gets 502, not 404.',
    async (visit) => {
      const { status } = await visit.call('clob', `/book?token_id=${UNKNOWN_TOKEN}`);
      return [status === 404, `status ${status}`];
    },
  ),
  useful('CLOB returns a history', 'Price histories come from the Data API.', async (visit) => {
    const path = `/prices-history?market=${await visit.token()}&interval=1w&fidelity=60`;
    const { status, body } = await visit.call('clob', path);
    return history(status, body?.history, 'p');
  }),
  useful(
    'CLOB returns many histories',
    'Changes appear later after a first start.',
    async (visit) => {
      // From different events: one event's markets can all be on a protocol that this route lacks.
      const markets = (await visit.markets())
        .filter((_, n) => n % 5 === 0)
        .slice(0, HISTORY_BATCH_TOKENS);
      const now = Math.floor(Date.now() / 1_000);
      const { status, body } = await visit.call('clob', '/batch-prices-history', {
        markets: markets.map(({ clobTokenId }) => clobTokenId),
        start_ts: now - 2 * DAY_SECONDS,
        end_ts: now - DAY_SECONDS,
        fidelity: 60,
      });
      const histories = json.asObject(body?.history);
      const found = markets.filter(
        ({ clobTokenId }) => json.asList(histories?.[clobTokenId])?.length,
      ).length;
      return [found > 0, `status ${status}, ${found} of ${markets.length} tokens`];
    },
  ),
  useful(
    'the Data API returns a whole life',
    'Histories that CLOB lacks are missing or short.',
    async (visit) => {
      const path = `/v2/prices-history?token_id=${await visit.token()}&interval=max&bucket_seconds=10800`;
      const { status, body } = await visit.call('data', path);
      const [holds, seen] = history(status, body?.data, 'price');
      const steps =
        json
          .asList(body?.data)
          ?.filter((point) => json.asObject(point)?.resolution_seconds === 10_800) ?? [];
      return [holds && steps.length > 0, `${seen}, ${steps.length} of them a step of three hours`];
    },
  ),
  useful(
    'the Data API returns resolutions',
    'The outcome of a closed market is unknown.',
    async (visit) => {
      const { payouts, seen } = await resolution(visit);
      return [payouts.length === 2, seen];
    },
  ),
  useful(
    'a history ends with the payout',
    'The history of a resolved market has no outcome.',
    async (visit) => {
      const { payouts } = await resolution(visit);
      const { token } = await visit.resolved();
      const { body } = await visit.call(
        'data',
        `/v2/prices-history?token_id=${token}&interval=max`,
      );
      const last = json.asObject(json.asList(body?.data)?.at(-1));
      const holds = last !== undefined && last.price === Number(payouts[0]) / PAYOUT_UNITS;
      return [holds, `last point ${last?.price ?? 'missing'}, payout ${payouts[0]} millionths`];
    },
  ),
];

async function resolution(
  visit: Visit,
): Promise<{ readonly payouts: readonly unknown[]; readonly seen: string }> {
  const { conditionId } = await visit.resolved();
  const { status, body } = await visit.call('data', `/v2/resolutions?condition=${conditionId}`);
  const row = json.asObject(json.asList(body?.data)?.[0]);
  const payouts = json.asList(row?.payouts) ?? [];
  return {
    payouts,
    seen: `status ${status}, ${row?.status ?? 'no row'}, payouts ${payouts.join(' and ') || 'missing'}`,
  };
}

function history(status: number, points: unknown, price: 'p' | 'price'): Finding {
  const list = json.asList(points) ?? [];
  const readable = list.filter(
    (point) => json.asPrice(json.asObject(point)?.[price]) !== undefined,
  ).length;
  return [list.length > 0 && readable === list.length, `status ${status}, ${list.length} points`];
}

export const FACTS: readonly Fact[] = [...GAMMA_FACTS, ...PRICE_FACTS];
