import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { openPage } from './support/browser.ts';
import { pageService } from './support/page-service.ts';

const { browser, service } = pageService({ upstream: { markets: 150 } });

let site: Server;
let origin: string;

/** A page of somebody else, which has the packed client beside it. */
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ['packages/client/src/index.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const client = outputFiles[0]?.text ?? '';
  site = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? client : '<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title>',
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => {
  site?.close();
});

/** What runs in the page. */
async function program(baseUrl: string) {
  const path = '/client.js';
  const { createClient, ApiError } = (await import(
    path
  )) as typeof import('../../packages/client/src/index.ts');
  const client = createClient({ baseUrl });
  const list = await client.markets({ limit: 5, sort: 'liquidity' });
  const again = await client.markets({ limit: 5, sort: 'liquidity' });
  const found = await client.search('will', { limit: 2 });
  const token = list.data[0]?.clobTokenId ?? '';
  const book = await client.orderBook(token, { depth: 1 });
  const books = await client.orderBooks([token, '123']);
  const history = await client.priceHistory(token, { interval: '1d' });
  const one = await client.market(token);
  let walked = 0;
  for await (const page of client.pages({ limit: 50 })) walked += page.data.length;
  let followed = 0;
  for await (const { markets } of client.follow({ everySeconds: 60 })) {
    followed = markets.length;
    break;
  }
  const code = await client.orderBook('123').catch((error: unknown) => {
    return ApiError.is(error, 'no_order_book') ? error.code : String(error);
  });
  return {
    origin: location.origin,
    age: list.ageSeconds,
    snapshot: list.snapshot,
    total: list.total,
    same: JSON.stringify(again.data) === JSON.stringify(list.data),
    found: found.data.length,
    levels: book.data.bids.length + book.data.asks.length,
    books: Object.values(books.data).filter((entry) => entry === null).length,
    points: history.data.history.length,
    id: one.data.id === list.data[0]?.id,
    walked,
    followed,
    code,
  };
}

describe('the client in a page of another origin', () => {
  it('reads everything it reads elsewhere, headers included, and complains of nothing', async () => {
    const { page, context, complaints } = await openPage(browser(), origin);
    try {
      const preflights: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'OPTIONS') preflights.push(request.url());
      });
      await page.goto(`${origin}/`);
      const { url } = service().service;
      expect(new URL(url).origin).not.toBe(origin);
      const seen = await page.evaluate(program, url);
      expect(seen).toMatchObject({
        origin,
        snapshot: expect.stringMatching(/^\d{8}T\d{9}Z-[0-9a-f]{8}$/),
        same: true,
        found: 2,
        books: 1,
        id: true,
        walked: seen.total,
        followed: seen.total,
        code: 'no_order_book',
      });
      expect(seen.age).toBeLessThanOrEqual(120);
      expect(seen.total).toBeGreaterThan(100);
      expect(seen.levels).toBeGreaterThan(0);
      expect(seen.points).toBeGreaterThan(100);
      expect(preflights).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
