import { describe, expect, it } from '@jest/globals';
import { listMarkets, searchMarkets } from '../../../../lambda/app/markets/market-lists.ts';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import type { MarketSnapshot } from '../../../../lambda/core/query/market-snapshot.ts';
import { SearchIndexer } from '../../../../lambda/core/search/search-index.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';

type Headers = Readonly<Record<string, string>>;

/** The list and the search over a newest snapshot and an older one, 10 s after the prices of the newest. */
function setup(markets: readonly Market[], older: readonly Market[] = []) {
  const snapshot = loadedSnapshot(markets, AS_OF, new SearchIndexer());
  const former = loadedSnapshot(older, AS_OF - 60_000);
  const byId = (id: string): MarketSnapshot => {
    const found = [snapshot, former].find(({ info }) => info.id === id);
    if (!found) throw new Error('gone');
    return found;
  };
  const snapshots = { latest: async () => snapshot, byId: async (id: string) => byId(id) };
  const deps = { snapshots, now: () => AS_OF + 10_000 };
  const [list, search] = [listMarkets(deps), searchMarkets(deps)];
  return {
    snapshot,
    former,
    list: async (query: string, headers?: Headers) =>
      await list(endpointRequest('list-markets', `/api/markets${query}`, headers)),
    search: async (query: string, headers?: Headers) =>
      await search(endpointRequest('search-markets', `/api/markets/search${query}`, headers)),
  };
}

/** The targets of a Link header by their relation. */
function linksOf({ headers }: { headers: Headers }): Record<string, string> {
  const links = [...(headers.Link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, target = '', rel = '']) => [rel, target]));
}

const questions = (body: string) => JSON.parse(body).map(({ question }: Market) => question);

describe('GET /api/markets', () => {
  const markets = testMarkets(600);
  const { list, snapshot, former } = setup(markets, testMarkets(3));

  it('is an array of the first 500 markets, one per line, and names the total and the snapshot', async () => {
    const { status, body, headers } = await list('');
    expect(status).toBe(200);
    expect(body).toBe(
      `[${markets
        .slice(0, 500)
        .map((_, n) => snapshot.line(n))
        .join(',\n')}]`,
    );
    expect(headers).toMatchObject({
      'X-Total-Count': '600',
      'X-Snapshot-Id': snapshot.info.id,
      'Cache-Control': 'public, max-age=110, s-maxage=0, stale-if-error=0',
      'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      Vary: 'Accept-Encoding, Accept',
    });
    expect(headers).not.toHaveProperty('Content-Type');
  });

  it('responds 304 to a caller that has the same content', async () => {
    const first = await list('?limit=2');
    const headers = { 'if-none-match': first.headers.ETag ?? '' };
    expect(await list('?limit=2', headers)).toMatchObject({ status: 304, body: '' });
    expect((await list('?limit=3', headers)).status).toBe(200);
    const since = { 'if-modified-since': first.headers['Last-Modified'] ?? '' };
    expect((await list('?limit=2', since)).status).toBe(304);
  });

  it('filters and sorts by the parameters', async () => {
    const { body, headers } = await list('?order=asc&minVolume=999500&limit=2');
    expect(questions(body)).toEqual(['Will event 500 happen?', 'Will event 499 happen?']);
    expect(headers['X-Total-Count']).toBe('501');
  });

  it('rejects a range that no market lies in', async () => {
    const listing = list('?endsAfter=2026-12-01&endsBefore=2026-12-01');
    await expect(listing).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('reads the snapshot that the caller names', async () => {
    const { headers, body } = await list(`?snapshot=${former.info.id}`);
    expect(headers).toMatchObject({ 'X-Total-Count': '3', 'X-Snapshot-Id': former.info.id });
    expect(headers['Cache-Control']).toContain('max-age=50,');
    expect(JSON.parse(body)).toHaveLength(3);
  });

  it('makes the response to a query once for a snapshot', async () => {
    const { list: once, snapshot: counted } = setup(testMarkets(3));
    await once('?fields=all');
    const made = counted.responses.size;
    await once('?fields=all');
    expect([made, counted.responses.size]).toEqual([1, 1]);
    await once('?fields=all', { accept: 'text/csv' });
    await once('?fields=id');
    expect(counted.responses.size).toBe(3);
  });
});

describe('the links of a page', () => {
  it('lead to the other pages of the same snapshot, with the same query', async () => {
    const { list, snapshot } = setup(testMarkets(60));
    const page = await list('?limit=20&offset=20&sort=volume&unknown=1');
    const query = (offset: number) => `/api/markets?sort=volume&limit=20&offset=${offset}&snapshot=${snapshot.info.id}`;
    expect(linksOf(page)).toEqual({ next: query(40), prev: query(0), first: query(0), last: query(40) });
  });

  it('do not overlap with this page, and are absent when it holds everything', async () => {
    const { list } = setup(testMarkets(60));
    expect(linksOf(await list('?limit=20&offset=15')).prev).toMatch(/limit=15&offset=0/);
    expect((await list('?limit=60')).headers).not.toHaveProperty('Link');
    expect((await list('?tag=unknown')).headers).not.toHaveProperty('Link');
  });

  it('have at most 4 KB: without first and last, then without prev, then not at all', async () => {
    const { list, snapshot } = setup(testMarkets(100));
    const page = async (ids: number) => {
      const names = Array.from({ length: ids }, (_, n) => snapshot.market(n).id).join(',');
      const response = await list(`?limit=5&offset=5&ids=${names}`);
      expect(Buffer.byteLength(response.headers.Link ?? '')).toBeLessThanOrEqual(4_096);
      expect(response.headers).toMatchObject({
        'X-Total-Count': String(ids),
        'X-Snapshot-Id': snapshot.info.id,
      });
      return Object.keys(linksOf(response));
    };
    expect(await page(13)).toEqual(['next', 'prev', 'first', 'last']);
    expect(await page(20)).toEqual(['next', 'prev']);
    expect(await page(40)).toEqual(['next']);
    expect(await page(100)).toEqual([]);
  });
});

describe('a response that the container keeps', () => {
  const deps = (snapshot: MarketSnapshot) => ({
    snapshots: { latest: async () => snapshot, byId: async () => snapshot },
    now: () => AS_OF,
  });
  const newest = loadedSnapshot(testMarkets(9), AS_OF, new SearchIndexer());
  const [list, search] = [listMarkets(deps(newest)), searchMarkets(deps(newest))];

  it('belongs to its parameters, also when a tool sends no query', async () => {
    const bodies = [2, 3].map(async (limit) => {
      const request = { ...endpointRequest('list-markets', `/api/markets?limit=${limit}`), sent: {} };
      return JSON.parse((await list(request)).body).length;
    });
    expect(await Promise.all(bodies)).toEqual([2, 3]);
    const queries = ['event 1', 'event 2'].map(async (q) => {
      const request = { ...endpointRequest('search-markets', `/api/markets/search?q=${q}`), sent: {} };
      return JSON.parse((await search(request)).body)[0].question;
    });
    expect(await Promise.all(queries)).toEqual(['Will event 1 happen?', 'Will event 2 happen?']);
  });

  it('has links with the path and the spelling of the caller', async () => {
    const targets = ['/api/markets?limit=2', '/dev/api/markets?limit=2', '/api/markets?limit=2&minVolume=1.0'];
    for (const target of [...targets, '/api/markets?limit=2&minVolume=1']) {
      const { next } = linksOf(await list(endpointRequest('list-markets', target)));
      const [path = '', query = ''] = target.split('?');
      expect(next?.startsWith(`${path}?`)).toBe(true);
      expect(new URLSearchParams(next?.split('?')[1]).get('minVolume')).toBe(
        new URLSearchParams(query).get('minVolume'),
      );
    }
  });

  it('has the same tag in the next snapshot while its content is the same', async () => {
    const next = loadedSnapshot(testMarkets(9), AS_OF + 60_000);
    const request = endpointRequest('list-markets', '/api/markets?limit=20');
    const tags = [newest, next].map(async (snapshot) => (await listMarkets(deps(snapshot))(request)).headers.ETag);
    const [before, after] = await Promise.all(tags);
    expect(before).toEqual(expect.any(String));
    expect(after).toBe(before);
  });
});

describe('a page that is longer than Lambda accepts', () => {
  /** Quotes take two bytes once the body is encoded. The last markets are the longest. */
  const image = (n: number) => '"'.repeat(n < 1_200 ? 1_000 + n : 6_000);
  const markets = Array.from({ length: 1_500 }, (_, n) => testMarket(n, { image: image(n) }));

  it('is cut short, and paging forwards and backwards reads every market once', async () => {
    const { list } = setup(markets);
    for (const rel of ['next', 'prev']) {
      const seen: string[] = [];
      let target: string | undefined = `?fields=image,id&limit=1500&offset=${rel === 'next' ? 0 : 1_500}`;
      for (let pages = 0; target !== undefined; pages += 1) {
        expect(pages).toBeLessThan(10);
        const page = await list(target.replace('/api/markets', ''));
        expect(Buffer.byteLength(JSON.stringify(page.body))).toBeLessThanOrEqual(MAX_RESPONSE_BYTES);
        seen.push(...JSON.parse(page.body).map(({ id }: Market) => id));
        target = linksOf(page)[rel];
      }
      expect(seen.toSorted()).toEqual(markets.map(({ id }) => id).toSorted());
    }
  });
});

describe('CSV', () => {
  const { list, search } = setup([testMarket(0, { question: 'Will bitcoin, rise?' })]);

  it('is sent for format=csv, with the names of the fields first', async () => {
    const { body, headers } = await list('?format=csv&fields=question,volume');
    expect(body).toBe('question,volume\r\n"Will bitcoin, rise?",1000000\r\n');
    expect(headers).toMatchObject({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="markets.csv"',
      Vary: 'Accept-Encoding, Accept',
    });
    expect((await search('?q=bitcoin&format=csv&fields=volume')).body).toBe('volume\r\n1000000\r\n');
  });

  it.each([
    ['text/csv', 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/csv;q=0.9, application/json;q=0.8', 'csv'],
    ['*/*;q=0.5, text/csv;q=0.6', 'csv'],
    // swagger-client and openapi-generator (typescript-axios) send these and expect JSON.
    ['application/json, text/csv', 'json'],
    ['application/json,text/csv,text/html', 'json'],
    ['text/csv, application/*', 'json'],
    ['text/csv, */*', 'json'],
    ['text/*', 'json'],
    ['application/json;q=0.5, */*', 'json'],
    ['application/json, text/csv;q=0.1', 'json'],
    ['application/json, text/csv;q=0', 'json'],
    ['text/csv;q=0, */*', 'json'],
    ['text/csv;q=0.4, */*;q=0.5', 'json'],
    ['text/csv;q=x, */*', 'json'],
    ['*/*', 'json'],
    ['text/csvx', 'json'],
    ['', 'json'],
  ])('Accept: %s is %s', async (accept, format) => {
    expect((await list('', { accept })).body.startsWith('[')).toBe(format === 'json');
  });

  it('is not sent when the parameter format says otherwise', async () => {
    expect((await list('?format=json', { accept: 'text/csv' })).body).toMatch(/^\[/);
  });
});

describe('GET /api/markets/search', () => {
  const { search, snapshot } = setup([
    testMarket(0, { question: 'Will it rain?', categories: [] }),
    testMarket(1, { question: 'Will bitcoin rise?', liquidity: 10 }),
    testMarket(2, { question: 'Will bitcoin or ethereum fall?', liquidity: 20 }),
  ]);

  it('responds with the markets that match, and says how', async () => {
    const { body, headers } = await search('?q=bitcoin');
    expect(questions(body).toSorted()).toEqual(['Will bitcoin or ethereum fall?', 'Will bitcoin rise?']);
    expect(headers).toMatchObject({
      'X-Total-Count': '2',
      'X-Search-Match': 'all',
      'X-Snapshot-Id': snapshot.info.id,
    });
    expect((await search('?q=bitcoin+zebra')).headers['X-Search-Match']).toBe('any');
  });

  it('filters, sorts and pages as the list', async () => {
    expect(questions((await search('?q=bitcoin&minLiquidity=20')).body)).toEqual(['Will bitcoin or ethereum fall?']);
    const sorted = await search('?q=bitcoin&sort=liquidity&order=asc&limit=1');
    expect(questions(sorted.body)).toEqual(['Will bitcoin rise?']);
    expect(linksOf(sorted).next).toMatch(
      /^\/api\/markets\/search\?q=bitcoin&sort=liquidity&order=asc&limit=1&offset=1&/,
    );
  });
});

describe('format=atom', () => {
  const moving = (asOf: number, change: number) => {
    const markets = [testMarket(0, { oneHourPriceChange: change }), testMarket(1, { oneHourPriceChange: 30 })];
    const snapshot = loadedSnapshot(markets, asOf, new SearchIndexer());
    const deps = { snapshots: { latest: async () => snapshot, byId: async () => snapshot }, now: () => asOf };
    const [list, search] = [listMarkets(deps), searchMarkets(deps)];
    return {
      list: async (query: string, headers?: Headers) =>
        await list(endpointRequest('list-markets', `/dev/api/markets${query}`, headers)),
      search: async (query: string) => await search(endpointRequest('search-markets', `/api/markets/search${query}`)),
    };
  };
  const query = '?sort=move1h&limit=1&offset=1&format=atom';

  it('is a feed of the page of the list, with an absolute address and no snapshot', async () => {
    const { status, body, headers } = await moving(AS_OF + 61_000, 6).list(query);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'application/atom+xml; charset=utf-8',
      'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
    });
    expect(headers).not.toHaveProperty('X-Snapshot-Id');
    expect(headers).not.toHaveProperty('Link');
    expect(body).toContain(
      '<link rel="self" type="application/atom+xml" href="https://service.example/dev/api/markets?limit=1&amp;offset=1&amp;sort=move1h&amp;format=atom"/>',
    );
    expect(body.match(/<entry>/g)).toHaveLength(1);
    expect(body).toContain('Will event 0 happen? Up 5 to 10 points in an hour');
  });

  it('responds 304 while the feed is the same, although prices and snapshots change', async () => {
    const { headers } = await moving(AS_OF, 6).list(query);
    const known = { 'if-none-match': headers.ETag ?? '' };
    expect(await moving(AS_OF + 599_000, 9).list(query, known)).toMatchObject({ status: 304, body: '' });
    expect((await moving(AS_OF + 599_000, 11).list(query, known)).status).toBe(200);
    expect((await moving(AS_OF + 600_000, 6).list(query, known)).status).toBe(200);
  });

  it('names the text of a search', async () => {
    const { body } = await moving(AS_OF, 6).search('?q=event&minMove1h=5&format=atom');
    expect(body).toContain('<title>Markets that moved by 5 points or more in an hour: event</title>');
    expect(body.match(/<entry>/g)).toHaveLength(2);
  });

  it('is one for each address', async () => {
    const { list } = moving(AS_OF, 6);
    expect((await list(query)).body).not.toBe((await list(query.replace('format', 'order=desc&format'))).body);
  });
});
