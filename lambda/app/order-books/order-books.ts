import type { RouteName } from '../../core/contract/route-table.ts';
import { bestFirst, cutDepth, midpoint, type OrderBook, sidePrice, spread } from '../../core/domain/order-book.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import { canonicalTokenId } from '../../core/domain/token-id.ts';
import type { OrderBooks } from '../../io/polymarket/clob-books.ts';
import type { LiveRead } from '../../io/polymarket/live-read.ts';
import type { Endpoint } from '../http/pipeline.ts';
import { cacheControl, conditional, contentTag, fitsResponse, type HttpResponse } from '../http/response.ts';

export interface LiveBooksDeps {
  readonly books: Pick<OrderBooks, 'book' | 'books'>;
  readonly live: LiveRead;
}

/** `GET /api/clob/order-book`: the order book of one token, both sides best first. */
export function getOrderBook(deps: LiveBooksDeps): Endpoint<'get-order-book'> {
  return async ({ parameters, headers }) => {
    const book = await readBook(deps, parameters.token_id);
    return bookResponse(headers, JSON.stringify(cutDepth(bestFirst(book), parameters.depth)));
  };
}

/** `GET /api/clob/order-books`: the order books of several tokens, by token as the caller wrote it. */
export function listOrderBooks({ books, live }: LiveBooksDeps): Endpoint<'list-order-books'> {
  return async ({ parameters, headers }) => {
    const { token_id: tokens, depth } = parameters;
    const found = await live('order books', (deadline) => books.books(tokens, deadline));
    const entries = [...new Set(tokens)].map((token) => {
      const book = found.get(canonicalTokenId(token));
      return [token, JSON.stringify(book ? cutDepth(bestFirst(book), depth) : null)] as const;
    });
    return bookResponse(headers, jsonObject(entries));
  };
}

/** The endpoints with the upstream's own paths and response bodies. */
export type ClobBookRoute = Extract<RouteName, `get-clob-${string}`>;

type Side = 'BUY' | 'SELL';

const VIEWS: Readonly<Record<ClobBookRoute, (book: OrderBook, side: Side) => unknown>> = {
  'get-clob-book': (book) => book,
  'get-clob-midpoint': (book) => ({ mid: midpoint(book) }),
  'get-clob-price': (book, side) => ({ price: sidePrice(book, side) }),
  'get-clob-spread': (book) => ({ spread: spread(book) }),
  // The book of a token without trades has "" here. Upstream's own endpoint returns "0.5" in this case.
  'get-clob-last-trade-price': (book) => ({
    price: requireField(book, 'last_trade_price', 'last trade price') || '0.5',
    side: '',
  }),
  'get-clob-tick-size': (book) => ({ minimum_tick_size: Number(requireField(book, 'tick_size', 'tick size')) }),
  'get-clob-neg-risk': (book) => ({ neg_risk: requireField(book, 'neg_risk', 'risk type') }),
};

export const CLOB_BOOK_ROUTES = Object.keys(VIEWS) as readonly ClobBookRoute[];

/** `GET /api/clob/book` and its relatives: each makes its response from the token's order book. */
export function getClobBook<R extends ClobBookRoute>(route: R, deps: LiveBooksDeps): Endpoint<R> {
  return async ({ parameters, headers }) => {
    // Only `get-clob-price` has a side, and requires it.
    const { token_id: token, side = 'BUY' } = parameters as { readonly token_id: string; readonly side?: Side };
    return bookResponse(headers, JSON.stringify(VIEWS[route](await readBook(deps, token), side)));
  };
}

/** @throws ServiceError `no_order_book` (404), or `upstream_unavailable` (502) */
async function readBook({ books, live }: LiveBooksDeps, token: string): Promise<OrderBook> {
  const book = await live('order book', (deadline) => books.book(token, deadline));
  if (book) return book;
  throw new ServiceError(
    'no_order_book',
    'The upstream has no order book for this token. The token is unknown, or its market no longer trades.',
  );
}

/** @throws ServiceError `upstream_unavailable` (502) if the book lacks the field: old books do */
function requireField(book: OrderBook, field: 'last_trade_price' | 'tick_size' | 'neg_risk', name: string): unknown {
  if (book[field] !== undefined) return book[field];
  throw new ServiceError(
    'upstream_unavailable',
    `The upstream's order book of this token does not contain its ${name}.`,
  );
}

/** A browser revalidates its copy before it uses it, because a book is live for one second. */
function bookResponse(requestHeaders: Readonly<Record<string, string>>, text: string): HttpResponse {
  const body = requireSendable('order book', text);
  return conditional(requestHeaders, { tag: contentTag(body) }, { 'Cache-Control': cacheControl(0) }, body);
}

/**
 * The body, if Lambda can send it.
 *
 * @param what the name of the data, for the error message
 * @throws ServiceError `upstream_unavailable` (502)
 */
export function requireSendable(what: string, body: string): string {
  if (fitsResponse(body)) return body;
  throw new ServiceError('upstream_unavailable', `The upstream's ${what} is too large for a response.`, {
    cause: new Error(`${body.length} characters of ${what}`),
  });
}

/**
 * An object in the order of its entries: `JSON.stringify` sorts names that look like small integers.
 *
 * @param entries names, and values as JSON
 */
export function jsonObject(entries: readonly (readonly [name: string, value: string])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
