import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chain, ClobClient, PriceHistoryInterval } from '@polymarket/clob-client-v2';
import { ROUTES } from '../../lambda/contract/routes.ts';
import { TestService } from './support/test-service.ts';

/** Upstream's paths and ours: all that keeps its client from talking to this service. */
const PATHS: Readonly<Record<string, string>> = {
  '/book': ROUTES['get-order-book'].path,
  '/prices-history': ROUTES['get-prices-history'].path,
};

let service: TestService;
let adapter: Server;
let client: ClobClient;
let token: string;

beforeAll(async () => {
  service = await TestService.start({ environment: { REQUESTS_PER_MINUTE: 'off' } });
  await service.service.refresh();
  token = (await service.call('/api/markets?limit=1')).json[0].clobTokenId;
  adapter = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://adapter');
    response
      .writeHead(307, { location: `${service.service.url}${PATHS[pathname] ?? pathname}${search}` })
      .end();
  });
  await new Promise<void>((resolve) => {
    adapter.listen(0, '127.0.0.1', resolve);
  });
  const { port } = adapter.address() as AddressInfo;
  client = new ClobClient({ host: `http://127.0.0.1:${port}`, chain: Chain.POLYGON });
}, 60_000);
afterAll(async () => {
  adapter.closeAllConnections();
  adapter.close();
  await service.close();
});

describe("the upstream's own client, unmodified", () => {
  it('reads an order book', async () => {
    const book = await client.getOrderBook(token);
    expect(book.asset_id).toBe(token);
    const prices = (side: { price: string }[]) => side.map(({ price }) => Number(price));
    expect(prices(book.bids)).toEqual(prices(book.bids).sort((a, b) => b - a));
    expect(prices(book.asks)).toEqual(prices(book.asks).sort((a, b) => a - b));
    expect(book.bids.length + book.asks.length).toBeGreaterThan(0);
  });

  it('reads a price history', async () => {
    const answer: unknown = await client.getPricesHistory({
      market: token,
      interval: PriceHistoryInterval.ONE_WEEK,
      fidelity: 60,
    });
    const { history } = answer as { history: { t: number; p: number }[] };
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
