import type { Market } from '../../../lambda/domain/market.ts';
import { checks } from '../check.ts';
import { CheckFailure, ensure } from '../check-failure.ts';
import { type Deployment, pathOf } from '../deployment.ts';

interface Level {
  readonly price: string;
}
interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}
interface History {
  readonly history: readonly { readonly t: number; readonly p: number }[];
}

/** A token that nobody has. */
const NO_BOOK = '123';

/** The endpoints that ask the upstream while the caller waits. */
export const CLOB_CHECKS = checks([
  {
    name: 'order book: both sides best first',
    run: async (deployment) => {
      const { market, book } = await tradedBook(deployment);
      ensure(
        isSorted(pricesOf(book.bids), (a, b) => b <= a),
        'the bids do not begin with the highest',
      );
      ensure(
        isSorted(pricesOf(book.asks), (a, b) => a <= b),
        'the asks do not begin with the lowest',
      );
      const [bid, ask] = [book.bids[0]?.price, book.asks[0]?.price];
      ensure(!(Number(bid) >= Number(ask)), `the best bid ${bid} is not below the best ask ${ask}`);
      return `${book.bids.length} bids, ${book.asks.length} asks of "${market.question}"`;
    },
  },
  {
    name: 'order books: several at once, depth, and tokenId as an alias',
    run: async (deployment) => {
      const { market } = await tradedBook(deployment);
      const query = { tokenId: `${market.clobTokenId},${NO_BOOK}`, depth: '1' };
      const { body } = await deployment.get<Record<string, Book | null>>('list-order-books', query);
      const book = body[market.clobTokenId];
      ensure(book != null, 'the book is not there');
      ensure(book.bids.length <= 1 && book.asks.length <= 1, 'more than one level of a side');
      ensure(body[NO_BOOK] === null, 'a token without a book is not null');
      return `${book.bids[0]?.price ?? 'none'} to ${book.asks[0]?.price ?? 'none'}`;
    },
  },
  {
    name: 'price history: ascending, no time twice',
    run: async (deployment) => ensureHistory(deployment, (token) => ({ token_id: token })),
  },
  {
    name: 'price history: interval, and market as an alias',
    run: async (deployment) => ensureHistory(deployment, (token) => ({ market: token, interval: '1w' })),
  },
]);

/** Books that were found, so that each deployment is asked once. */
const found = new WeakMap<Deployment, Promise<{ market: Market; book: Book }>>();

function tradedBook(deployment: Deployment): Promise<{ market: Market; book: Book }> {
  const known = found.get(deployment) ?? firstBook(deployment);
  found.set(deployment, known);
  return known;
}

/** Of a listed market, one or another may have lost its book since the list was made: a few are tried. */
async function firstBook(deployment: Deployment): Promise<{ market: Market; book: Book }> {
  const { markets } = await deployment.firstPage();
  for (const market of markets.slice(0, 3)) {
    const response = await deployment.client.call(pathOf('get-order-book', { token_id: market.clobTokenId }));
    if (response.status !== 404)
      return { market, book: deployment.documented<Book>('get-order-book', response) };
  }
  throw new CheckFailure('none of the first three markets has an order book');
}

async function ensureHistory(
  deployment: Deployment,
  query: (token: string) => Readonly<Record<string, string>>,
): Promise<string> {
  const { clobTokenId, question } = await deployment.market();
  const { body } = await deployment.get<History>('get-prices-history', query(clobTokenId));
  const times = body.history.map(({ t }) => t);
  ensure(
    isSorted(times, (a, b) => a < b),
    'the times do not ascend',
  );
  return `${times.length} points of "${question}"`;
}

function pricesOf(levels: readonly Level[]): number[] {
  return levels.map(({ price }) => Number(price));
}

function isSorted(values: readonly number[], follows: (a: number, b: number) => boolean): boolean {
  return values.every((value, n) => {
    const before = values[n - 1];
    return before === undefined || follows(before, value);
  });
}
