import { ORDER_BOOK_KEPT_MS, ORDER_BOOKS_HELD } from '../contract/constants.ts';
import type { RouteName } from '../contract/routes.ts';
import { midpoint, price, spread } from '../domain/book-figures.ts';
import type { OrderBook } from '../domain/order-book.ts';
import { canonicalTokenId } from '../domain/token-id.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Clock } from '../platform/clock.ts';
import { LoadCache } from '../platform/load-cache.ts';
import { bookResponse, existing, type LiveBooksOptions } from './live-books.ts';
import type { BookFact, BookFacts } from './ports.ts';

/** Endpoints with the upstream's own paths and shapes. */
export type UpstreamRoute = Extract<RouteName, `get-clob-${string}`>;

interface TokenParameters {
  readonly token_id: string;
  readonly side?: 'BUY' | 'SELL';
}

/** A field of the book; older books lack the last ones, which the upstream then tells by itself. */
type Told = (field: ToldField) => Promise<string | boolean>;
type ToldField = 'last_trade_price' | 'neg_risk' | 'tick_size';

type View = (book: OrderBook, parameters: TokenParameters, told: Told) => unknown;

/** What each of them makes of a book. */
const VIEWS: Readonly<Record<UpstreamRoute, View>> = {
  'get-clob-book': (book) => book,
  'get-clob-midpoint': (book) => ({ mid: midpoint(book) }),
  'get-clob-price': (book, { side = 'BUY' }) => ({ price: price(book, side) }),
  'get-clob-spread': (book) => ({ spread: spread(book) }),
  // Empty in the book when the token was never traded; the upstream's own endpoint says "0.5" then.
  'get-clob-last-trade-price': async (_book, _parameters, told) => ({
    price: (await told('last_trade_price')) || '0.5',
    side: '',
  }),
  'get-clob-tick-size': async (_book, _parameters, told) => ({
    minimum_tick_size: Number(await told('tick_size')),
  }),
  'get-clob-neg-risk': async (_book, _parameters, told) => ({ neg_risk: (await told('neg_risk')) === true }),
};

/** Where the upstream tells each field by itself. */
const FACTS: Readonly<Record<ToldField, BookFact>> = {
  last_trade_price: 'last-trade-price',
  neg_risk: 'neg-risk',
  tick_size: 'tick-size',
};

export const UPSTREAM_ROUTE_NAMES = Object.keys(VIEWS) as readonly UpstreamRoute[];

export interface ClobBookOptions extends LiveBooksOptions {
  readonly facts: BookFacts;
  /** By fact and token; undefined where the upstream has none. */
  readonly factCache: LoadCache<string | boolean | undefined>;
}

/** Facts of a moment ago, in one container. */
export function factCache(clock: Clock): LoadCache<string | boolean | undefined> {
  return new LoadCache({
    clock,
    keptMs: ORDER_BOOK_KEPT_MS,
    maxEntries: ORDER_BOOKS_HELD,
    maxSize: ORDER_BOOKS_HELD,
    sizeOf: () => 1,
  });
}

/** `GET /api/clob/book` and its relatives: all from one book of the upstream, which is held for a moment. */
export function getClobBook<R extends UpstreamRoute>(route: R, options: ClobBookOptions) {
  const { books, live, cache, edgeCache } = options;
  return async (request: EndpointRequest<R>): Promise<HttpResponse> => {
    const parameters = request.parameters as unknown as TokenParameters;
    const token = canonicalTokenId(parameters.token_id);
    const { value, keptForMs } = await cache.get(token, () =>
      live('order book', (deadline) => books.book(token, deadline)),
    );
    const book = existing(value);
    const told = (field: ToldField) => toldBy(book, field, token, options);
    const view = await VIEWS[route](book, parameters, told);
    return bookResponse(request.headers, JSON.stringify(view), keptForMs, edgeCache);
  };
}

/** @throws ServiceError `no_order_book` or `upstream_unavailable` where the upstream does not tell either */
async function toldBy(
  book: OrderBook,
  field: ToldField,
  token: string,
  { facts, factCache: cache, live }: ClobBookOptions,
): Promise<string | boolean> {
  const own = book[field];
  if (typeof own === 'string' || typeof own === 'boolean') return own;
  const name = FACTS[field];
  const { value } = await cache.get(`${name} ${token}`, () =>
    live(name.replaceAll('-', ' '), (deadline) => facts.fact(name, token, deadline)),
  );
  return existing(value);
}
