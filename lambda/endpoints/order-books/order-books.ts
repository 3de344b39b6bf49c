/**
 * The endpoints of live order books: the bids and asks of one outcome token, or of several. They read
 * them from CLOB, Polymarket's exchange, while the caller waits.
 */
import { canonicalTokenId } from '../../core/domain/ids.ts';
import { bestFirst, cutDepth } from '../../core/domain/order-book.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import {
  cacheControl,
  conditional,
  type HttpResponse,
  jsonObject,
  requireSendable,
} from '../../http/response.ts';
import type { OrderBooks } from '../../io/polymarket/clob-books.ts';
import type { LiveRead } from '../../io/polymarket/live-read.ts';

/** What the endpoints of order books use. */
export interface LiveBooksDeps {
  readonly books: Pick<OrderBooks, 'book' | 'books'>;
  readonly live: LiveRead;
}

/** `GET /api/clob/order-book`: the live order book of a token, both sides best first. */
export function getOrderBook({ books, live }: LiveBooksDeps): Endpoint<'get-order-book'> {
  return async ({ parameters, headers }) => {
    const book = await live('order book', (deadline) => books.book(parameters.token_id, deadline));
    if (book) {
      const shown = cutDepth(bestFirst(book), parameters.depth);
      return bookResponse(headers, JSON.stringify(shown));
    }
    throw new ServiceError(
      'no_order_book',
      'The upstream has no order book for this token. The token is unknown, or its market no longer trades.',
    );
  };
}

/**
 * `GET /api/clob/order-books`: live order books, by token as the caller wrote it. A token without a
 * book has `null`.
 */
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

/** Browsers revalidate: a book is live for one second. */
function bookResponse(
  requestHeaders: Readonly<Record<string, string>>,
  text: string,
): HttpResponse {
  const body = requireSendable('order book', text);
  return conditional(requestHeaders, body, { 'Cache-Control': cacheControl(0) });
}
