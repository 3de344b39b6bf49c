import { bestFirst, cutDepth } from '../domain/order-book.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { bookResponse, existing, type LiveBooksOptions } from './live-books.ts';

export type GetOrderBookOptions = LiveBooksOptions;

/** `GET /api/clob/order-book`: the upstream's book, both sides best first. The cache holds whole books for every depth. */
export function getOrderBook({ books, live, cache, edgeCache }: GetOrderBookOptions) {
  return async (request: EndpointRequest<'get-order-book'>): Promise<HttpResponse> => {
    const { token_id: token, depth } = request.parameters;
    const { value: book, keptForMs } = await cache.get(token, () =>
      live('order book', async (deadline) => {
        const found = await books.book(token, deadline);
        return found && bestFirst(found);
      }),
    );
    const text = JSON.stringify(cutDepth(existing(book), depth));
    return bookResponse(request.headers, text, keptForMs, edgeCache);
  };
}
