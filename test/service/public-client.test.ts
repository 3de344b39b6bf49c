import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chain, ClobClient, PriceHistoryInterval, Side } from '@polymarket/clob-client-v2';
import { TestService } from './support/test-service.ts';

let service: TestService;
let client: ClobClient;
let token: string;

beforeAll(async () => {
  service = await TestService.start({ environment: { REQUESTS_PER_MINUTE: 'off' } });
  await service.service.refresh();
  const { json } = await service.call(
    '/api/markets?limit=100&fields=clobTokenId,minimumTickSize&maxSpread=0.1',
  );
  // Some of the simulated books are of an older form that does not tell its tick size.
  for (const { clobTokenId } of json) {
    token = clobTokenId;
    const book = (await service.call(`/api/clob/book?token_id=${token}`)).json;
    if (book.tick_size !== undefined && book.bids.length > 0 && book.asks.length > 0) break;
  }
  client = new ClobClient({ host: `${service.service.url}/api/clob`, chain: Chain.POLYGON });
}, 120_000);
afterAll(() => service?.close());

describe("the upstream's own client with nothing but its host changed", () => {
  it("reads an order book in the upstream's own order, so that its hash verifies", async () => {
    const book = await client.getOrderBook(token);
    expect(book.asset_id).toBe(token);
    const prices = (side: { price: string }[]) => side.map(({ price }) => Number(price));
    expect(prices(book.bids)).toEqual(prices(book.bids).sort((a, b) => a - b));
    expect(prices(book.asks)).toEqual(prices(book.asks).sort((a, b) => b - a));
    const text = JSON.stringify({ ...book, hash: '' });
    expect(createHash('sha1').update(text).digest('hex')).toBe(book.hash);
  });

  it('reads midpoint, prices and spread of that book', async () => {
    const book = await client.getOrderBook(token);
    const [bid, ask] = [book.bids.at(-1), book.asks.at(-1)].map((level) => Number(level?.price));
    const { mid } = (await client.getMidpoint(token)) as { mid: string };
    const { price: buy } = (await client.getPrice(token, Side.BUY)) as { price: string };
    const { price: sell } = (await client.getPrice(token, Side.SELL)) as { price: string };
    const { spread } = (await client.getSpread(token)) as { spread: string };
    expect([Number(buy), Number(sell)]).toEqual([bid, ask]);
    expect(Number(mid)).toBeCloseTo(((bid ?? 0) + (ask ?? 0)) / 2, 10);
    expect(Number(spread)).toBeCloseTo((ask ?? 0) - (bid ?? 0), 10);
  });

  it('reads the last trade, the tick size and whether the market is of negative risk', async () => {
    const book = await client.getOrderBook(token);
    expect(await client.getLastTradePrice(token)).toEqual({
      price: book.last_trade_price || '0.5',
      side: '',
    });
    expect(await client.getTickSize(token)).toBe(String(Number(book.tick_size)));
    expect(await client.getNegRisk(token)).toBe(book.neg_risk);
  });

  it('reads a price history', async () => {
    const response: unknown = await client.getPricesHistory({
      market: token,
      interval: PriceHistoryInterval.ONE_WEEK,
      fidelity: 60,
    });
    const { history } = response as { history: { t: number; p: number }[] };
    expect(history.length).toBeGreaterThan(100);
    expect(history.map(({ t }) => t)).toEqual([...new Set(history.map(({ t }) => t))].sort((a, b) => a - b));
  });

  it('is told of an unknown token in the words it looks for', async () => {
    expect(await client.getOrderBook('123')).toMatchObject({
      status: 404,
      error: expect.stringContaining('order book'),
    });
  });
});

describe('several books in one request', () => {
  it('are each as the single endpoint gives them, null where there is none', async () => {
    const tokens = (await service.call('/api/markets?limit=3')).json.map(
      (market: { clobTokenId: string }) => market.clobTokenId,
    );
    const { status, json, headers } = await service.call(
      `/api/clob/order-books?token_id=${[...tokens, '123'].join()}&depth=2`,
    );
    expect([status, headers.get('etag') !== null]).toEqual([200, true]);
    expect(new Set(Object.keys(json))).toEqual(new Set([...tokens, '123']));
    expect(json['123']).toBeNull();
    for (const one of tokens) {
      const { asset_id: asset, bids, asks } = json[one];
      expect([asset, bids.length <= 2, asks.length <= 2]).toEqual([one, true, true]);
    }
  });

  it('are twenty at most', async () => {
    const many = Array.from({ length: 21 }, (_, n) => n + 1).join();
    const { status, json } = await service.call(`/api/clob/order-books?token_id=${many}`);
    expect([status, json.error]).toEqual([400, expect.stringContaining('token_id must be 1 to 20')]);
  });
});

it('can be read by a page of another origin', async () => {
  for (const path of ['book', 'midpoint', 'spread', 'tick-size', 'neg-risk', 'last-trade-price']) {
    const { headers, status } = await service.call(`/api/clob/${path}?token_id=${token}`, {
      headers: { origin: 'https://example.org' },
    });
    expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 200, '*']);
  }
});
