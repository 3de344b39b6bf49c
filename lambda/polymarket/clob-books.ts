import { isDecimal } from '../domain/decimal.ts';
import type { Level, OrderBook } from '../domain/order-book.ts';
import type { OrderBooks } from '../endpoints/ports.ts';
import type { Upstream } from '../http-client/client.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import { asObject } from './json-values.ts';
import { LIVE_CALL } from './live-call.ts';

const ROUTE = 'book';

/** Live order books over CLOB's single route (upstream.md). */
export class ClobBooks implements OrderBooks {
  private readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  async book(token: string, deadline: number): Promise<OrderBook | undefined> {
    const query = new URLSearchParams({ token_id: token });
    try {
      return await this.upstream.request(ROUTE, `/book?${query}`, ({ body }) => readBook(body), {
        ...LIVE_CALL,
        deadline,
        isAnswer: saysNoBook,
      });
    } catch (error) {
      if (error instanceof UpstreamError && saysNoBook(error)) return undefined;
      throw error;
    }
  }
}

/**
 * 404, and the 400 that finds fault with the token itself. An HTML page is no answer of CLOB, whatever its status.
 */
function saysNoBook({ status, excerpt = '' }: UpstreamError): boolean {
  return (status === 404 && !/^\s*</.test(excerpt)) || (status === 400 && /invalid token id/i.test(excerpt));
}

/**
 * A side may be empty but is always there, and its numbers are strings (upstream.md). Anything else is refused
 * rather than repaired: half a book read as a whole one costs a caller money.
 *
 * @throws UpstreamError `wrong_shape`
 */
function readBook(body: unknown): OrderBook {
  const book = asObject(body);
  if (!isSide(book?.bids) || !isSide(book.asks))
    throw new UpstreamError({ route: ROUTE, failure: 'wrong_shape' });
  return { ...book, bids: book.bids, asks: book.asks };
}

function isSide(value: unknown): value is Level[] {
  return Array.isArray(value) && value.every(isLevel);
}

function isLevel(value: unknown): boolean {
  const level = asObject(value);
  return isDecimal(level?.price) && isDecimal(level.size);
}
