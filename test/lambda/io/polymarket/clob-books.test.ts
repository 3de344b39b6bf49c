import { describe, expect, it } from '@jest/globals';
import type { Level } from '../../../../lambda/core/domain/order-book.ts';
import { OrderBooks } from '../../../../lambda/io/polymarket/clob-books.ts';
import { levels, orderBook } from '../../../support/order-book.ts';
import { outcome } from '../../../support/outcome.ts';
import { hang, type Reply, send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// `OrderBooks` reads the order book of a token from CLOB while a caller waits, and checks it: a
// book has bids and asks, each a list of levels with a price and a size. A container keeps a book
// for a second.

const [LEVEL] = levels('0.5') as [Level];
/** The fields of a recorded book, and two that are not documented. */
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
const NO_BOOK = send({ error: 'No orderbook exists for the requested token id' }, 404);

const stub = await startStubUpstream();

function rig(...replies: Reply[]) {
  stub.reply(...replies);
  const { clock, upstream, warnings } = upstreamRig(stub.url);
  const books = new OrderBooks(upstream('clob'), clock);
  return {
    clock,
    warnings,
    book: (token = '7') => outcome(books.book(token, clock.now() + 4_000)),
    books: (...tokens: string[]) => outcome(books.books(tokens, clock.now() + 4_000)),
  };
}

/** A text with which `{"x":"…"}`, a book's JSON without its sides, has this length. */
const textFor = (characters: number) => 'x'.repeat(characters - '{"x":""}'.length);

/** Lists within lists: `nested(2)` is `[['x']]`. With the book around them, they have 3 levels. */
function nested(depth: number, innermost: unknown = 'x'): unknown {
  return depth === 0 ? innermost : [nested(depth - 1, innermost)];
}

/** A server that has the book of every token except 9, for calls for one book or for several. */
const sendBooks: Reply = (response, request) => {
  const bookOf = (asset_id: string) => ({ ...BOOK, asset_id });
  const token = new URL(request.url, stub.url).searchParams.get('token_id');
  if (token === '9') return NO_BOOK(response, request);
  if (token !== null) return send(bookOf(token))(response, request);
  const requested = (request.body as { token_id: string }[]).map(({ token_id }) => token_id);
  send(requested.filter((one) => one !== '9').map(bookOf))(response, request);
};

describe('the book of a token', () => {
  it('is returned with every field and in the order of upstream', async () => {
    expect(await rig(send(BOOK)).book()).toEqual(BOOK);
    expect(stub.urls).toEqual(['/book?token_id=7']);
  });

  it.each([
    ['with two empty sides', { ...BOOK, bids: [], asks: [] }],
    ['with its sides only', { bids: [LEVEL], asks: [] }],
    ['with leading zeros in its token', { ...BOOK, asset_id: '007' }],
    ['with 10,000 characters besides its sides', { bids: [], asks: [], x: textFor(10_000) }],
    ['with a field eight levels deep', { bids: [], asks: [], x: nested(7) }],
    ['of a token that was never traded', { ...BOOK, last_trade_price: '' }],
  ])('can be one %s', async (_, body) => {
    expect(await rig(send(body)).book()).toEqual(body);
  });

  it.each([{ tick_size: '' }, { neg_risk: 'true' }, { last_trade_price: '17' }])(
    'loses a bad field: %j',
    async (bad) => {
      const lost = Object.keys(bad);
      const expected = Object.fromEntries(
        Object.entries(BOOK).filter(([field]) => !lost.includes(field)),
      );
      expect(await rig(send({ ...BOOK, ...bad })).book()).toEqual(expected);
    },
  );

  it.each([
    ['a list', [BOOK]],
    ['a book without bids', { ...BOOK, bids: undefined }],
    ['a level without a size', { ...BOOK, asks: [{ price: '0.5' }] }],
    ['a price that is a number', { ...BOOK, asks: [LEVEL, { ...LEVEL, price: 0.5 }] }],
    ['a price above 1', { ...BOOK, bids: [{ ...LEVEL, price: '17' }] }],
    ['the book of another token', { ...BOOK, asset_id: '8' }],
    ['a token that is a number', { ...BOOK, asset_id: 7 }],
    ['10,001 characters besides its sides', { bids: [], asks: [], x: textFor(10_001) }],
    ['10,001 characters in a level', { bids: [{ ...LEVEL, x: textFor(10_001) }], asks: [] }],
    ['a field nine levels deep, the last empty', { bids: [], asks: [], x: nested(7, []) }],
    ['a field nine levels deep in a level', { bids: [], asks: [{ ...LEVEL, x: nested(8) }] }],
    ['a field of 300,000 numbers', { bids: [], asks: [], x: Array(300_000).fill(1) }],
  ])('is never %s', async (_, body) => {
    expect(await rig(send(body)).book()).toMatchObject({ route: 'book', failure: 'wrong_shape' });
  });

  it('is rejected without a stack overflow if a field is 100,000 levels deep', async () => {
    // Neither `nested` nor `JSON.stringify` can write such lists without an overflow.
    const lists = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const body = `{"bids":[],"asks":[],"x":${lists}}`;
    expect(await rig(send(body)).book()).toMatchObject({ failure: 'wrong_shape' });
  });

  it.each([
    ['404', NO_BOOK],
    ['400 about the token', send({ error: 'Invalid token id' }, 400)],
  ])('does not exist if upstream says %s, which is no failure', async (_, reply) => {
    const { book, warnings } = rig(reply);
    expect(await book()).toBeUndefined();
    expect(stub.requests).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it.each([
    [500, send({ error: 'error getting the orderbook' }, 500)],
    [404, send(' <html>404</html>', 404)],
    [400, send({ error: 'invalid filters' }, 400)],
  ])('is an error after another %i, without a retry', async (status, reply) => {
    const { book, warnings } = rig(reply);
    expect(await book()).toMatchObject({ failure: 'status', status });
    expect(stub.requests).toHaveLength(1);
    expect(warnings).toHaveLength(1);
  });
});

describe('the books of several tokens', () => {
  it('are read with one call, each once, in any order', async () => {
    const reply = [{ ...BOOK, asset_id: '08' }, BOOK];
    const found = (await rig(send(reply)).books('7', '008', '007', '9')) as Map<string, unknown>;
    expect(Object.fromEntries(found)).toEqual({ 7: BOOK, 8: { ...BOOK, asset_id: '08' } });
    const body = [{ token_id: '7' }, { token_id: '8' }, { token_id: '9' }];
    expect(stub.requests).toMatchObject([{ method: 'POST', url: '/books', body }]);
  });

  it.each([
    ['no list', { 7: BOOK }],
    ['the book of another token', [BOOK, { ...BOOK, asset_id: '8' }]],
  ])('are rejected with %s', async (_, body) => {
    expect(await rig(send(body)).books('7')).toMatchObject({
      route: 'books',
      failure: 'wrong_shape',
    });
  });

  it('are an error after a 404', async () => {
    expect(await rig(NO_BOOK).books('7')).toMatchObject({ status: 404 });
  });
});

describe('a cached book', () => {
  it('is read once a second, under any spelling of its token', async () => {
    const { clock, book } = rig(sendBooks);
    expect(await book('007')).toMatchObject({ asset_id: '7' });
    await clock.advance(1_000);
    expect(await book('7')).toMatchObject({ asset_id: '7' });
    expect(stub.urls).toEqual(['/book?token_id=7']);
    await clock.advance(1);
    await book('7');
    expect(stub.requests).toHaveLength(2);
  });

  it('is not in the call for several books, and those are not read again', async () => {
    const { book, books } = rig(sendBooks);
    // The token 2 is in the cache before the call for several.
    await book('2');
    const found = (await books('1', '2', '003', '9', '3')) as Map<string, object>;
    expect([...found.keys()].sort()).toEqual(['1', '2', '3']);
    expect(found.get('3')).toMatchObject({ asset_id: '3' });
    expect(stub.requests[1]?.body).toEqual(['1', '3', '9'].map((token) => ({ token_id: token })));
    // That the token 9 has no book is cached, too.
    await books('9', '1');
    expect(await book('9')).toBeUndefined();
    expect(await book('3')).toMatchObject({ asset_id: '3' });
    expect(stub.requests).toHaveLength(2);
  });
});

it.each(['book', 'books'] as const)(
  'a call for %s that hangs is made again after half of its four seconds',
  async (name) => {
    const { clock, ...read } = rig(hang);
    const result = read[name]('7');
    await stub.received(1);
    await clock.advance(2_000);
    await stub.received(2);
    await clock.advance(2_000);
    expect(await result).toMatchObject({ failure: 'timeout' });
    expect(stub.requests).toHaveLength(2);
  },
);
