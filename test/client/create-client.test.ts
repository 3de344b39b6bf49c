/**
 * The client package for JavaScript: a method for each endpoint, and generators that read pages.
 * The service is a function in memory.
 */
import { describe, expect, it } from '@jest/globals';
import type { Market, MarketSelection } from '../../packages/client/src/api.ts';
import {
  type ClientOptions,
  createClient,
  type ListQuery,
} from '../../packages/client/src/create-client.ts';
import { FakeTiming, failure, fakeService, json, type Responder } from './support/fake-service.ts';

const SNAPSHOT = '20261121T120000000Z-00000001';
type Client = ReturnType<typeof createClient>;

/** A client without retries and without a cache, and the requests that it sends. */
function clientOf(responder: Responder, options: Partial<ClientOptions> = {}) {
  const service = fakeService(responder);
  const client = createClient({
    baseUrl: 'http://service',
    fetch: service.fetch,
    timing: new FakeTiming(),
    retries: 0,
    etagCacheSize: 0,
    ...options,
  });
  return { client, ...service };
}

/** Responds with five markets, two a page. The header `Link` to the next page is optional. */
const paged: Responder = (_, url) => {
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const all = [5, 4, 3, 2, 1].map((volume) => ({ volume }));
  return json(all.slice(offset, offset + 2), { 'x-total-count': '5', 'x-snapshot-id': SNAPSHOT });
};

describe('a request', () => {
  /** A call of each method, by the path that it requests. */
  const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
    '/api/markets?limit=2&fields=id,question': (client) =>
      client.markets({ limit: 2, fields: ['id', 'question'] }),
    '/api/markets?ids=a%26b,c': (client) => client.markets({ ids: ['a&b', 'c'] }),
    '/api/markets/search?limit=3&q=bitcoin%20%26%20co': (client) =>
      client.search('bitcoin & co', { limit: 3 }),
    '/api/markets/a%2Fb': (client) => client.market('a/b'),
    '/api/markets/a%2Fb/rules': (client) => client.marketRules('a/b'),
    '/api/events?category=crypto': (client) => client.events({ category: 'crypto' }),
    '/api/events/fed?fields=id': (client) => client.event('fed', { fields: ['id'] }),
    '/api/tags': (client) => client.tags(),
    '/api/clob/order-book?depth=3&token_id=1': (client) => client.orderBook('1', { depth: 3 }),
    '/api/clob/order-books?token_id=1,2': (client) => client.orderBooks(['1', '2']),
    '/api/clob/prices-history?interval=1w&token_id=1': (client) =>
      client.priceHistory('1', { interval: '1w' }),
    '/api/clob/prices-histories?token_id=1,2': (client) => client.priceHistories(['1', '2']),
    '/api/status': (client) => client.status(),
  };

  // A browser sends a preflight before a request with such a header.
  it.each(Object.entries(calls))(
    'to %s has no header that would need a preflight',
    async (path, call) => {
      const { client, requests } = clientOf(() => json({}));
      await call(client);
      expect(requests.map(({ url }) => url)).toEqual([`http://service${path}`]);
      expect([...(requests[0]?.headers ?? [])]).toEqual([]);
    },
  );

  it('keeps the path of the base address', async () => {
    const { client, requests } = clientOf(paged, { baseUrl: 'http://service/dev//' });
    await client.markets();
    expect(requests[0]?.url).toBe('http://service/dev/api/markets');
  });

  // A call with a key goes to API Gateway, which compresses only if gzip is the first coding.
  it('with a key has only the headers of the key and of the encoding', async () => {
    const { client, requests } = clientOf(paged, { apiKey: 'secret' });
    await client.markets();
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      'x-api-key': 'secret',
      'accept-encoding': 'gzip',
    });
  });

  it('follows redirects without a key', async () => {
    const { client, requests } = clientOf(() => json({}));
    await client.status();
    expect(requests[0]?.redirect).toBe('follow');
  });

  it('with a key follows no redirect, because `fetch` would send the key to another origin', async () => {
    const { client, requests } = clientOf(() => json({}), { apiKey: 'secret' });
    await client.status();
    expect(requests[0]?.redirect).toBe('error');
  });

  it.each([200, 503])('rejects when another server responds with %d and HTML', async (status) => {
    const { client } = clientOf(() => new Response('<html>', { status }));
    await expect(client.status()).rejects.toMatchObject({ code: `http_${status}`, status });
  });

  // In a path these would name another endpoint.
  it.each(['', '.', '..'])('for the id or the slug "%s" is not sent', async (name) => {
    const { client, requests } = clientOf(() => json([]));
    await expect(client.market(name)).rejects.toThrow(TypeError);
    await expect(client.event(name)).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });

  it.each([
    { options: {}, limitMs: 10_000 },
    { options: { timeoutMs: 500 }, limitMs: 500 },
    // The longest time of a timer in JavaScript, almost 25 days.
    { options: { timeoutMs: Number.POSITIVE_INFINITY }, limitMs: 2 ** 31 - 1 },
  ])('with the options $options may take $limitMs ms', async ({ options, limitMs }) => {
    const timing = new FakeTiming();
    const neverResponds = () => new Promise<Response>(() => undefined);
    const { client } = clientOf(neverResponds, { timing, ...options });
    const response = client.status();
    await new Promise(setImmediate);
    expect([...timing.limits].map(({ ms }) => ms)).toEqual([limitMs]);
    for (const { expire } of timing.limits) expire();
    await expect(response).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('is aborted by the signal of the caller', async () => {
    const { client } = clientOf((request) => Promise.reject(request.signal.reason));
    await expect(client.status({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });

  it.each([
    { etagCacheSize: 5, sent: 'W/"1"' },
    { etagCacheSize: 0, sent: null },
  ])(
    'has the ETag $sent of an earlier response with a cache of $etagCacheSize',
    async ({ etagCacheSize, sent }) => {
      const { client, requests } = clientOf(() => json([], { etag: 'W/"1"' }), { etagCacheSize });
      await client.markets();
      await client.markets();
      expect(requests[1]?.headers.get('if-none-match')).toBe(sent);
    },
  );
});

// The type of a market follows from the fields that the query requests. The compiler checks most of
// these tests: they would not compile if a type changed.
describe('the type of a market', () => {
  const market = { id: '0x1', question: 'Will it?', currentProbability: 5, volume: 1, spread: 0.5 };
  const { client } = clientOf(() => json([market]));

  it('has exactly the fields of the query', async () => {
    const { data } = await client.markets({ fields: ['id', 'currentProbability'] });
    // A missing name would be an error of the compiler, and so would another name.
    const names: Readonly<Record<keyof (typeof data)[number], true>> = {
      id: true,
      currentProbability: true,
    };
    expect(data[0]).toMatchObject({ id: '0x1', currentProbability: 5 });
    expect(Object.keys(names)).toHaveLength(2);
  });

  it('requires a field that every market has', async () => {
    const { data } = await client.markets({ fields: ['currentProbability'] });
    const probabilities: number[] = data.map(({ currentProbability }) => currentProbability);
    expect(probabilities).toEqual([5]);
  });

  it('has the default fields and one more, which a market can lack', async () => {
    for await (const { data } of client.pages({ fields: ['default', 'volume24h'] })) {
      const questions: string[] = data.map(({ question }) => question);
      const volumes: (number | undefined)[] = data.map(({ volume24h }) => volume24h);
      expect(questions).toEqual(['Will it?']);
      expect(volumes).toEqual([undefined]);
    }
  });

  it('has all fields in a search for all of them', async () => {
    const { data } = await client.search('x', { fields: ['all'] });
    const spreads: (number | undefined)[] = data.map(({ spread }) => spread);
    expect(spreads).toEqual([0.5]);
  });

  it('has all default fields without `fields`', async () => {
    const listed: readonly Market[] = (await client.markets({ limit: 1 })).data;
    expect(listed).toHaveLength(1);
  });

  it('has only optional fields if the fields are in a variable', async () => {
    const query: ListQuery = { fields: ['id'] };
    const found: readonly MarketSelection[] = (await client.markets(query)).data;
    const isOptional: undefined extends (typeof found)[number]['id'] ? true : false = true;
    expect(isOptional).toBe(true);
  });
});

describe('paging', () => {
  it('reads every entry once, from the snapshot of the first page', async () => {
    const { client, requests } = clientOf(paged);
    const volumes: number[] = [];
    for await (const { data } of client.pages({ limit: 3 }))
      volumes.push(...data.map(({ volume }) => volume));
    expect(volumes).toEqual([5, 4, 3, 2, 1]);
    expect(
      requests.map(({ url }) => url.replace('http://service/api/markets?limit=3&', '')),
    ).toEqual(['offset=0', `offset=2&snapshot=${SNAPSHOT}`, `offset=4&snapshot=${SNAPSHOT}`]);
  });

  it('ends at an empty page', async () => {
    const { client, requests } = clientOf(() => json([], { 'x-total-count': '5' }));
    for await (const _ of client.pages());
    expect(requests).toHaveLength(1);
  });

  it('rejects when the snapshot has expired', async () => {
    const { client } = clientOf((request, url) =>
      url.searchParams.has('snapshot') ? failure(410, 'snapshot_gone') : paged(request, url),
    );
    const pages = client.pages();
    await pages.next();
    await expect(pages.next()).rejects.toMatchObject({ code: 'snapshot_gone' });
  });

  it('over a search begins at the offset and the snapshot of its query', async () => {
    const { client, requests } = clientOf(paged);
    for await (const _ of client.searchPages('x', { offset: 3, snapshot: 'given' }));
    const path = '/api/markets/search?offset=3&snapshot=given&q=x';
    expect(requests.map(({ url }) => url)).toEqual([`http://service${path}`]);
  });

  it('over events keeps the filters of its query', async () => {
    const { client, requests } = clientOf(paged);
    for await (const _ of client.eventPages({ category: 'tech', offset: 4 }));
    const path = '/api/events?category=tech&offset=4';
    expect(requests.map(({ url }) => url)).toEqual([`http://service${path}`]);
  });
});
