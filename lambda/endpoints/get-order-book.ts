import { bestFirst, cutDepth, type OrderBook } from '../domain/order-book.ts';
import { ServiceError } from '../domain/service-error.ts';
import { cacheControl } from '../http/cache-control.ts';
import { conditional, contentTag } from '../http/conditional.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import type { LoadCache } from '../platform/load-cache.ts';
import type { LiveRead } from '../polymarket/live-call.ts';
import { liveBody } from './live-body.ts';
import type { OrderBooks } from './ports.ts';

export interface GetOrderBookOptions {
  readonly books: OrderBooks;
  readonly live: LiveRead;
  /** By token: whole books, so that every depth shares one; undefined where the upstream has none. */
  readonly cache: LoadCache<OrderBook | undefined>;
  readonly edgeCache: boolean;
}

/** `GET /api/clob/order-book`: the upstream's book, both sides best first. */
export function getOrderBook(options: GetOrderBookOptions) {
  const { books, live, cache, edgeCache } = options;
  return async (request: EndpointRequest<'get-order-book'>): Promise<HttpResponse> => {
    const { token_id: token, depth } = request.parameters;
    const { value: book, keptForMs } = await cache.get(token, () =>
      live('order book', async (deadline) => {
        const found = await books.book(token, deadline);
        return found && bestFirst(found);
      }),
    );
    if (!book) {
      throw new ServiceError(
        'no_order_book',
        'The upstream has no order book for this token: it is unknown, or its market no longer trades.',
      );
    }
    const body = liveBody('order book', JSON.stringify(cutDepth(book, depth)));
    return conditional(
      request.headers,
      { tag: contentTag(body) },
      { 'Cache-Control': cacheControl(Math.floor(keptForMs / 1_000), edgeCache) },
      () => body,
    );
  };
}
