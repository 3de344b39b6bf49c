// The two lists of markets: GET /api/markets, and GET /api/markets/search. They share parameters,
// formats, headers and links to further pages.

import { describe, expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { SearchIndex } from '../../../../lambda/core/search/search-index.ts';
import { listMarkets, searchMarkets } from '../../../../lambda/endpoints/markets/market-lists.ts';
import { endpointRequest, snapshotDeps } from '../../../support/endpoint-request.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';

type Headers = Readonly<Record<string, string>>;

/** The endpoints of both lists over a snapshot, 10 s after its prices. */
function setUp(markets: readonly Market[], asOf = AS_OF) {
  const snapshot = loadedSnapshot(markets, asOf, new SearchIndex());
  const deps = { ...snapshotDeps(snapshot), now: () => asOf + 10_000 };
  const [list, search] = [listMarkets(deps), searchMarkets(deps)];
  return {
    snapshot,
    list: async (target: string, headers?: Headers) =>
      await list(endpointRequest('list-markets', target, headers)),
    search: async (target: string) => await search(endpointRequest('search-markets', target)),
    /**
     * The list as a tool of the MCP server requests it: with parameters, but without the query from
     * which these come in a request over HTTP.
     */
    listForTool: async (limit: number) =>
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
  const { list, listForTool, snapshot } = setUp(testMarkets(600));

  it('is an array of the first 500 markets, one per line [sentence 20]', async () => {
    const { status, body } = await list('/api/markets');
    expect(status).toBe(200);
    const rows = Array.from({ length: 500 }, (_, n) => snapshot.defaultRow(n));
    // `expect(body).toBe` would print 500 markets twice if it failed.
    expect(body === `[${rows.join(',\n')}]`).toBe(true);
  });

  it('has the total, the snapshot and its age in its headers', async () => {
    const { headers } = await list('/api/markets');
    expect(headers).toMatchObject({
      'X-Total-Count': '600',
      'X-Snapshot-Id': snapshot.info.id,
      'Cache-Control': 'public, max-age=110, s-maxage=0, stale-if-error=0',
      'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      // When upstream made the oldest page, not when the service read it.
      'X-Catalogue-As-Of': new Date(snapshot.info.cataloguePricesAsOf).toISOString(),
    });
    expect(headers).not.toHaveProperty('Content-Type');
  });

  it('filters and sorts by the parameters', async () => {
    // Market 500 has a volume of 999,500 USD, and each market before it a dollar more.
    const response = await list('/api/markets?order=asc&minVolume=999500&limit=2');
    expect(questions(response)).toEqual(['Will event 500 happen?', 'Will event 499 happen?']);
    expect(response.headers['X-Total-Count']).toBe('501');
  });

  it('rejects a range that no market lies in', async () => {
    const empty = list('/api/markets?endsAfter=2026-12-01&endsBefore=2026-12-01');
    await expect(empty).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('differs for each choice of fields and format', async () => {
    const queries = ['fields=all', 'fields=id', 'fields=all&format=csv'];
    const bodies = new Set<string>();
    for (const query of queries) bodies.add((await list(`/api/markets?${query}`)).body);
    expect(bodies.size).toBe(queries.length);
  });

  it('depends on the parameters of a tool, which sends no query', async () => {
    for (const limit of [2, 3]) {
      expect(JSON.parse((await listForTool(limit)).body)).toHaveLength(limit);
    }
  });

  it('has the same ETag in the next snapshot while its content is the same', async () => {
    const etagAt = async (asOf: number) =>
      (await setUp(testMarkets(9), asOf).list('/api/markets')).headers.ETag;
    const etag = await etagAt(AS_OF);
    expect(etag).toEqual(expect.any(String));
    expect(await etagAt(AS_OF + 60_000)).toBe(etag);
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
    const links = linksOf(await list(`${path}?limit=40&offset=40&${query}&unknown=1`));
    const target = (offset: number) =>
      `${path}?${query}&limit=40&offset=${offset}&snapshot=${snapshot.info.id}`;
    expect(links).toEqual({
      next: target(80),
      prev: target(0),
      first: target(0),
      last: target(80),
    });
  });

  // Each link repeats the ids, and an id has 66 characters: four links with 13 ids have almost 4 KB.
  it.each([
    [13, ['next', 'prev', 'first', 'last']],
    [20, ['next', 'prev']],
    [40, ['next']],
    [100, []],
  ])('have at most 4 KB: a query of %i ids has the links %j', async (count, relations) => {
    const ids = Array.from({ length: count }, (_, n) => snapshot.market(n).id).join(',');
    const response = await list(`/api/markets?limit=5&offset=5&ids=${ids}`);
    expect(Buffer.byteLength(response.headers.Link ?? '')).toBeLessThanOrEqual(4_096);
    expect(Object.keys(linksOf(response))).toEqual(relations);
    expect(response.headers['X-Total-Count']).toBe(String(count));
  });

  it('lead to every market once if Lambda accepts fewer rows than the limit', async () => {
    // 2 to 12 kB a row, because a quote takes two bytes in the response of Lambda.
    const imageOf = (n: number) => '"'.repeat(n < 1_200 ? 1_000 + n : 6_000);
    const large = Array.from({ length: 1_500 }, (_, n) => testMarket(n, { image: imageOf(n) }));
    const { list: listLarge } = setUp(large);
    const seen: string[] = [];
    let target: string | undefined = '/api/markets?fields=image,id&limit=1500';
    for (let requests = 0; target !== undefined && requests < 10; requests += 1) {
      const response = await listLarge(target);
      expect(Buffer.byteLength(JSON.stringify(response.body))).toBeLessThanOrEqual(
        MAX_RESPONSE_BYTES,
      );
      seen.push(...JSON.parse(response.body).map(({ id }: Market) => id));
      target = linksOf(response).next;
    }
    expect(seen).toEqual(large.map(({ id }) => id));
  });
});

describe('the format CSV', () => {
  const { list, search } = setUp([testMarket(0, { question: 'Will bitcoin, rise?', volume: 5 })]);

  it('has the names of the fields first', async () => {
    const { body, headers } = await list('/api/markets?format=csv&fields=question,volume');
    expect(body).toBe('question,volume\r\n"Will bitcoin, rise?",5\r\n');
    expect(headers).toMatchObject({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="markets.csv"',
    });
  });

  it('exists for a search', async () => {
    const { body } = await search('/api/markets/search?q=bitcoin&format=csv&fields=volume');
    expect(body).toBe('volume\r\n5\r\n');
  });

  it('is not chosen by the header Accept', async () => {
    const { body } = await list('/api/markets', { accept: 'text/csv' });
    expect(JSON.parse(body)).toHaveLength(1);
  });
});

describe('GET /api/markets/search', () => {
  const { search } = setUp([
    testMarket(0, { question: 'Will it rain?', categories: [] }),
    testMarket(1, { question: 'Will bitcoin rise?', liquidity: 10 }),
    testMarket(2, { question: 'Will bitcoin or ethereum fall?', liquidity: 20 }),
  ]);

  it('returns the markets that match [sentence 3]', async () => {
    const response = await search('/api/markets/search?q=bitcoin');
    expect(questions(response).toSorted()).toEqual([
      'Will bitcoin or ethereum fall?',
      'Will bitcoin rise?',
    ]);
    expect(response.headers['X-Total-Count']).toBe('2');
  });

  it.each([
    ['bitcoin', 'all'],
    ['bitcoin+zebra', 'any'],
  ])('says for %s that its markets match %s of its words', async (query, match) => {
    const { headers } = await search(`/api/markets/search?q=${query}`);
    expect(headers['X-Search-Match']).toBe(match);
  });

  it('filters like the list', async () => {
    const response = await search('/api/markets/search?q=bitcoin&minLiquidity=20');
    expect(questions(response)).toEqual(['Will bitcoin or ethereum fall?']);
  });

  it('sorts like the list, and links to its next page', async () => {
    const target = '/api/markets/search?q=bitcoin&sort=liquidity&order=asc&limit=1';
    const response = await search(target);
    expect(questions(response)).toEqual(['Will bitcoin rise?']);
    expect(linksOf(response).next).toContain(`${target}&offset=1&`);
  });
});
