import type { RouteName } from '../contract/routes.ts';
import { midpoint, price, spread } from '../domain/book-figures.ts';
import type { OrderBook } from '../domain/order-book.ts';
import { ServiceError } from '../domain/service-error.ts';
import { canonicalTokenId } from '../domain/token-id.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { bookResponse, existing, type LiveBooksOptions } from './live-books.ts';

/** Endpoints with the upstream's own paths and shapes. */
export type UpstreamRoute = Extract<RouteName, `get-clob-${string}`>;

interface TokenParameters {
  readonly token_id: string;
  readonly side?: 'BUY' | 'SELL';
}

type View = (book: OrderBook, parameters: TokenParameters) => unknown;

/** What each of them makes of a book. */
const VIEWS: Readonly<Record<UpstreamRoute, View>> = {
  'get-clob-book': (book) => book,
  'get-clob-midpoint': (book) => ({ mid: midpoint(book) }),
  'get-clob-price': (book, { side = 'BUY' }) => ({ price: price(book, side) }),
  'get-clob-spread': (book) => ({ spread: spread(book) }),
  'get-clob-last-trade-price': (book) => ({ price: lastTradePrice(book), side: '' }),
  'get-clob-tick-size': (book) => ({ minimum_tick_size: Number(told(book, 'tick_size')) }),
  'get-clob-neg-risk': (book) => ({ neg_risk: told(book, 'neg_risk') === true }),
};

export const UPSTREAM_ROUTE_NAMES = Object.keys(VIEWS) as readonly UpstreamRoute[];

/** `GET /api/clob/book` and its relatives: all from one book of the upstream, which is held for a moment. */
export function getClobBook<R extends UpstreamRoute>(route: R, options: LiveBooksOptions) {
  const { books, live, cache, edgeCache } = options;
  return async (request: EndpointRequest<R>): Promise<HttpResponse> => {
    const parameters = request.parameters as unknown as TokenParameters;
    const token = canonicalTokenId(parameters.token_id);
    const { value, keptForMs } = await cache.get(token, () =>
      live('order book', (deadline) => books.book(token, deadline)),
    );
    const view = VIEWS[route](existing(value), parameters);
    return bookResponse(request.headers, JSON.stringify(view), keptForMs, edgeCache);
  };
}

/** Empty upstream when a token was never traded; its own endpoint says "0.5" then. */
function lastTradePrice(book: OrderBook): unknown {
  return told(book, 'last_trade_price') || '0.5';
}

/** @throws ServiceError `upstream_unavailable` for a book that does not tell */
function told(book: OrderBook, field: string): unknown {
  const value = book[field];
  if (value !== undefined) return value;
  throw new ServiceError('upstream_unavailable', `The upstream's order book does not tell its ${field}.`, {
    cause: new Error(`No ${field}`),
  });
}
