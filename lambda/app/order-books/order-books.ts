import { bestFirst, cutDepth, type OrderBook } from '../../core/domain/order-book.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import { canonicalTokenId } from '../../core/domain/token-id.ts';
import type { OrderBooks } from '../../io/polymarket/clob-books.ts';
import type { LiveRead } from '../../io/polymarket/live-read.ts';
import type { Endpoint } from '../http/pipeline.ts';
import { cacheControl, conditional, fitsResponse, type HttpResponse } from '../http/response.ts';

export interface LiveBooksDeps {
  readonly books: Pick<OrderBooks, 'book' | 'books'>;
  readonly live: LiveRead;
}

/** `GET /api/clob/order-book`: both sides best first. */
export function getOrderBook(deps: LiveBooksDeps): Endpoint<'get-order-book'> {
  return async ({ parameters, headers }) => {
    const book = await readBook(deps, parameters.token_id);
    return bookResponse(headers, JSON.stringify(cutDepth(bestFirst(book), parameters.depth)));
  };
}

/** `GET /api/clob/order-books`: by token as the caller wrote it. */
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

/** `GET /api/clob/book`: in upstream's form. */
export function getClobBook(deps: LiveBooksDeps): Endpoint<'get-clob-book'> {
  return async ({ parameters, headers }) =>
    bookResponse(headers, JSON.stringify(await readBook(deps, parameters.token_id)));
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

/** Browsers revalidate: a book is live for one second. */
function bookResponse(requestHeaders: Readonly<Record<string, string>>, text: string): HttpResponse {
  const body = requireSendable('order book', text);
  return conditional(requestHeaders, body, { 'Cache-Control': cacheControl(0) });
}

/**
 * @param what the data, for the error message
 * @throws ServiceError `upstream_unavailable` (502) if Lambda cannot send the body
 */
export function requireSendable(what: string, body: string): string {
  if (fitsResponse(body)) return body;
  throw new ServiceError('upstream_unavailable', `The upstream's ${what} is too large for a response.`, {
    cause: new Error(`${body.length} characters of ${what}`),
  });
}

/**
 * Keeps the entries' order: `JSON.stringify` sorts names that look like small integers.
 *
 * @param entries names, and values as JSON
 */
export function jsonObject(entries: readonly (readonly [name: string, value: string])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
