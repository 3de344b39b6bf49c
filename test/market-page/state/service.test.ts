import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ListContent } from '../../../packages/market-page/src/state/list.ts';
import { readView } from '../../../packages/market-page/src/state/view.ts';

// The page's module that calls the service. It counts the requests that the service's limit still
// allows, caches reads, and reads lists page after page.

/** A fake network: records the requests, and gives each the response that a test sets. */
class FakeNetwork {
  readonly urls: URL[] = [];
  response = new Response();

  readonly fetch = async ({ url }: Request): Promise<Response> => {
    this.urls.push(new URL(url));
    return this.response.clone();
  };
}

let network = new FakeNetwork();
beforeEach(() => {
  network = new FakeNetwork();
});

// The module reads the globals of a browser when it is loaded. So this file sets them first and
// imports the module afterwards. The module keeps the limit and its cache between tests.
const realFetch = globalThis.fetch;
Object.assign(globalThis, {
  window: new EventTarget(),
  location: { origin: 'http://page' },
  fetch: (request: Request) => network.fetch(request),
});
const { cached, client, requestsLeft } = await import(
  '../../../packages/market-page/src/state/service.ts'
);
const { readList } = await import('../../../packages/market-page/src/state/list.ts');
afterAll(() => {
  globalThis.fetch = realFetch;
});

const json = (body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { headers });

describe('the requests left', () => {
  const leftAfter = async (response: Response) => {
    network.response = response;
    await client.status().catch(() => undefined);
    return requestsLeft();
  };

  it('are what the last response says, and stay after a response that says nothing', async () => {
    expect(await leftAfter(json({}, { ratelimit: '"per-ip";r=41;t=30' }))).toBe(41);
    expect(await leftAfter(json({}))).toBe(41);
  });

  it('are none after a rejection', async () => {
    const rejection = new Response('{}', { status: 429, headers: { 'retry-after': '1' } });
    expect(await leftAfter(rejection)).toBe(0);
    expect(await leftAfter(json({}, { ratelimit: '"per-ip";r=59;t=60' }))).toBe(59);
  });
});

describe('a cached read', () => {
  it('is one read until it expires', async () => {
    const read = jest.fn(async () => 'value');
    await cached('for a minute', 60_000, read);
    expect(await cached('for a minute', 60_000, read)).toBe('value');
    expect(read).toHaveBeenCalledTimes(1);
    await cached('expired', 0, read);
    await cached('expired', 0, read);
    expect(read).toHaveBeenCalledTimes(1 + 2);
  });

  it('is not cached if it fails', async () => {
    const fails = () => Promise.reject(new Error('failed'));
    await expect(cached('failed once', 60_000, fails)).rejects.toThrow('failed');
    expect(await cached('failed once', 60_000, async () => 'value')).toBe('value');
  });
});

describe('a list', () => {
  const { signal } = new AbortController();
  const headers = { 'x-total-count': '3', 'x-snapshot-id': 'snapshot-1' };

  it('continues in the snapshot of its first request, and has each row once', async () => {
    network.response = json([{ id: 'a' }, { id: 'b' }], headers);
    const first = await readList(readView('/?sort=volume24h'), undefined, signal);
    // The second page repeats a row of the first.
    network.response = json([{ id: 'b' }], headers);
    const all: ListContent = await readList(first.view, first, signal);
    expect(all.markets.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(first.total).toBe(3);
    expect(first.offset).toBe(2);
    expect(all.offset).toBe(2 + 1);
    const requests = network.urls.map(({ searchParams }) => Object.fromEntries(searchParams));
    const sort = 'volume24h';
    expect(requests).toEqual([
      expect.objectContaining({ sort, limit: '50', offset: '0' }),
      expect.objectContaining({ sort, limit: '300', offset: '2', snapshot: 'snapshot-1' }),
    ]);
    expect(requests[0]).not.toHaveProperty('snapshot');
  });

  it.each([
    { address: '/?view=events', path: '/api/events' },
    { address: '/?q=fed', path: '/api/markets/search' },
    { address: '/event/fed', path: '/api/markets' },
  ])('at $address comes from $path', async ({ address, path }) => {
    network.response = json([], headers);
    const { total } = await readList(readView(address), undefined, signal);
    expect(network.urls.map(({ pathname }) => pathname)).toEqual([path]);
    // An empty response ends the list, whatever the header says.
    expect(total).toBe(0);
  });
});
