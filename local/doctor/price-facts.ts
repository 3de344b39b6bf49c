/**
 * The facts about CLOB, which has prices, trades and order books, and the checks of these facts.
 */
import { hasSide } from '../../lambda/core/domain/quote.ts';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { OrderBooks } from '../../lambda/io/polymarket/clob-books.ts';
import { BOOKS_BATCH_TOKENS } from '../../lambda/io/polymarket/clob-prices.ts';
import { type Fact, type Finding, most } from './fact.ts';
import { CALL_MS, LIMITS, type Visit } from './visit.ts';

/** No market has this token. */
const UNKNOWN_TOKEN = '1';
/** The rules for the times of prices tolerate as much (`lambda/core/domain/price.ts`). */
const MAX_CLOCK_ERROR_SECONDS = 5;

/** Each run of the service reads prices and last trades. */
export const PRICE_FACTS: readonly Fact[] = [
  {
    fact: 'CLOB returns both sides of books',
    isNeeded: true,
    otherwise: 'Prices can be five minutes old; changes disappear.',
    look: async (visit) => pricesTokens(visit, await visit.tokens()),
  },
  {
    fact: 'CLOB prices ids of Protocol V2',
    otherwise: 'Their prices come from the catalogue.',
    look: pricesV2,
  },
  {
    fact: 'CLOB prices a call that names unknown and resolved tokens',
    otherwise: 'A run needs up to 64 calls more.',
    look: pricesMixedCall,
  },
  {
    fact: "this machine's clock agrees with CLOB's",
    otherwise: 'All times of the service are off by as much, and so are the starts of changes.',
    look: clocksAgree,
  },
  {
    fact: 'CLOB returns last trades',
    otherwise: 'The last trade of the catalogue is used.',
    look: returnsLastTrades,
  },
];

/** The service reads books for the sizes at the best prices, and when a caller requests a book. */
export const BOOK_FACTS: readonly Fact[] = [
  {
    fact: 'CLOB returns many order books',
    otherwise: 'The sizes are absent.',
    look: returnsManyBooks,
  },
  {
    fact: 'CLOB returns order books',
    otherwise: 'The order book endpoints return 502.',
    look: returnsBook,
  },
  {
    fact: 'CLOB says that an unknown token has no book',
    otherwise: 'An unknown token gets 502, not 404.',
    look: knowsThatThereIsNoBook,
  },
];

async function pricesV2(visit: Visit): Promise<Finding> {
  const markets = await visit.markets();
  const v2 = markets.filter(({ protocolVersion }) => protocolVersion === 'v2');
  if (v2.length === 0) return [true, 'no market of protocol v2 on the first page'];
  const tokens = v2.map(({ clobTokenId }) => clobTokenId);
  return pricesTokens(visit, tokens);
}

/** Whether most tokens have a bid or an ask. */
async function pricesTokens({ prices }: Visit, tokens: readonly string[]): Promise<Finding> {
  const sides = [...(await prices.sides(tokens, LIMITS.deadline)).values()];
  return most(sides.filter(hasSide).length, tokens.length, 'tokens');
}

async function pricesMixedCall(visit: Visit): Promise<Finding> {
  const known = await visit.token();
  const tokens = [known, UNKNOWN_TOKEN];
  try {
    tokens.push((await visit.resolved()).clobTokenId);
  } catch {
    // Without a resolved market, the call names only the unknown token besides the known one.
  }
  const sides = await visit.prices.sides(tokens, LIMITS.deadline);
  return [sides.has(known), `${sides.size} of ${tokens.length} tokens`];
}

async function clocksAgree({ urls }: Visit): Promise<Finding> {
  const begun = Date.now();
  // The response to a POST comes from no cache, so its `Date` is the present.
  const signal = AbortSignal.timeout(CALL_MS);
  const { headers } = await fetch(urls.clob, { method: 'POST', signal });
  const middleOfCall = (begun + Date.now()) / 2;
  // `Date` has whole seconds, so the middle of its second is the best guess.
  const theirTime = Date.parse(headers.get('date') ?? '') + 500;
  const seconds = Math.round((middleOfCall - theirTime) / 1_000);
  if (Number.isNaN(seconds)) return [false, 'the response has no Date'];
  const seen = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}`;
  return [Math.abs(seconds) <= MAX_CLOCK_ERROR_SECONDS, seen];
}

async function returnsLastTrades(visit: Visit): Promise<Finding> {
  const tokens = await visit.tokens();
  const trades = [...(await visit.prices.lastTrades(tokens, LIMITS.deadline)).values()];
  return most(trades.filter(({ price }) => price).length, tokens.length, 'tokens');
}

/** Whether most books have the same best bid as the prices that are read at the same time. */
async function returnsManyBooks(visit: Visit): Promise<Finding> {
  const tokens = (await visit.tokens()).slice(0, BOOKS_BATCH_TOKENS);
  const [sides, books] = await Promise.all([
    visit.prices.sides(tokens, LIMITS.deadline),
    visit.prices.bestLevels(tokens, LIMITS.deadline),
  ]);
  const agree = tokens.filter((token) => {
    const bid = sides.get(token)?.bid;
    return bid !== undefined && books.get(token)?.bestBid === bid;
  });
  return most(agree.length, tokens.length, 'books have the best bid of /prices');
}

async function returnsBook(visit: Visit): Promise<Finding> {
  const book = await readBook(visit, await visit.token());
  return [book !== undefined, `${book?.bids.length} bids, ${book?.asks.length} asks`];
}

async function knowsThatThereIsNoBook(visit: Visit): Promise<Finding> {
  const book = await readBook(visit, UNKNOWN_TOKEN);
  return [book === undefined, book ? 'it has a book' : 'it has none'];
}

/** The book of a token; undefined if CLOB says that there is none. */
function readBook({ clob }: Visit, token: string) {
  return new OrderBooks(clob, systemClock).book(token, LIMITS.deadline);
}
