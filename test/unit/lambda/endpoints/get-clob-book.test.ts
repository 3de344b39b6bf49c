import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { factCache, getClobBook, type UpstreamRoute } from '../../../../lambda/endpoints/get-clob-book.ts';
import { orderBookCache } from '../../../../lambda/endpoints/live-books.ts';
import type { EndpointRequest } from '../../../../lambda/http/pipeline.ts';
import { ClobBooks } from '../../../../lambda/polymarket/clob-books.ts';
import { ClobFacts } from '../../../../lambda/polymarket/clob-facts.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { orderBook } from '../../../support/order-book.ts';
import {
  liveStub,
  type Reply,
  type StubUpstream,
  send,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';

const OLD_BOOK = orderBook([], [], { asset_id: '7' });
const NEW_BOOK = { ...OLD_BOOK, tick_size: '0.001', neg_risk: true, last_trade_price: '0.25' };
const EMPTY = { ...NEW_BOOK, last_trade_price: '' };
/** What upstream's own endpoints say; other than the books do, so that it shows who was asked. */
const FACTS: Readonly<Record<string, unknown>> = {
  '/tick-size': { minimum_tick_size: 0.01 },
  '/neg-risk': { neg_risk: false },
  '/last-trade-price': { price: '0.5', side: 'BUY' },
};

let stub: StubUpstream;
beforeAll(async () => {
  stub = await startStubUpstream();
});
afterAll(() => stub.close());

/** Upstream with this book and these facts. */
async function ask(route: UpstreamRoute, book: unknown, facts = FACTS, times = 1) {
  const asked: string[] = [];
  const reply: Reply = (response, request) => {
    const { pathname } = new URL(request.url ?? '', stub.url);
    asked.push(pathname);
    const found = pathname === '/book' ? book : facts[pathname];
    send(found ?? { error: 'No orderbook exists for the requested token id' }, found ? 200 : 404)(
      response,
      request,
    );
  };
  stub.reply(reply);
  const clock = new ManualClock();
  const { upstreams, live } = liveStub(stub.url, clock);
  const endpoint = getClobBook(route, {
    books: new ClobBooks(upstreams.clob),
    facts: new ClobFacts(upstreams.clob),
    live,
    cache: orderBookCache(clock),
    factCache: factCache(clock),
    edgeCache: false,
  });
  let body = '';
  for (let n = 0; n < times; n += 1) {
    const request = { parameters: { token_id: '7' }, headers: {} } as EndpointRequest<UpstreamRoute>;
    ({ body } = await endpoint(request));
  }
  return { body: JSON.parse(body), asked };
}

describe('what a book tells of its market', () => {
  it.each([
    ['get-clob-tick-size', { minimum_tick_size: 0.001 }],
    ['get-clob-neg-risk', { neg_risk: true }],
    ['get-clob-last-trade-price', { price: '0.25', side: '' }],
  ] as const)('%s is read from it with no further call', async (route, told) => {
    expect(await ask(route, NEW_BOOK)).toEqual({ body: told, asked: ['/book'] });
  });

  it.each([
    ['get-clob-tick-size', { minimum_tick_size: 0.01 }, '/tick-size'],
    ['get-clob-neg-risk', { neg_risk: false }, '/neg-risk'],
    ['get-clob-last-trade-price', { price: '0.5', side: '' }, '/last-trade-price'],
  ] as const)('%s of an older book is what upstream says itself, asked once', async (route, told, path) => {
    expect(await ask(route, OLD_BOOK, FACTS, 3)).toEqual({ body: told, asked: ['/book', path] });
  });

  it.each([
    ['get-clob-tick-size', { tick_size: 'abc' }, { minimum_tick_size: 0.01 }],
    ['get-clob-tick-size', { tick_size: '' }, { minimum_tick_size: 0.01 }],
    ['get-clob-tick-size', { tick_size: true }, { minimum_tick_size: 0.01 }],
    ['get-clob-tick-size', { tick_size: '1e9' }, { minimum_tick_size: 0.01 }],
    ['get-clob-neg-risk', { neg_risk: 'true' }, { neg_risk: false }],
    ['get-clob-last-trade-price', { last_trade_price: true }, { price: '0.5', side: '' }],
    ['get-clob-last-trade-price', { last_trade_price: '<b>' }, { price: '0.5', side: '' }],
  ] as const)('%s is not believed where it says %j: upstream is asked', async (route, lie, told) => {
    const { body, asked } = await ask(route, { ...NEW_BOOK, ...lie });
    expect(body).toEqual(told);
    expect(asked).toHaveLength(2);
  });

  it('a token that was never traded was last traded at "0.5", as upstream has it', async () => {
    expect(await ask('get-clob-last-trade-price', EMPTY)).toMatchObject({
      body: { price: '0.5' },
      asked: ['/book'],
    });
  });

  it.each([
    ['get-clob-tick-size', { '/tick-size': { minimum_tick_size: 'small' } }],
    ['get-clob-neg-risk', { '/neg-risk': { neg_risk: 'no' } }],
    ['get-clob-last-trade-price', { '/last-trade-price': [] }],
  ] as const)('%s is no guess where upstream tells nonsense', async (route, facts) => {
    await expect(ask(route, OLD_BOOK, facts)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });

  it('is not there where upstream knows it neither way', async () => {
    await expect(ask('get-clob-tick-size', OLD_BOOK, {})).rejects.toMatchObject({ code: 'no_order_book' });
  });
});
