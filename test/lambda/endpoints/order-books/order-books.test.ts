// The endpoints for the order book of one token and for those of several. They read the books from
// CLOB while the caller waits, and put the best prices first.

import { describe, expect, it } from '@jest/globals';
import {
  getOrderBook,
  listOrderBooks,
} from '../../../../lambda/endpoints/order-books/order-books.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { levels, orderBook } from '../../../support/order-book.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { liveRig } from '../../../support/upstream-rig.ts';

/** Upstream sends the best prices last. An old book lacks the newer fields. */
const OLD_BOOK = orderBook(['0.1', '0.45'], ['0.9', '0.55'], { asset_id: '7' });
const BOOK = { ...OLD_BOOK, tick_size: '0.001', neg_risk: true, last_trade_price: '0.25' };
const BEST_FIRST = { ...BOOK, bids: BOOK.bids.toReversed(), asks: BOOK.asks.toReversed() };
const NO_BOOK = send({ error: 'No orderbook exists for the requested token id' }, 404);
const LIVE = { 'Cache-Control': 'public, max-age=0, s-maxage=0, stale-if-error=0' };

const stub = await startStubUpstream();

/** The endpoints for one book and for several, over the stub. */
function rig() {
  const deps = liveRig(stub.url);
  const one = getOrderBook(deps);
  const several = listOrderBooks(deps);
  return {
    ...deps,
    get: async (query = 'token_id=7', headers: Record<string, string> = {}) =>
      await one(endpointRequest('get-order-book', `/api/clob/order-book?${query}`, headers)),
    list: async (query: string) =>
      await several(endpointRequest('list-order-books', `/api/clob/order-books?${query}`)),
  };
}

describe('an order book', () => {
  it('is the one of upstream with the best prices first [sentence 29]', async () => {
    stub.reply(send(BOOK));
    const { get } = rig();
    const body = JSON.stringify(BEST_FIRST);
    expect(await get()).toMatchObject({ status: 200, body, headers: LIVE });
  });

  it('is a 304 to its ETag', async () => {
    stub.reply(send(BOOK));
    const { get } = rig();
    const etag = (await get()).headers.ETag ?? '';
    expect((await get('token_id=7', { 'if-none-match': etag })).status).toBe(304);
  });

  it('is cut to a depth [sentence 29]', async () => {
    stub.reply(send(BOOK));
    const cut = JSON.parse((await rig().get('token_id=7&depth=1')).body);
    expect(cut).toMatchObject({ bids: levels('0.45'), asks: levels('0.55') });
  });

  it('is read once for all depths', async () => {
    stub.reply(send(BOOK));
    const { get } = rig();
    await get('token_id=7&depth=1');
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

  describe('whose call fails', () => {
    const twoCallers = async () => {
      stub.reply(send('', 500), send(BOOK));
      const { get, warnings } = rig();
      const errors = await Promise.all([outcome(get()), outcome(get('token_id=7&depth=1'))]);
      return { get, warnings, errors };
    };

    it('is a 502 for all who share the call [sentence 36]', async () => {
      const cause = { name: 'UpstreamError', route: 'book', failure: 'status' };
      const error = { code: 'upstream_unavailable', cause };
      expect((await twoCallers()).errors).toMatchObject([error, error]);
    });

    it('is logged once', async () => {
      const { warnings } = await twoCallers();
      expect(warnings).toMatchObject([{ upstream: 'clob', route: 'book', failure: 'status' }]);
    });

    it('is read again by the next request', async () => {
      const { get } = await twoCallers();
      expect((await get()).status).toBe(200);
    });
  });
});

describe('several order books', () => {
  const list = async (query: string) => {
    stub.reply(send([BOOK, { ...OLD_BOOK, asset_id: '80' }]));
    return await rig().list(query);
  };

  it('have the best prices first, at the depth of the request', async () => {
    const { status, body, headers } = await list('token_id=80,7&depth=1');
    const best = { bids: levels('0.45'), asks: levels('0.55') };
    expect(status).toBe(200);
    expect(headers).toMatchObject(LIVE);
    expect(JSON.parse(body)).toEqual({
      80: { asset_id: '80', ...best },
      7: { ...BOOK, ...best },
    });
  });

  it('are named by the tokens as the caller wrote them, in that order', async () => {
    const { body } = await list('token_id=80,007,80');
    expect(body.match(/"\d+":\{/g)).toEqual(['"80":{', '"007":{']);
  });

  it('have null for a token without a book', async () => {
    expect(JSON.parse((await list('token_id=80,7,9')).body)).toMatchObject({ 9: null });
  });
});

it('a token without an order book is a 404 and no warning', async () => {
  stub.reply(NO_BOOK);
  const { warnings, get } = rig();
  expect(await outcome(get())).toMatchObject({ name: 'ServiceError', code: 'no_order_book' });
  expect(warnings).toEqual([]);
});
