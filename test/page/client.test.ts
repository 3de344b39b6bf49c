import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { listen } from '../../local/simulator/listen.ts';
import { newPage, pageTests } from './support.ts';

// The client package in a browser, on a page of another origin than the service. A preflight is the
// OPTIONS request that a browser sends before a request that needs permission.

const { browser, url } = pageTests({ markets: 150 });
let site: Server;
let origin: string;

/** Serves a page with the client package as its script. */
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ['packages/client/src/index.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  site = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? script : '<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title>',
    );
  });
  origin = await listen(site, 0);
});
afterAll(() => {
  site?.close();
});

/** Runs in the page. It uses the client as a web site does, and returns what it got. */
async function program(baseUrl: string) {
  const path = '/client.js';
  const { createClient, ApiError }: typeof import('../../packages/client/src/index.ts') =
    await import(path);
  const client = createClient({ baseUrl });
  const list = await client.markets({ limit: 5, sort: 'liquidity' });
  const token = list.data[0]?.clobTokenId ?? '';
  const book = await client.orderBook(token, { depth: 1 });
  const books = await client.orderBooks([token, '123']);
  let walked = 0;
  for await (const page of client.pages({ limit: 50 })) walked += page.data.length;
  const error: unknown = await client.orderBook('123').catch((thrown: unknown) => thrown);
  return {
    snapshot: list.snapshot,
    total: list.total,
    age: list.ageSeconds,
    levels: book.data.bids.length + book.data.asks.length,
    missingBooks: Object.values(books.data).filter((entry) => entry === null).length,
    walked,
    code: ApiError.is(error) ? error.code : String(error),
  };
}

it('a page of another origin uses the client package without preflights', async () => {
  const { page, problems } = await newPage(browser(), origin);
  const preflights: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'OPTIONS') preflights.push(request.url());
  });
  await page.goto(origin);
  const seen = await page.evaluate(program, url());
  expect(seen).toMatchObject({
    snapshot: expect.stringMatching(/^\d{8}T\d{9}Z-[0-9a-f]{8}$/),
    missingBooks: 1,
    walked: seen.total,
    code: 'no_order_book',
  });
  // The service serves no prices older than 150 s.
  expect(seen.age).toBeLessThanOrEqual(150);
  expect(seen.levels).toBeGreaterThan(0);
  // Requests to another origin are problems. Here the service is one.
  const errors = problems.filter((problem) => !problem.startsWith(url()));
  expect(preflights).toEqual([]);
  expect(errors).toEqual([]);
});
