import { isDecimal, isPrice } from '../domain/decimal.ts';
import type { Level, OrderBook } from '../domain/order-book.ts';
import { canonicalTokenId } from '../domain/token-id.ts';
import type { OrderBooks } from '../endpoints/ports.ts';
import type { Upstream } from '../http-client/client.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import { asObject, type WireObject } from './json-values.ts';
import { LIVE_CALL } from './live-call.ts';

const ROUTE = 'book';
const BATCH_ROUTE = 'books';

/** Live order books over CLOB's single and batch routes (upstream.md). */
export class ClobBooks implements OrderBooks {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  async book(token: string, deadline: number): Promise<OrderBook | undefined> {
    const query = new URLSearchParams({ token_id: token });
    try {
      return await this.#upstream.request(
        ROUTE,
        `/book?${query}`,
        ({ body }) => readBook(ROUTE, body, token),
        {
          ...LIVE_CALL,
          deadline,
          isResponse: saysNoBook,
        },
      );
    } catch (error) {
      if (error instanceof UpstreamError && saysNoBook(error)) return undefined;
      throw error;
    }
  }

  async books(tokens: readonly string[], deadline: number): Promise<ReadonlyMap<string, OrderBook>> {
    const wanted = new Set(tokens.map(canonicalTokenId));
    const body = [...wanted].map((token) => ({ token_id: token }));
    const read = (response: { body: unknown }) => readBooks(response.body, wanted);
    return await this.#upstream.request(BATCH_ROUTE, '/books', read, { ...LIVE_CALL, deadline }, body);
  }
}

/** @throws UpstreamError `wrong_shape`, also for a book that nobody asked for or that does not say whose it is */
function readBooks(body: unknown, wanted: ReadonlySet<string>): ReadonlyMap<string, OrderBook> {
  if (!Array.isArray(body)) throw new UpstreamError({ route: BATCH_ROUTE, failure: 'wrong_shape' });
  return new Map(
    body.map((book: unknown): [string, OrderBook] => {
      const asset = asObject(book)?.asset_id;
      const token = typeof asset === 'string' ? canonicalTokenId(asset) : '';
      if (!wanted.has(token)) throw new UpstreamError({ route: BATCH_ROUTE, failure: 'wrong_shape' });
      return [token, readBook(BATCH_ROUTE, book, token)];
    }),
  );
}

/**
 * 404, and the 400 that finds fault with the token itself. An HTML page is no response of CLOB, whatever its status.
 */
export function saysNoBook({ status, excerpt = '' }: UpstreamError): boolean {
  return (status === 404 && !/^\s*</.test(excerpt)) || (status === 400 && /invalid token id/i.test(excerpt));
}

/** Most characters, as JSON, of what a book has beside its two sides, and of one level beyond price and size. */
const MAX_REST_CHARACTERS = 10_000;
/** How deep a field may be nested that is passed on as it is: JSON writers give up far above, readers sooner. */
const MAX_DEPTH = 8;

/**
 * A side may be empty but is always there, and its numbers are strings (upstream.md). Anything else is refused
 * rather than repaired: half a book read as a whole one costs a caller money, and so does another token's book.
 *
 * @throws UpstreamError `wrong_shape`
 */
function readBook(route: string, body: unknown, token: string): OrderBook {
  const book = asObject(body);
  if (!book || !isSide(book.bids) || !isSide(book.asks) || !isOf(token, book)) {
    throw new UpstreamError({ route, failure: 'wrong_shape' });
  }
  const { bids, asks, ...rest } = book;
  if (!isPlain(rest)) throw new UpstreamError({ route, failure: 'wrong_shape' });
  return { ...withReadableFacts(book), bids, asks };
}

/** Fields of known meaning, and whether a value can be one. */
const FACTS = new Map<string, (value: unknown) => boolean>([
  ['tick_size', isPrice],
  ['neg_risk', (value) => typeof value === 'boolean'],
  // Empty when the token was never traded.
  ['last_trade_price', (value) => value === '' || isPrice(value)],
]);

/** A fact that cannot be one is left out, as in an older book: whoever wants it asks upstream for it alone. */
function withReadableFacts(book: WireObject): WireObject {
  return Object.fromEntries(Object.entries(book).filter(([name, value]) => FACTS.get(name)?.(value) ?? true));
}

/** A book that names no token at all is believed to be the one that was asked for. */
function isOf(token: string, { asset_id: asset }: WireObject): boolean {
  if (asset === undefined) return true;
  return typeof asset === 'string' && canonicalTokenId(asset) === canonicalTokenId(token);
}

function isSide(value: unknown): value is Level[] {
  return Array.isArray(value) && value.every(isLevel);
}

function isLevel(value: unknown): boolean {
  const level = asObject(value);
  if (!level || !isPrice(level.price) || !isDecimal(level.size)) return false;
  const { price, size, ...rest } = level;
  return isPlain(rest);
}

/** Whether fields of unknown meaning are small and flat enough to be passed on. */
function isPlain(rest: WireObject): boolean {
  return isFlat(rest) && JSON.stringify(rest).length <= MAX_REST_CHARACTERS;
}

/** Whether a value has no more levels than these, and no list of more values than a book may have characters. */
function isFlat(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  const inner = Object.values(value);
  return inner.length <= MAX_REST_CHARACTERS && inner.every((one) => isFlat(one, levels - 1));
}
