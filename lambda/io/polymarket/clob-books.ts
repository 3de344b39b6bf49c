/** Single order books from CLOB, Polymarket's API for trading, while a caller waits for them. */
import { canonicalTokenId } from '../../core/domain/ids.ts';
import { isDecimal, isPrice, type Level, type OrderBook } from '../../core/domain/order-book.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { isDeeper } from '../../core/domain/values.ts';
import type { Clock } from '../platform/clock.ts';
import type { Upstream } from '../upstream/client.ts';
import type { UpstreamError } from '../upstream/upstream-error.ts';
import { asObject, type WireObject } from './json-values.ts';
import { LiveCache, readTogether } from './live-cache.ts';
import { LIVE_DEADLINE_MS } from './live-read.ts';

/** A container keeps an order book for this long. */
const ORDER_BOOK_TTL_MS = 1_000;
/** Characters of JSON in a container's cache: about 40 MB as objects. */
const ORDER_BOOK_CACHE_SIZE = 8_000_000;

/**
 * The time of the first attempt. A normal response takes a tenth of it. A dead connection uses all
 * of it, and the second attempt has the other half.
 */
const FIRST_ATTEMPT_MS = LIVE_DEADLINE_MS / 2;

/** What CLOB has for a token. Without `book`, the token has none. */
interface BookOfToken {
  readonly book?: OrderBook | undefined;
}

/**
 * Reads CLOB's order books, sorted as CLOB sends them, and caches each for a second. A token without
 * a book is cached too.
 */
export class OrderBooks {
  readonly #upstream: Upstream;
  readonly #cache: LiveCache<BookOfToken>;

  constructor(upstream: Upstream, clock: Clock) {
    this.#upstream = upstream;
    this.#cache = new LiveCache({
      clock,
      ttlMs: ORDER_BOOK_TTL_MS,
      maxSize: ORDER_BOOK_CACHE_SIZE,
      sizeOf: ({ book }) => JSON.stringify(book ?? null).length,
    });
  }

  /** The book of one token. @returns undefined if it has none @throws UpstreamError */
  async book(token: string, deadline: UnixMs): Promise<OrderBook | undefined> {
    const key = canonicalTokenId(token);
    return (await this.#cache.get(key, () => this.#readBook(key, deadline))).book;
  }

  /**
   * The books of several tokens, from one call.
   *
   * @returns books by token without leading zeros; omits tokens without a book
   * @throws UpstreamError
   */
  async books(
    tokens: readonly string[],
    deadline: UnixMs,
  ): Promise<ReadonlyMap<string, OrderBook>> {
    // One call reads all tokens that are not in the cache.
    const readUncached = readTogether((keys) => this.#readBooks(new Set(keys), deadline));
    const books = new Map<string, OrderBook>();
    const find = async (key: string): Promise<void> => {
      const { book } = await this.#cache.get(key, async () => ({ book: await readUncached(key) }));
      if (book) books.set(key, book);
    };
    await Promise.all([...new Set(tokens.map(canonicalTokenId))].map(find));
    return books;
  }

  /** Makes a call for one token. */
  #readBook(token: string, deadline: UnixMs): Promise<BookOfToken> {
    return this.#upstream.request<BookOfToken>({
      route: 'book',
      path: `/book?token_id=${token}`,
      parse: (body) => {
        const book = parseBook(body, token);
        return book && { book };
      },
      readError: (error) => (saysNoBook(error) ? {} : undefined),
      firstAttemptMs: FIRST_ATTEMPT_MS,
      deadline,
    });
  }

  /** Makes one call for all tokens. CLOB omits those without a book. */
  #readBooks(
    tokens: ReadonlySet<string>,
    deadline: UnixMs,
  ): Promise<ReadonlyMap<string, OrderBook>> {
    return this.#upstream.request({
      route: 'books',
      path: '/books',
      body: [...tokens].map((token) => ({ token_id: token })),
      parse: (body) => parseBooks(body, tokens),
      firstAttemptMs: FIRST_ATTEMPT_MS,
      deadline,
    });
  }
}

/**
 * Whether CLOB says that a token has no book: by its own 404, or by a 400 about the token. A 404 in
 * HTML comes from a gateway.
 */
function saysNoBook({ status, excerpt = '', isHtml }: UpstreamError): boolean {
  return (status === 404 && !isHtml) || (status === 400 && /invalid token id/i.test(excerpt));
}

/** Reads a list of books. @returns undefined if a book is invalid or has another token */
function parseBooks(
  body: unknown,
  requested: ReadonlySet<string>,
): ReadonlyMap<string, OrderBook> | undefined {
  if (!Array.isArray(body)) return undefined;
  const books = new Map<string, OrderBook>();
  for (const value of body) {
    const asset = asObject(value)?.asset_id;
    const token = typeof asset === 'string' ? canonicalTokenId(asset) : '';
    const book = requested.has(token) ? parseBook(value, token) : undefined;
    if (!book) return undefined;
    books.set(token, book);
  }
  return books;
}

/** Fields of a book besides its sides whose meaning is documented, and a check of their values. */
const DOCUMENTED_FIELDS = new Map<string, (value: unknown) => boolean>([
  ['tick_size', isPrice],
  ['neg_risk', (value) => typeof value === 'boolean'],
  // Empty for a token that was never traded.
  ['last_trade_price', (value) => value === '' || isPrice(value)],
]);

/**
 * Reads a book. Requires both sides, with numbers as strings (docs/upstream.md). Omits a documented
 * field if its value is malformed. A book without a token is the requested one.
 *
 * @param token without leading zeros
 * @returns undefined for any other fault, because a wrong book costs callers money
 */
function parseBook(body: unknown, token: string): OrderBook | undefined {
  const fields = asObject(body) ?? {};
  const { bids, asks, ...rest } = fields;
  const { asset_id: asset = token } = rest;
  const isOfToken = typeof asset === 'string' && canonicalTokenId(asset) === token;
  if (!isSide(bids) || !isSide(asks) || !isOfToken || !isSmall(rest)) return undefined;
  // An undocumented field has no check, and is passed on as it is.
  const passedOn = Object.entries(fields).filter(
    ([name, value]) => DOCUMENTED_FIELDS.get(name)?.(value) ?? true,
  );
  return { ...Object.fromEntries(passedOn), bids, asks };
}

function isSide(value: unknown): value is Level[] {
  return Array.isArray(value) && value.every(isLevel);
}

function isLevel(value: unknown): boolean {
  const { price, size, ...rest } = asObject(value) ?? {};
  return isPrice(price) && isDecimal(size) && isSmall(rest);
}

/** Characters of JSON that a book has besides its sides, and a level besides price and size. */
const MAX_OTHER_CHARACTERS = 10_000;
/** Deep nesting overflows the stack of `JSON.stringify` and of clients. */
const MAX_DEPTH = 8;

/** Whether fields without a documented meaning are small and flat enough to be passed on. */
function isSmall(rest: WireObject): boolean {
  return !isDeeper(rest, MAX_DEPTH) && JSON.stringify(rest).length <= MAX_OTHER_CHARACTERS;
}
