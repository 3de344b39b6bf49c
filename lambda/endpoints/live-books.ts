import { ORDER_BOOK_CHARACTERS_HELD, ORDER_BOOK_KEPT_MS, ORDER_BOOKS_HELD } from '../contract/constants.ts';
import type { OrderBook } from '../domain/order-book.ts';
import { ServiceError } from '../domain/service-error.ts';
import { cacheControl } from '../http/cache-control.ts';
import { conditional, contentTag } from '../http/conditional.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Clock } from '../platform/clock.ts';
import { LoadCache } from '../platform/load-cache.ts';
import { liveBody } from './live-body.ts';
import type { LiveRead, OrderBooks } from './ports.ts';

/** What the endpoints that read order books have in common. */
export interface LiveBooksOptions {
  readonly books: OrderBooks;
  readonly live: LiveRead;
  /** By token; undefined where the upstream has none. */
  readonly cache: LoadCache<OrderBook | undefined>;
  readonly edgeCache: boolean;
}

/** Books of a moment ago, in one container. */
export function orderBookCache(clock: Clock): LoadCache<OrderBook | undefined> {
  return new LoadCache({
    clock,
    keptMs: ORDER_BOOK_KEPT_MS,
    maxEntries: ORDER_BOOKS_HELD,
    maxSize: ORDER_BOOK_CHARACTERS_HELD,
    sizeOf: (book) => JSON.stringify(book ?? null).length,
  });
}

/** @throws ServiceError `no_order_book` (404) */
export function existing<T>(found: T | undefined): T {
  if (found !== undefined) return found;
  throw new ServiceError(
    'no_order_book',
    'The upstream has no order book for this token: it is unknown, or its market no longer trades.',
  );
}

/** A response made of books: told by its content, and kept no longer than they are. */
export function bookResponse(
  requestHeaders: Readonly<Record<string, string>>,
  text: string,
  keptForMs: number,
  edgeCache: boolean,
): HttpResponse {
  const body = liveBody('order book', text);
  return conditional(
    requestHeaders,
    { tag: contentTag(body) },
    { 'Cache-Control': cacheControl(Math.floor(keptForMs / 1_000), edgeCache) },
    () => body,
  );
}
