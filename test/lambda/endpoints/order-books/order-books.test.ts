import { describe, expect, it } from '@jest/globals';
import {
  getOrderBook,
  listOrderBooks,
} from '../../../../lambda/endpoints/order-books/order-books.ts';
import type { HttpResponse } from '../../../../lambda/http/response.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { levels, orderBook } from '../../../support/order-book.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { liveRig } from '../../../support/upstream-rig.ts';

const OLD_BOOK = orderBook(['0.1', '0.45'], ['0.9', '0.55'], { asset_id: '7' });
const BOOK = { ...OLD_BOOK, tick_size: '0.001', neg_risk: true, last_trade_price: '0.25' };
const BEST_FIRST = { ...BOOK, bids: BOOK.bids.toReversed(), asks: BOOK.asks.toReversed() };
const NO_BOOK = send({ error: 'No orderbook exists for the requested token id' }, 404);
const LIVE = { 'Cache-Control': 'public, max-age=0, s-maxage=0, stale-if-error=0' };

const stub = await startStubUpstream();

function rig() {
  const deps = liveRig(stub.url);
  const one = getOrderBook(deps);
  const several = listOrderBooks(deps);
  return {
    ...deps,
    get: async (
      query = 'token_id=7',
      headers: Record<string, string> = {},
    ): Promise<HttpResponse> =>
      await one(endpointRequest('get-order-book', `/api/clob/order-book?${query}`, headers)),
    list: async (query: string): Promise<HttpResponse> =>
      await several(endpointRequest('list-order-books', `/api/clob/order-books?${query}`)),
  };
}

describe('an order book', () => {
  it('is the one of upstream with the best prices first [sentence 29]', async () => {
    stub.reply(send(BOOK));
    const { get } = rig();
    const book = await get();
    expect(book).toMatchObject({ status: 200, body: JSON.stringify(BEST_FIRST), headers: LIVE });
    expect((await get('token_id=7', { 'if-none-match': book.headers.ETag ?? '' })).status).toBe(
      304,
    );
  });

  it('is cut to a depth, and read once for all depths [sentence 29]', async () => {
    stub.reply(send(BOOK));
    const { get } = rig();
    const cut = JSON.parse((await get('token_id=7&depth=1')).body);
    expect(cut).toMatchObject({ bids: levels('0.45'), asks: levels('0.55') });
    expect(JSON.parse((await get()).body)).toEqual(BEST_FIRST);
    expect(stub.requests).toHaveLength(1);
  });

  it('with more levels than Lambda can send is a 502, unless the caller wants fewer', async () => {
    stub.reply(
      send({ ...BOOK, bids: Array(150_000).fill({ price: '0.5', size: '12345678.123456' }) }),
    );
    const { get } = rig();
    expect(await outcome(get())).toMatchObject({
      code: 'upstream_unavailable',
      message: "The upstream's order book is too large for a response.",
    });
    expect((await get('token_id=7&depth=10')).status).toBe(200);
  });

  it('is a 502 for all who share a call that fails, logged once, and is read again afterwards [sentence 36]', async () => {
    stub.reply(send('', 500), send(BOOK));
    const { get, warnings } = rig();
    const errors = await Promise.all([outcome(get()), outcome(get('token_id=7&depth=1'))]);
    const cause = { name: 'UpstreamError', route: 'book', failure: 'status' };
    expect(errors).toMatchObject(Array(2).fill({ code: 'upstream_unavailable', cause }));
    expect(warnings).toMatchObject([{ upstream: 'clob', route: 'book', failure: 'status' }]);
    expect((await get()).status).toBe(200);
  });
});

it('several order books are named by their tokens as the caller wrote them, in that order, best prices first', async () => {
  stub.reply(send([BOOK, { ...OLD_BOOK, asset_id: '80' }]));
  const best = { bids: levels('0.45'), asks: levels('0.55') };
  const expected = [
    ['80', { asset_id: '80', ...best }],
    ['007', { ...BOOK, ...best }],
    ['9', null],
  ].map(([token, book]) => `${JSON.stringify(token)}:${JSON.stringify(book)}`);
  expect(await rig().list('token_id=80,007,9,80&depth=1')).toMatchObject({
    status: 200,
    body: `{${expected.join(',')}}`,
    headers: LIVE,
  });
  expect(stub.requests).toMatchObject([
    { url: '/books', body: [{ token_id: '80' }, { token_id: '7' }, { token_id: '9' }] },
  ]);
});

it('a token without an order book is a 404 and no warning', async () => {
  stub.reply(NO_BOOK);
  const { warnings, get } = rig();
  expect(await outcome(get())).toMatchObject({ name: 'ServiceError', code: 'no_order_book' });
  expect(warnings).toEqual([]);
});
