import { describe, expect, it } from '@jest/globals';
import type { Level } from '../../../../lambda/domain/order-book.ts';
import { UpstreamError } from '../../../../lambda/http-client/upstream-error.ts';
import { ClobBooks, saysNoBook } from '../../../../lambda/polymarket/clob-books.ts';
import { levels, orderBook } from '../../../support/order-book.ts';
import {
  errorReply,
  outcomeAfter,
  type ScriptedReply,
  scriptedUpstream,
} from '../../../support/scripted-upstream.ts';

const [LEVEL] = levels('0.5') as [Level];
/** A recorded book's fields; the last two are unknown to this service. */
const BOOK = {
  ...orderBook(['0.01', '0.5']),
  market: '0xab',
  asset_id: '7',
  timestamp: '1784211751431',
  asks: [{ price: '.99', size: '35510.21', orders: 3 }],
  tick_size: '0.01',
  neg_risk: false,
  version: 'v2',
  extra: { nested: [1, null, 'x'] },
};
const NO_BOOK = errorReply(404, 'No orderbook exists for the requested token id');

function rig(...replies: ScriptedReply[]) {
  const scripted = scriptedUpstream('clob', ...replies);
  const { upstream, clock } = scripted;
  const deadline = clock.now() + 4_000;
  const books = new ClobBooks(upstream);
  return {
    ...scripted,
    book: (token = '7') => outcomeAfter(60_000, clock, books.book(token, deadline)),
    books: (...tokens: string[]) => outcomeAfter(60_000, clock, books.books(tokens, deadline)),
  };
}

/** How a reading failed; what it found instead may be too much to print. */
function failureOf(found: unknown) {
  return found instanceof UpstreamError ? [found.route, found.failure] : 'a book';
}

/** Lists within lists, so many. */
function nested(levels: number, innermost: unknown = 'x'): unknown {
  return levels === 0 ? innermost : [nested(levels - 1, innermost)];
}

describe('the book of a token', () => {
  it('is asked for by its token and passed on with every field and in the order in which it came', async () => {
    const { book, calls } = rig(BOOK);
    expect(await book()).toEqual(BOOK);
    expect(calls).toEqual([{ path: '/book', query: new URLSearchParams({ token_id: '7' }) }]);
  });

  it.each([
    ['with two empty sides', { ...BOOK, bids: [], asks: [] }],
    ['with nothing but its sides', { bids: [LEVEL], asks: [] }],
    ['that writes its token with leading zeros', { ...BOOK, asset_id: '007' }],
    ['with 10,000 characters beside its sides', { bids: [], asks: [], x: 'x'.repeat(10_000 - 8) }],
    ['with 10,000 characters in a level', { bids: [{ ...LEVEL, x: 'x'.repeat(10_000 - 8) }], asks: [] }],
    ['with a field eight levels deep', { bids: [], asks: [], x: nested(7) }],
    ['with a field eight levels deep, the last of them empty', { bids: [], asks: [], x: nested(6, []) }],
    ['with a level of a field eight levels deep', { bids: [], asks: [{ ...LEVEL, x: nested(7) }] }],
  ])('is one %s', async (_, reply) => {
    expect(await rig(reply).book()).toEqual(reply);
  });

  it.each([
    { tick_size: '' },
    { tick_size: 'abc' },
    { tick_size: '1e9' },
    { tick_size: 0.01 },
    { neg_risk: 'true' },
    { last_trade_price: true },
    { last_trade_price: '<b>' },
    { last_trade_price: '17' },
  ])('lacks a fact that cannot be one: %j', async (lie) => {
    const [field = ''] = Object.keys(lie);
    const book = await rig({ ...BOOK, ...lie }).book();
    expect(book).not.toHaveProperty(field);
    expect(book).toMatchObject({ bids: BOOK.bids, asks: BOOK.asks, extra: BOOK.extra });
  });

  it('is one whose token the caller writes with leading zeros', async () => {
    expect(await rig(BOOK).book('007')).toEqual(BOOK);
  });

  it.each([
    ['nothing', null],
    ['a list', [BOOK]],
    ['a book without bids', { ...BOOK, bids: undefined }],
    ['a book without asks', { ...BOOK, asks: undefined }],
    ['a side that is no list', { ...BOOK, asks: {} }],
    ['a level that is none', { ...BOOK, bids: [LEVEL, null] }],
    ['a level without a price', { ...BOOK, bids: [{ size: '1' }] }],
    ['a level without a size', { ...BOOK, asks: [{ price: '0.5' }] }],
    ['a price that is a number', { ...BOOK, asks: [LEVEL, { ...LEVEL, price: 0.5 }] }],
    ['a price above 1', { ...BOOK, bids: [{ ...LEVEL, price: '17' }] }],
    ['a size that is no number', { ...BOOK, bids: [{ ...LEVEL, size: 'many' }] }],
    ["another token's book", { ...BOOK, asset_id: '8' }],
    ['a token that is no text', { ...BOOK, asset_id: 7 }],
    ['10,001 characters beside its sides', { bids: [], asks: [], x: 'x'.repeat(10_001 - 8) }],
    ['10,001 characters in a level', { bids: [{ ...LEVEL, x: 'x'.repeat(10_001 - 8) }], asks: [] }],
    ['a field nine levels deep', { bids: [], asks: [], x: nested(8) }],
    ['a field nine levels deep, the last of them empty', { bids: [], asks: [], x: nested(7, []) }],
    ['a field nine levels deep after a flat one', { bids: [], asks: [], x: [1, nested(7)] }],
    ['a level with a field nine levels deep', { bids: [], asks: [{ ...LEVEL, x: nested(8) }] }],
    ['a field of 300,000 numbers', { bids: [], asks: [], x: Array(300_000).fill(1) }],
  ])('is never %s', async (_, reply) => {
    expect(failureOf(await rig(reply).book())).toEqual(['book', 'wrong_shape']);
  });

  it('is refused, and does no harm, where a field is nested 100,000 levels deep', async () => {
    const lists = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { book } = rig(new Response(`{"bids":[],"asks":[],"x":${lists}}`));
    expect(failureOf(await book())).toEqual(['book', 'wrong_shape']);
  });

  it.each([
    ['beside its sides', (field: string) => `{"bids":[],"asks":[],"x":${field}}`],
    ['in a level', (field: string) => `{"bids":[{"price":"0.5","size":"1","x":${field}}],"asks":[]}`],
  ])('is refused, and does no harm, where a long list ends in 50,000 levels %s', async (_, withField) => {
    const lists = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const { book } = rig(new Response(withField(`[${'0,'.repeat(10_001)}${lists}]`)));
    expect(failureOf(await book())).toEqual(['book', 'wrong_shape']);
  });

  it.each([
    ['404', NO_BOOK],
    ['400 about the token', errorReply(400, 'Invalid token id')],
  ])('is none where upstream says %s, which is no failure', async (_, reply) => {
    const { book, calls, failures } = rig(reply);
    expect(await book()).toBeUndefined();
    expect(calls).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it.each([
    [500, errorReply(500, 'error getting the orderbook')],
    [404, new Response('<html>404</html>', { status: 404 })],
    [400, errorReply(400, 'invalid filters')],
  ])('is an error where upstream says %i about something else, at once', async (status, reply) => {
    const { book, calls, failures } = rig(reply);
    expect(await book()).toMatchObject({ failure: 'status', status });
    expect(calls).toHaveLength(1);
    expect(failures).toHaveLength(1);
  });

  it('is asked for twice within its deadline where nothing comes', async () => {
    const { book, calls } = rig('hang');
    expect(await book()).toMatchObject({ failure: 'timeout' });
    expect(calls).toHaveLength(2);
  });
});

describe('the books of several tokens', () => {
  it('are asked for in one call, each once, and found by token, whatever their order', async () => {
    const reply = [{ ...BOOK, asset_id: '08' }, BOOK];
    const { books, calls } = rig(reply);
    expect(await books('7', '008', '007', '9')).toEqual(
      new Map([
        ['8', reply[0]],
        ['7', BOOK],
      ]),
    );
    const body = [{ token_id: '7' }, { token_id: '8' }, { token_id: '9' }];
    expect(calls).toEqual([{ path: '/books', query: new URLSearchParams(), body }]);
  });

  it('are none where upstream knows none of them', async () => {
    expect(await rig([]).books('7')).toEqual(new Map());
  });

  it.each([
    ['no list', { 7: BOOK }],
    ['one that nobody asked for', [BOOK, { ...BOOK, asset_id: '8' }]],
    ['one that does not say whose it is', [{ ...BOOK, asset_id: undefined }]],
    ['one whose token is a number', [{ ...BOOK, asset_id: 7 }]],
    ['nothing where a book should be', [null]],
    ['one without a side', [BOOK, { ...BOOK, asks: null }]],
  ])('are refused with %s', async (_, reply) => {
    expect(await rig(reply).books('7')).toMatchObject({ route: 'books', failure: 'wrong_shape' });
  });

  it('are asked for twice within their deadline where nothing comes', async () => {
    const { books, calls } = rig('hang');
    expect(await books('7')).toMatchObject({ failure: 'timeout' });
    expect(calls).toHaveLength(2);
  });

  it('are an error where upstream says 404: of the batch this is no response', async () => {
    expect(await rig(NO_BOOK).books('7')).toMatchObject({ status: 404 });
  });
});

describe('an error that says that there is no book', () => {
  it.each([
    [404, undefined, true],
    [404, '{"error":"No orderbook exists"}', true],
    [404, '{"error":"no <b>book</b>"}', true],
    [404, '<html>', false],
    [404, ' \n\t<html>', false],
    [400, '{"error":"Invalid token id"}', true],
    [400, '{"error":"invalid filters"}', false],
    [400, undefined, false],
    [500, '{"error":"Invalid token id"}', false],
    [undefined, undefined, false],
  ])('%p %p: %p', (status, excerpt, expected) => {
    expect(saysNoBook(new UpstreamError({ route: 'book', failure: 'status', status, excerpt }))).toBe(
      expected,
    );
  });
});
