import { hasSide } from '../../lambda/core/domain/quote.ts';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { OrderBooks } from '../../lambda/io/polymarket/clob-books.ts';
import { BOOKS_BATCH_TOKENS } from '../../lambda/io/polymarket/clob-prices.ts';
import { type Finding, most, needed, useful } from './fact.ts';
import { CALL_MS, LIMITS, type Visit } from './visit.ts';

/** No market has this token. */
const UNKNOWN_TOKEN = '1';
/** The rules for the times of prices tolerate as much (`lambda/core/domain/price.ts`). */
const MAX_CLOCK_ERROR_SECONDS = 5;

export const PRICE_FACTS = [
  needed(
    'CLOB returns both sides of books',
    'Prices can be five minutes old; changes disappear.',
    async (visit) => sidesOf(visit, await visit.tokens()),
  ),
  useful(
    'CLOB prices ids of Protocol V2',
    'Their prices come from the catalogue.',
    async (visit) => {
      const markets = await visit.markets();
      const v2 = markets.filter(({ protocolVersion }) => protocolVersion === 'v2');
      if (v2.length === 0) return [true, 'no market of protocol v2 on the first page'];
      return sidesOf(
        visit,
        v2.map(({ clobTokenId }) => clobTokenId),
      );
    },
  ),
  useful(
    'CLOB prices a call that names unknown and resolved tokens',
    'A run needs up to 64 calls more.',
    async (visit) => {
      const known = await visit.token();
      const resolved = await visit.resolved().then(
        ({ clobTokenId }) => [clobTokenId],
        () => [],
      );
      const tokens = [known, UNKNOWN_TOKEN, ...resolved];
      const sides = await visit.prices.sides(tokens, LIMITS.deadline);
      return [sides.has(known), `${sides.size} of ${tokens.length} tokens`];
    },
  ),
  useful(
    "this machine's clock agrees with CLOB's",
    'All times of the service are off by as much, and so are the starts of changes.',
    async ({ urls }) => {
      const begun = Date.now();
      // The response to a POST comes from no cache, so its `Date` is the present.
      const signal = AbortSignal.timeout(CALL_MS);
      const { headers } = await fetch(urls.clob, { method: 'POST', signal });
      // The middle of the second that the header names.
      const time = Date.parse(headers.get('date') ?? '') + 500;
      const seconds = Math.round(((begun + Date.now()) / 2 - time) / 1_000);
      if (Number.isNaN(seconds)) return [false, 'the response has no Date'];
      const seen = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}`;
      return [Math.abs(seconds) <= MAX_CLOCK_ERROR_SECONDS, seen];
    },
  ),
  useful('CLOB returns last trades', 'The last trade of the catalogue is used.', async (visit) => {
    const tokens = await visit.tokens();
    const trades = [...(await visit.prices.lastTrades(tokens, LIMITS.deadline)).values()];
    return most(trades.filter(({ price }) => price).length, tokens.length, 'tokens');
  }),
];

export const BOOK_FACTS = [
  useful('CLOB returns many order books', 'The sizes are absent.', async (visit) => {
    const tokens = (await visit.tokens()).slice(0, BOOKS_BATCH_TOKENS);
    const { prices } = visit;
    const { deadline } = LIMITS;
    const [sides, books] = await Promise.all([
      prices.sides(tokens, deadline),
      prices.bestLevels(tokens, deadline),
    ]);
    const agree = tokens.filter((token) => {
      const bid = sides.get(token)?.bid;
      return bid !== undefined && books.get(token)?.bestBid === bid;
    });
    return most(agree.length, tokens.length, 'books have the best bid of /prices');
  }),
  useful('CLOB returns order books', 'The order book endpoints return 502.', async (visit) => {
    const book = await bookOf(visit, await visit.token());
    return [book !== undefined, `${book?.bids.length} bids, ${book?.asks.length} asks`];
  }),
  useful(
    'CLOB says that an unknown token has no book',
    'An unknown token gets 502, not 404.',
    async (visit) => {
      const book = await bookOf(visit, UNKNOWN_TOKEN);
      return [book === undefined, book ? 'it has a book' : 'it has none'];
    },
  ),
];

async function sidesOf({ prices }: Visit, tokens: readonly string[]): Promise<Finding> {
  const sides = [...(await prices.sides(tokens, LIMITS.deadline)).values()];
  return most(sides.filter(hasSide).length, tokens.length, 'tokens');
}

function bookOf({ clob }: Visit, token: string) {
  return new OrderBooks(clob, systemClock).book(token, LIMITS.deadline);
}
