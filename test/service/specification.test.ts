/**
 * docs/specification.md numbers the sentences of the request for this service. These tests show
 * those that only a request over HTTP can show, in a service with a simulated Polymarket
 * ("upstream"). Tests of lower layers show the others. `test/support/sentences-reporter.js` fails
 * a run without a test for each one.
 */
import { afterAll, expect, it, jest } from '@jest/globals';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { startTestService } from './support.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

// The clocks of upstream and of the service stand still: no price moves, and no snapshot ages.
const began = Date.now();
const service = await startTestService({ now: () => began });
afterAll(() => service.stop());
jest.spyOn(systemClock, 'now').mockReturnValue(Date.now());
/** All markets. */
const all = await service.list('/api/markets?limit=1000');
/** The token of a market that is traded. */
const token = String(all.find(({ endDate }) => Date.parse(String(endDate)) > began)?.clobTokenId);

/** What the simulated Polymarket responds. */
async function upstream<T>(path: string): Promise<T> {
  const response = await fetch(`${service.simulator.url}${path}`, {
    headers: { 'user-agent': 'test' },
  });
  return (await response.json()) as T;
}

interface Book {
  readonly asset_id: string;
  readonly bids: readonly { readonly price: string }[];
  readonly asks: readonly { readonly price: string }[];
}
interface History {
  readonly history: readonly { readonly t: number; readonly p: number }[];
}
const bookOf = async (id: unknown) =>
  (await service.get(`/api/clob/order-book?token_id=${id}`)).json as Book;
const search = (q: string) => service.list(`/api/markets/search?q=${encodeURIComponent(q)}`);

it('an order book is the one of upstream, best prices first [sentence 5]', async () => {
  const theirs = await upstream<Book>(`/book?token_id=${token}`);
  expect(await bookOf(token)).toEqual({
    ...theirs,
    bids: theirs.bids.toReversed(),
    asks: theirs.asks.toReversed(),
  });
});

it('lists and searches make no call to upstream [sentence 7]', async () => {
  service.simulator.clearCalls();
  for (let n = 0; n < 20; n++) await service.list(`/api/markets?offset=${n}`);
  await search('election');
  expect(service.simulator.calls()).toEqual({});
});

it.each([
  '/api/markets',
  '/api/markets/search?q=tech',
  `/api/clob/order-book?token_id=${token}`,
  '/nothing',
])('%s responds with JSON [sentence 9]', async (path) => {
  const { headers } = await service.get(path);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});

it('a browser gets a page at a wrong address [sentence 9]', async () => {
  const headers = { accept: 'text/html,*/*;q=0.8' };
  const response = await service.get('/nothing', { headers });
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.text).toContain('<a href="/">Show all markets');
});

it.each([
  { path: '/nothing', accept: '*/*' },
  { path: '/api/nothing', accept: 'text/html' },
])('$path for Accept: $accept is a 404 with JSON [sentence 9]', async ({ path, accept }) => {
  const { status, headers } = await service.get(path, { headers: { accept } });
  expect(status).toBe(404);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});

it('a list with format=csv is CSV [sentence 9]', async () => {
  const { headers } = await service.get('/api/markets?format=csv');
  expect(headers.get('content-type')).toContain('text/csv');
});

it('wrong credentials change nothing, as none are read [sentence 10]', async () => {
  const headers = { authorization: 'Bearer wrong' };
  expect((await service.get('/api/markets', { headers })).status).toBe(200);
});

it('every probability is between 0 and 100 [sentence 13]', async () => {
  expect(all.length).toBeGreaterThan(300);
  for (const { currentProbability } of all) {
    expect(currentProbability).toBeGreaterThanOrEqual(0);
    expect(currentProbability).toBeLessThanOrEqual(100);
  }
});

it('a probability from a book is its middle in percent [sentence 13]', async () => {
  const rows = await service.list(
    '/api/markets?limit=1000&fields=clobTokenId,currentProbability,priceSource',
  );
  const fromBooks = rows.filter(({ priceSource }) => priceSource === 'book');
  expect(fromBooks.length).toBeGreaterThan(300);
  for (const { clobTokenId, currentProbability } of fromBooks.slice(0, 20)) {
    const { bids, asks } = await bookOf(clobTokenId);
    // Without bids or asks, the price can be anything from 0 or to 1.
    const bestBid = Number(bids[0]?.price ?? 0);
    const bestAsk = Number(asks[0]?.price ?? 1);
    expect(currentProbability).toBeCloseTo((100 * (bestBid + bestAsk)) / 2, 3);
  }
});

it('a search returns the objects of the list [sentence 19]', async () => {
  const byId = new Map(all.map((market) => [market.id, market]));
  const found = await search('election');
  expect(found).toHaveLength(20);
  expect(found).toEqual(found.map(({ id }) => byId.get(id)));
});

it.each([
  { ignored: 'the signs & = ? # %', text: 'bit&co=in?#%' },
  { ignored: 'the case', text: 'BitCoin' },
])('a search ignores $ignored [sentence 24]', async ({ text }) => {
  const plain = await search('bitcoin');
  expect(plain.length).toBeGreaterThan(0);
  expect(await search(text)).toEqual(plain);
});

it('a search returns 20 results without a limit [sentence 25]', async () => {
  expect(await search('sports')).toHaveLength(20);
});

it('a search returns at most 50 results [sentence 25]', async () => {
  expect(await service.list('/api/markets/search?q=sports&limit=51')).toHaveLength(50);
});

it('every outcome of a market has its order book [sentence 28]', async () => {
  const { outcomes } = (await service.get(`/api/markets/${token}`)).json as {
    outcomes: { tokenId: string }[];
  };
  expect(outcomes).toHaveLength(2);
  for (const { tokenId } of outcomes)
    expect(await bookOf(tokenId)).toMatchObject({ asset_id: tokenId });
});

it('a price history has the prices of upstream at their times [sentence 31]', async () => {
  const { history } = (await service.get(`/api/clob/prices-history?token_id=${token}&interval=1d`))
    .json as History;
  const window = `startTs=${history[0]?.t}&endTs=${history.at(-1)?.t}`;
  const theirs = await upstream<History>(`/prices-history?market=${token}&${window}&fidelity=1`);
  expect(history.length).toBeGreaterThan(1_000);
  const prices = new Map(theirs.history.map(({ t, p }) => [t, p]));
  for (const { t, p } of history.slice(0, 1_000)) expect([t, p]).toEqual([t, prices.get(t)]);
});
