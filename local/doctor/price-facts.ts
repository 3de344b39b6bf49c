import { parseLevels } from '../../lambda/io/polymarket/clob-prices.ts';
import * as json from '../../lambda/io/polymarket/json-values.ts';
import { needed, UNKNOWN_TOKEN, useful } from './fact.ts';
import { typeOf } from './shapes.ts';
import { isPrice } from './visit.ts';

/** The rules for the times of prices tolerate as much (`lambda/core/domain/price.ts`). */
const MAX_CLOCK_ERROR_SECONDS = 5;

export const PRICE_FACTS = [
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
      const [, unknown, closed] = tokens.map((token) => typeOf(body?.[token]));
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
];

export const BOOK_FACTS = [
  useful('CLOB returns many order books', 'The sizes are absent.', async (visit) => {
    const tokens = (await visit.markets()).map(({ clobTokenId }) => clobTokenId);
    const { body } = await visit.sides(tokens);
    const sent = tokens.map((token_id) => ({ token_id }));
    const { status, list } = await visit.call('clob', '/books', sent);
    const books = parseLevels(list, tokens);
    const agree = tokens.filter((token) => {
      const bid = json.asObject(body?.[token])?.BUY;
      return isPrice(bid) && books?.get(token)?.bestBid === Number(bid);
    });
    const seen = `status ${status}, ${books?.size} of ${tokens.length} books, best bid as in /prices: ${agree.length}`;
    return [agree.length > tokens.length / 2, seen];
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
];
