import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ListContent } from '../../../packages/market-page/src/state/list.ts';
import { readView } from '../../../packages/market-page/src/state/view.ts';

// The module of the page reads the globals of a browser when it is loaded. So this file sets them
// first and imports the module afterwards. The module keeps the limit and its cache between tests.

/** Answers the page's requests; the page has no other contact with the browser here. */
let respond: (url: URL) => Response;
const urls: URL[] = [];
const realFetch = globalThis.fetch;
Object.assign(globalThis, {
  window: new EventTarget(),
  location: { origin: 'http://page' },
  fetch: async ({ url }: Request) => {
    urls.push(new URL(url));
    return respond(new URL(url));
  },
});
const { cached, client, requestsLeft } = await import(
  '../../../packages/market-page/src/state/service.ts'
);
const { readList } = await import('../../../packages/market-page/src/state/list.ts');

beforeEach(() => {
  urls.length = 0;
});
afterAll(() => {
  globalThis.fetch = realFetch;
});

const json = (body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { headers });

describe('the limit', () => {
  const statusWith = async (response: Response) => {
    respond = () => response;
    await client.status().catch(() => undefined);
    return requestsLeft();
  };

  it('is what the last response says, and stays after a response without it', async () => {
    expect(await statusWith(json({}, { ratelimit: '"per-ip";r=41;t=30' }))).toBe(41);
    expect(await statusWith(json({}))).toBe(41);
  });

  it('has no request left after a rejection', async () => {
    expect(
      await statusWith(new Response('{}', { status: 429, headers: { 'retry-after': '1' } })),
    ).toBe(0);
    expect(await statusWith(json({}, { ratelimit: '"per-ip";r=59;t=60' }))).toBe(59);
  });
});

describe('a cached read', () => {
  it('is one request until it expires, and an error is not cached', async () => {
    let reads = 0;
    const read = async () => ++reads;
    expect(await cached('a', 60_000, read)).toBe(1);
    expect(await cached('a', 60_000, read)).toBe(1);
    expect(await cached('b', 0, read)).toBe(2);
    expect(await cached('b', 0, read)).toBe(3);
    await expect(cached('c', 60_000, () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
    expect(await cached('c', 60_000, read)).toBe(4);
  });
});

describe('a list', () => {
  const { signal } = new AbortController();
  const headers = { 'x-total-count': '3', 'x-snapshot-id': 'snapshot-1' };

  it('continues in the snapshot of its first request, and has each row once', async () => {
    respond = () => json([{ id: 'a' }, { id: 'b' }], headers);
    const first = await readList(readView('/?sort=volume24h'), undefined, signal);
    respond = () => json([{ id: 'b' }], headers);
    const all: ListContent = await readList(first.view, first, signal);
    expect(all.markets.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(first.total).toBe(3);
    expect(first.offset).toBe(2);
    expect(all.offset).toBe(3);
    const requests = urls.map(({ searchParams }) => Object.fromEntries(searchParams));
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({ sort: 'volume24h', limit: '50', offset: '0' });
    expect(requests[0]).not.toHaveProperty('snapshot');
    expect(requests[1]).toMatchObject({
      sort: 'volume24h',
      limit: '300',
      offset: '2',
      snapshot: 'snapshot-1',
    });
  });

  it.each([
    ['/?view=events', '/api/events'],
    ['/?q=fed', '/api/markets/search'],
    ['/event/fed', '/api/markets'],
  ])('at %s comes from %s', async (address, path) => {
    respond = () => json([], headers);
    const { total } = await readList(readView(address), undefined, signal);
    expect(urls.map(({ pathname }) => pathname)).toEqual([path]);
    // An empty response ends the list, whatever the header says.
    expect(total).toBe(0);
  });
});
