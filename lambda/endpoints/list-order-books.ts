import { bestFirst, cutDepth, type OrderBook } from '../domain/order-book.ts';
import { canonicalTokenId } from '../domain/token-id.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { bookResponse, type LiveBooksOptions } from './live-books.ts';

/** `GET /api/clob/order-books`: several books with one call to the upstream, for those that are not held. */
export function listOrderBooks({ books, live, cache, edgeCache }: LiveBooksOptions) {
  /** Loads all the tokens that are asked for in the same turn together. */
  const loadTogether = () => {
    const missing: string[] = [];
    let loading: Promise<ReadonlyMap<string, OrderBook>> | undefined;
    return async (token: string): Promise<OrderBook | undefined> => {
      missing.push(token);
      loading ??= Promise.resolve().then(() =>
        live('order books', (deadline) => books.books(missing, deadline)),
      );
      const found = (await loading).get(token);
      return found && bestFirst(found);
    };
  };
  return async ({ parameters, headers }: EndpointRequest<'list-order-books'>): Promise<HttpResponse> => {
    const { depth } = parameters;
    const load = loadTogether();
    const tokens = [...new Set(parameters.token_id)];
    const loaded = await Promise.all(
      tokens.map((token) => {
        const key = canonicalTokenId(token);
        return cache.get(key, () => load(key));
      }),
    );
    const entries = loaded.map(({ value: book }, n) => {
      const text = book ? JSON.stringify(cutDepth(book, depth)) : 'null';
      return `${JSON.stringify(tokens[n])}:${text}`;
    });
    const keptForMs = Math.min(...loaded.map((one) => one.keptForMs));
    return bookResponse(headers, `{${entries.join(',')}}`, keptForMs, edgeCache);
  };
}
