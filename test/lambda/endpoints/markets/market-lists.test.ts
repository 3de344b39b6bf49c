import { describe, expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { SearchIndex } from '../../../../lambda/core/search/search-index.ts';
import { listMarkets, searchMarkets } from '../../../../lambda/endpoints/markets/market-lists.ts';
import { endpointRequest, snapshotDeps } from '../../../support/endpoint-request.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';

type Headers = Readonly<Record<string, string>>;

/** The list and the search over a snapshot, 10 s after its prices. */
function setUp(markets: readonly Market[], asOf = AS_OF) {
  const snapshot = loadedSnapshot(markets, asOf, new SearchIndex());
  const deps = { ...snapshotDeps(snapshot), now: () => asOf + 10_000 };
  const [list, search] = [listMarkets(deps), searchMarkets(deps)];
  return {
    snapshot,
    list: async (query: string, headers?: Headers, path = '/api/markets') =>
      await list(endpointRequest('list-markets', `${path}${query}`, headers)),
    search: async (query: string) =>
      await search(endpointRequest('search-markets', `/api/markets/search${query}`)),
    /** As a tool calls them: without a query. */
    parsed: async (limit: number) =>
      await list({ ...endpointRequest('list-markets', `/api/markets?limit=${limit}`), sent: {} }),
  };
}

/** The targets of a Link header by their relation. */
function linksOf({ headers }: { headers: Headers }): Record<string, string> {
  const links = [...(headers.Link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, target = '', rel = '']) => [rel, target]));
}

/** The questions of a response, in order. */
const questions = ({ body }: { body: string }) =>
  JSON.parse(body).map(({ question }: Market) => question);

describe('GET /api/markets', () => {
  const { list, parsed, snapshot } = setUp(testMarkets(600));

  it('is an array of the first 500 markets, one per line, and names the total and the snapshot [sentence 20]', async () => {
    const { status, body, headers } = await list('');
    expect(status).toBe(200);
    const lines = Array.from({ length: 500 }, (_, n) => snapshot.defaultRow(n));
    expect(body === `[${lines.join(',\n')}]`).toBe(true);
    expect(headers).toMatchObject({
      'X-Total-Count': '600',
      'X-Snapshot-Id': snapshot.info.id,
      'Cache-Control': 'public, max-age=110, s-maxage=0, stale-if-error=0',
      'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      // The time of the oldest page, not of its reading.
      'X-Catalogue-As-Of': new Date(snapshot.info.cataloguePricesAsOf).toISOString(),
    });
    expect(headers).not.toHaveProperty('Content-Type');
  });

  it('filters and sorts by the parameters', async () => {
    const response = await list('?order=asc&minVolume=999500&limit=2');
    expect(questions(response)).toEqual(['Will event 500 happen?', 'Will event 499 happen?']);
    expect(response.headers['X-Total-Count']).toBe('501');
  });

  it('rejects a range that no market lies in', async () => {
    const empty = list('?endsAfter=2026-12-01&endsBefore=2026-12-01');
    await expect(empty).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('depends on the parameters and the format, also without a query', async () => {
    const queries = ['?fields=all', '?fields=id', '?fields=all&format=csv'];
    const bodies = await Promise.all(queries.map(async (query) => (await list(query)).body));
    expect(new Set(bodies).size).toBe(3);
    const lengths = await Promise.all(
      [2, 3].map(async (limit) => JSON.parse((await parsed(limit)).body).length),
    );
    expect(lengths).toEqual([2, 3]);
  });

  it('has the same tag in the next snapshot while its content is the same', async () => {
    const responses = [0, 60_000].map((later) =>
      setUp(testMarkets(9), AS_OF + later).list('?limit=20'),
    );
    const [before, after] = await Promise.all(responses);
    expect(before?.headers.ETag).toEqual(expect.any(String));
    expect(after?.headers.ETag).toBe(before?.headers.ETag);
  });
});

describe('the links of a list', () => {
  const { list, snapshot } = setUp(testMarkets(100));

  it.each([
    ['/api/markets', 'sort=volume'],
    ['/dev/api/markets', 'sort=volume'],
    ['/api/markets', 'minVolume=1.0'],
    ['/api/markets', 'minVolume=1'],
  ])('repeat the path %s and the query %s as sent, and name the snapshot', async (path, query) => {
    const links = linksOf(await list(`?limit=40&offset=40&${query}&unknown=1`, {}, path));
    const target = (offset: number) =>
      `${path}?${query}&limit=40&offset=${offset}&snapshot=${snapshot.info.id}`;
    expect(links).toEqual({
      next: target(80),
      prev: target(0),
      first: target(0),
      last: target(80),
    });
  });

  it.each([
    [13, ['next', 'prev', 'first', 'last']],
    [20, ['next', 'prev']],
    [40, ['next']],
    [100, []],
  ])('have at most 4 KB: a query of %i ids has %j', async (count, relations) => {
    const ids = Array.from({ length: count }, (_, n) => snapshot.market(n).id).join(',');
    const response = await list(`?limit=5&offset=5&ids=${ids}`);
    expect(Buffer.byteLength(response.headers.Link ?? '')).toBeLessThanOrEqual(4_096);
    expect(Object.keys(linksOf(response))).toEqual(relations);
    expect(response.headers['X-Total-Count']).toBe(String(count));
  });

  it('lead forwards to every market once where a response is cut to what Lambda accepts', async () => {
    /** Quotes take two bytes once the body is encoded. The last markets are the longest. */
    const image = (n: number) => '"'.repeat(n < 1_200 ? 1_000 + n : 6_000);
    const large = Array.from({ length: 1_500 }, (_, n) => testMarket(n, { image: image(n) }));
    const { list: cut } = setUp(large);
    const seen: string[] = [];
    let target: string | undefined = '?fields=image,id&limit=1500';
    for (let requests = 0; target !== undefined && requests < 10; requests += 1) {
      const response = await cut(target.replace('/api/markets', ''));
      expect(Buffer.byteLength(JSON.stringify(response.body))).toBeLessThanOrEqual(
        MAX_RESPONSE_BYTES,
      );
      seen.push(...JSON.parse(response.body).map(({ id }: Market) => id));
      target = linksOf(response).next;
    }
    expect(seen).toEqual(large.map(({ id }) => id));
  });
});

it('CSV is sent for format=csv, with the names of the fields first', async () => {
  const { list, search } = setUp([testMarket(0, { question: 'Will bitcoin, rise?' })]);
  const { body, headers } = await list('?format=csv&fields=question,volume');
  expect(body).toBe('question,volume\r\n"Will bitcoin, rise?",1000000\r\n');
  expect(headers).toMatchObject({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="markets.csv"',
  });
  expect((await search('?q=bitcoin&format=csv&fields=volume')).body).toBe('volume\r\n1000000\r\n');
  expect((await list('', { accept: 'text/csv' })).body).toMatch(/^\[/);
});

describe('GET /api/markets/search', () => {
  const { search } = setUp([
    testMarket(0, { question: 'Will it rain?', categories: [] }),
    testMarket(1, { question: 'Will bitcoin rise?', liquidity: 10 }),
    testMarket(2, { question: 'Will bitcoin or ethereum fall?', liquidity: 20 }),
  ]);

  it('responds with the markets that match, and says how [sentence 3]', async () => {
    const response = await search('?q=bitcoin');
    expect(questions(response).toSorted()).toEqual([
      'Will bitcoin or ethereum fall?',
      'Will bitcoin rise?',
    ]);
    expect(response.headers).toMatchObject({ 'X-Total-Count': '2', 'X-Search-Match': 'all' });
    expect((await search('?q=bitcoin+zebra')).headers['X-Search-Match']).toBe('any');
  });

  it('filters, sorts and slices as the list', async () => {
    expect(questions(await search('?q=bitcoin&minLiquidity=20'))).toEqual([
      'Will bitcoin or ethereum fall?',
    ]);
    const sorted = await search('?q=bitcoin&sort=liquidity&order=asc&limit=1');
    expect(questions(sorted)).toEqual(['Will bitcoin rise?']);
    const path = '/api/markets/search?q=bitcoin&sort=liquidity&order=asc&limit=1&offset=1&';
    expect(linksOf(sorted).next?.slice(0, path.length)).toBe(path);
  });
});
