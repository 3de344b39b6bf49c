/**
 * What each documented endpoint has in common, as `docs/openapi.json` describes it: it accepts the
 * examples of its parameters, responds to HEAD, and responds with 304 to its ETag. The service
 * runs with a simulated Polymarket.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DOCUMENTED_ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import { type Row, startTestService, type TestService } from './support.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly example?: unknown;
}
/** The parts of the API document that these tests read. */
interface ApiDocument {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>
  >;
}

let service: TestService;
/** A market that belongs to an event and has an order book. */
let market: Row;
let document: ApiDocument;

beforeAll(async () => {
  service = await startTestService();
  const list = await service.get('/api/markets?limit=30&fields=all');
  market = (list.json as Row[]).find(({ eventSlug, bestBid }) => eventSlug && bestBid) as Row;
  document = (await service.get('/openapi.json')).json as ApiDocument;
});
afterAll(() => service?.stop());

const parametersOf = (path: string) => document.paths[path]?.get.parameters ?? [];

const documented = Object.values<Route>(DOCUMENTED_ROUTES);
const paths = documented.map(({ path }) => path);

/** A request that the route can respond to with data. */
function requestTo(path: string): string {
  const token = market.clobTokenId;
  const queries: Readonly<Record<string, string>> = {
    '/api/markets/search': 'q=bitcoin&limit=5',
    '/api/markets': 'limit=25',
    '/api/events': 'limit=10',
  };
  const query = queries[path] ?? (path.startsWith('/api/clob/') ? `token_id=${token}` : '');
  const filled = path
    .replace('{id}', String(market.slug))
    .replace('{slug}', String(market.eventSlug));
  return query === '' ? filled : `${filled}?${query}`;
}

describe.each(paths)('%s', (path) => {
  it('accepts the examples of the API document all together, as some tools send them', async () => {
    const [route = '', query] = requestTo(path).split('?');
    const sent = new URLSearchParams(query);
    for (const { name, in: place, example, required } of parametersOf(path))
      if (place === 'query' && !required && example !== undefined) sent.set(name, String(example));
    const response = await service.get(`${route}?${sent}`);

    expect(response.status === 200 ? '' : response.text).toBe('');
    expect(response.status).toBe(200);
  });

  it('responds to HEAD with the same headers and no body [sentence 8]', async () => {
    const get = await service.get(requestTo(path));
    const head = await service.get(requestTo(path), { method: 'HEAD' });

    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('x-content-type-options')).toBe('nosniff');
    // Order books change within a second.
    const tag = path.startsWith('/api/clob/') ? [] : ['etag'];
    for (const name of [...tag, 'content-type', 'x-total-count', 'x-snapshot-id', 'link'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  });
});

const withEtag = documented.filter(
  ({ path, response }) => response.cacheable !== false && !path.startsWith('/api/clob/'),
);
it.each(withEtag)('$path responds with 304 to its ETag', async ({ path }) => {
  const etag = (await service.get(requestTo(path))).headers.get('etag') ?? '';
  const again = await service.get(requestTo(path), { headers: { 'if-none-match': etag } });
  const other = await service.get(requestTo(path), { headers: { 'if-none-match': '"other"' } });

  expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
  expect(again.status).toBe(304);
  expect(again.text).toBe('');
  expect(again.headers.get('etag')).toEqual(etag);
  expect(other.status).toBe(200);
});

it('the largest response has the size that docs/costs.md multiplies, within 5 %', async () => {
  const { text, headers } = await service.get('/api/markets?limit=1000&fields=all');
  const bytesOfMarket = Buffer.byteLength(text) / Number(headers.get('x-total-count'));
  const megabytes = (2_000 * bytesOfMarket) / 1e6;
  const costs = readFileSync('docs/costs.md', 'utf8');
  const [, documentedSize] = /^- Megabytes of a response: .* = ([\d.]+)$/m.exec(costs) ?? [];
  expect(Math.abs(Number(documentedSize) / megabytes - 1)).toBeLessThan(0.05);
});
