import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LIVE_DEADLINE_MS, ORDER_BOOK_KEPT_MS } from '../../../../lambda/contract/constants.ts';
import type { OrderBook } from '../../../../lambda/domain/order-book.ts';
import { getOrderBook } from '../../../../lambda/endpoints/get-order-book.ts';
import type { EndpointRequest } from '../../../../lambda/http/pipeline.ts';
import type { HttpResponse } from '../../../../lambda/http/response.ts';
import { LoadCache } from '../../../../lambda/platform/load-cache.ts';
import { ClobBooks } from '../../../../lambda/polymarket/clob-books.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { levels, orderBook } from '../../../support/order-book.ts';
import {
  BAD_REPLIES,
  endless,
  hang,
  hangInBody,
  LIMITED_REPLIES,
  liveStub,
  type Reply,
  reset,
  type StubUpstream,
  send,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';

const BOOK = orderBook(['0.01', '0.5'], ['0.99', '0.51'], {
  market: '0x1',
  asset_id: '7',
  timestamp: '1784211751431',
  tick_size: '0.01',
});
const [LEVEL] = BOOK.bids;
/** The book of whichever token is asked for. */
const anyBook: Reply = (response, request) => {
  const asset_id = new URL(request.url ?? '', stub.url).searchParams.get('token_id');
  send({ ...BOOK, asset_id })(response, request);
};
const BEST_FIRST = { ...BOOK, bids: BOOK.bids.toReversed(), asks: BOOK.asks.toReversed() };
const NO_BOOK = send({ error: 'No orderbook exists for the requested token id' }, 404);

let stub: StubUpstream;
beforeAll(async () => {
  stub = await startStubUpstream();
});
afterAll(() => stub.close());

function rig(url = stub.url, edgeCache = false) {
  const clock = new ManualClock();
  const { upstreams, live, logged, counted } = liveStub(url, clock);
  const cache = new LoadCache<OrderBook | undefined>({
    clock,
    keptMs: ORDER_BOOK_KEPT_MS,
    maxEntries: 2,
    maxSize: 100_000,
    sizeOf: (book) => JSON.stringify(book ?? null).length,
  });
  const endpoint = getOrderBook({ books: new ClobBooks(upstreams.clob), live, cache, edgeCache });
  const get = (token = '7', depth?: number, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    endpoint({ parameters: { token_id: token, depth }, headers } as EndpointRequest<'get-order-book'>);
  return { clock, get, logged, counted };
}

const body = ({ body: text }: HttpResponse): OrderBook => JSON.parse(text);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'a response',
    (error: unknown) => error,
  );

describe('an order book', () => {
  it('is the one of upstream with the best prices first', async () => {
    stub.reply(send(BOOK));
    const { get } = rig();
    const response = await get('7');
    expect(response.status).toBe(200);
    expect(response.body).toBe(JSON.stringify(BEST_FIRST));
    expect(stub.requests).toEqual(['/book?token_id=7']);
  });

  it.each([
    ['both sides', { bids: [], asks: [] }],
    ['one side', { bids: [], asks: levels('0.999') }],
  ])('may be empty on %s', async (_, sides) => {
    stub.reply(send(sides));
    expect(body(await rig().get())).toEqual(sides);
  });

  it('is asked for once, whatever the depths, for one second', async () => {
    stub.reply(send(BOOK));
    const { clock, get } = rig();
    expect(body(await get('7', 1))).toMatchObject({ bids: levels('0.5'), asks: levels('0.51') });
    await clock.advance(ORDER_BOOK_KEPT_MS);
    expect(body(await get('7'))).toEqual(BEST_FIRST);
    expect(stub.requests).toHaveLength(1);
    await clock.advance(1);
    await get('7');
    expect(stub.requests).toHaveLength(2);
  });

  it('is asked for once by all who ask at the same time, and once for each token', async () => {
    stub.reply(anyBook);
    const { get, counted } = rig();
    const responses = await Promise.all([get('7'), get('7', 1), get('8'), get('7')]);
    expect(responses.map(({ headers }) => headers['Cache-Control'])).toEqual(
      Array(4).fill('public, max-age=1, s-maxage=0, stale-if-error=0'),
    );
    expect(stub.requests.toSorted()).toEqual(['/book?token_id=7', '/book?token_id=8']);
    expect(counted.reduce((sum, { UpstreamCalls = 0 }) => sum + UpstreamCalls, 0)).toBe(2);
  });

  it('makes room for another when too many are held', async () => {
    stub.reply(anyBook);
    const { get } = rig();
    for (const token of ['1', '2', '3', '1']) await get(token);
    expect(stub.requests).toHaveLength(4);
  });

  it('may be kept for what is left of its second, by CloudFront only where the stage says so', async () => {
    stub.reply(send(BOOK));
    const { clock, get } = rig(stub.url, true);
    expect((await get()).headers['Cache-Control']).toBe('public, max-age=1, stale-if-error=0');
    await clock.advance(1);
    expect((await get()).headers['Cache-Control']).toBe('public, max-age=0, stale-if-error=0');
  });

  it('is told by its content from another: 304 for the one that the caller has', async () => {
    stub.reply(send(BOOK), send({ ...BOOK, timestamp: '1784211751432' }));
    const { clock, get } = rig();
    const { ETag = '', ...headers } = (await get()).headers;
    expect(ETag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(headers).not.toHaveProperty('Last-Modified');
    expect(await get('7', undefined, { 'if-none-match': ETag })).toMatchObject({ status: 304, body: '' });
    expect((await get('7', 1, { 'if-none-match': ETag })).status).toBe(200);
    const future = { 'if-modified-since': 'Sat, 21 Nov 2099 12:00:00 GMT' };
    expect((await get('7', undefined, future)).status).toBe(200);
    await clock.advance(ORDER_BOOK_KEPT_MS + 1);
    expect((await get('7', undefined, { 'if-none-match': ETag })).status).toBe(200);
  });
});

describe('a token without a book', () => {
  it.each([
    ['unknown', NO_BOOK],
    ['refused', send({ error: 'Invalid token id' }, 400)],
  ])(
    'that is %s upstream is a 404, asked for once a second, and no failure of upstream',
    async (_, reply) => {
      stub.reply(reply);
      const { clock, get, logged, counted } = rig();
      for (let n = 0; n < 2; n++) {
        expect(await failure(get())).toMatchObject({ name: 'ServiceError', code: 'no_order_book' });
      }
      expect(stub.requests).toHaveLength(1);
      expect(counted).toEqual([{ UpstreamCalls: 1, UpstreamFailures: 0 }]);
      expect(logged).toEqual([]);
      stub.reply(send(BOOK));
      await clock.advance(ORDER_BOOK_KEPT_MS + 1);
      expect((await get()).status).toBe(200);
    },
  );
});

const side = (asks: unknown) => send({ ...BOOK, asks });
const WRONG_SHAPES: typeof BAD_REPLIES = [
  ['a missing side', send({ ...BOOK, bids: undefined })],
  ['a null side', side(null)],
  ['a side that is an object', side({ 0: LEVEL })],
  ['a level that is null', side([null])],
  ['a level that is a list', side([['0.5', '10']])],
  ['a level without a size', side([{ price: '0.5' }])],
  ['a level whose price is a number', side([{ price: 0.5, size: '10' }])],
  ['a level whose price is no number', side([{ price: 'NaN', size: '10' }])],
  ['the book of another token', send({ ...BOOK, asset_id: '8' })],
  ['a book whose token is no text', send({ ...BOOK, asset_id: 7 })],
  [
    'a field nested 100,000 deep',
    send(`{"bids":[],"asks":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  ],
  [
    'a level nested 100,000 deep',
    send(`{"bids":[{"price":"1","size":"1","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}],"asks":[]}`),
  ],
  ['a field of 20 KB', send({ ...BOOK, note: 'x'.repeat(20_000) })],
  ['a body of 9 MB', send({ ...BOOK, note: 'x'.repeat(9_000_000) })],
  ['a body without an end', endless],
  ['a level whose size is negative', side([{ price: '0.5', size: '-1' }])],
  ['one bad level among good ones', side([LEVEL, { price: '', size: '10' }])],
];

describe('a bad upstream', () => {
  it.each([...BAD_REPLIES, ...WRONG_SHAPES])(
    'that responds with %s is a 502 in our words',
    async (name, reply) => {
      stub.reply(reply);
      const { get, logged, counted } = rig();
      expect(await failure(get())).toMatchObject({
        name: 'ServiceError',
        code: 'upstream_unavailable',
        ...(LIMITED_REPLIES.has(name)
          ? { retryAfterSeconds: name.endsWith('asks to wait') ? 60 : 10 }
          : { message: 'The upstream gave no usable order book; try again in a few seconds.' }),
        cause: { name: 'UpstreamError', route: 'book' },
      });
      expect(counted).toEqual([expect.objectContaining({ UpstreamFailures: stub.requests.length })]);
      expect(logged).toHaveLength(stub.requests.length);
    },
  );

  it('that gives more levels than Lambda can return is a 502, unless fewer are asked for', async () => {
    stub.reply(send({ ...BOOK, bids: Array(150_000).fill({ ...LEVEL, size: '12345678.123456' }) }));
    const { get } = rig();
    expect(await failure(get())).toMatchObject({
      code: 'upstream_unavailable',
      message: "The upstream's order book is too large to be passed on.",
    });
    expect((await get('7', 10)).status).toBe(200);
  });

  it('that refuses connections is a 502, and the reason is in the log', async () => {
    const gone = await startStubUpstream();
    await gone.close();
    const { get, logged } = rig(gone.url);
    expect(await failure(get())).toMatchObject({ code: 'upstream_unavailable' });
    expect(logged[0]).toMatchObject({
      message: 'Upstream call failed',
      keys: {
        upstream: 'clob',
        route: 'book',
        failure: 'network',
        reason: expect.stringContaining('ECONNREFUSED'),
      },
    });
  });

  it.each([
    ['before it responds', hang],
    ['in the middle of its response', hangInBody],
  ])('that hangs %s is a 502 within 5 s', async (_, reply) => {
    expect(LIVE_DEADLINE_MS).toBeLessThan(5_000);
    stub.reply(reply);
    const { clock, get } = rig();
    const result = failure(get());
    await stub.received(1);
    // Another connection is tried after half of the time.
    await clock.advance(LIVE_DEADLINE_MS / 2);
    await stub.received(2);
    await clock.advance(LIVE_DEADLINE_MS / 2);
    expect(await result).toMatchObject({
      code: 'upstream_unavailable',
      message: 'The upstream did not respond with the order book in time; try again in a few seconds.',
    });
    expect(stub.requests).toHaveLength(2);
  });

  it('is asked once more, at once, when the socket was stale, within the same deadline', async () => {
    stub.reply(reset, send(BOOK));
    const { get, counted } = rig();
    expect((await get()).status).toBe(200);
    expect(counted).toEqual([{ UpstreamCalls: 2, UpstreamFailures: 1, UpstreamRetries: 1 }]);

    stub.reply(reset, hang);
    const late = rig();
    const result = failure(late.get());
    await stub.received(2);
    await late.clock.advance(LIVE_DEADLINE_MS);
    expect(await result).toMatchObject({ code: 'upstream_unavailable' });
  });

  it('is not asked again for anything else', async () => {
    stub.reply(send('', 503));
    await failure(rig().get());
    expect(stub.requests).toHaveLength(1);
  });

  it('that has recovered is asked again at once: failures are not kept', async () => {
    stub.reply(send('', 500), send(BOOK));
    const { get } = rig();
    expect(await failure(get())).toMatchObject({ code: 'upstream_unavailable' });
    expect((await get()).status).toBe(200);
  });

  it('is a 502 for all who share the call', async () => {
    stub.reply(send('', 500));
    const { get } = rig();
    const errors = await Promise.all([failure(get()), failure(get('7', 1))]);
    expect(errors).toEqual(Array(2).fill(expect.objectContaining({ code: 'upstream_unavailable' })));
    expect(stub.requests).toHaveLength(1);
  });
});
