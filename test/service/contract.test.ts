import { afterAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { DOCUMENTED_ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import { type Row, startTestService, type TestResponse } from './support.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly example?: unknown;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>>;
}

const service = await startTestService();
afterAll(() => service.stop());
const list = await service.get('/api/markets?limit=30&fields=all');
const market = (list.json as Row[]).find(({ eventSlug, bestBid }) => eventSlug && bestBid) as Row;
const snapshot = list.headers.get('x-snapshot-id') ?? '';
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const document = (await service.get('/openapi.json')).json as Document;
ajv.addSchema(document, 'api');
const parametersOf = (path: string) => document.paths[path]?.get.parameters ?? [];

/** What a page of another origin needs of a response. */
const READABLE_HEADERS = [
  ...['ETag', 'Link', 'X-Total-Count', 'X-Search-Match', 'X-Snapshot-Id', 'X-Request-Id'],
  ...['Retry-After', 'RateLimit', 'RateLimit-Policy'],
];

const documented = Object.values<Route>(DOCUMENTED_ROUTES);
const paths = documented.map(({ path }) => path);

/** A request that the route can respond to with data. */
function requestTo(path: string): string {
  const token = market.clobTokenId;
  const queries: Readonly<Record<string, string>> = {
    '/api/markets/search': 'q=bitcoin&limit=5',
    '/api/markets/changes': `since=${snapshot}`,
    '/api/markets': 'limit=25',
    '/api/events': 'limit=10',
  };
  const query = queries[path] ?? (path.startsWith('/api/clob/') ? `token_id=${token}` : '');
  const filled = path.replace('{id}', String(market.slug)).replace('{slug}', String(market.eventSlug));
  return query === '' ? filled : `${filled}?${query}`;
}

/** The violations of the schema that the API document gives for a response; undefined when it gives none. */
function violations(path: string, { status, headers, json, text }: TestResponse): unknown {
  const media = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const pointer = ['paths', path, 'get', 'responses', String(status), 'content', media, 'schema'];
  const ref = `api#/${pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  const validate = ajv.getSchema(ref);
  return validate?.(json ?? text) === true ? [] : (validate?.errors ?? `${ref} is not documented`);
}

describe.each(paths)('%s', (path) => {
  it('responds as the API document says', async () => {
    const response = await service.get(requestTo(path));

    expect(response.status).toBe(200);
    expect(violations(path, response)).toEqual([]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('access-control-expose-headers')?.split(', ')).toEqual(
      expect.arrayContaining(READABLE_HEADERS),
    );
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{20,}$/);
  });

  it('accepts the examples of the API document all together, as some tools send them', async () => {
    const [route = '', query] = requestTo(path).split('?');
    const sent = new URLSearchParams(query);
    for (const { name, in: place, example, required } of parametersOf(path))
      if (place === 'query' && !required && example !== undefined) sent.set(name, String(example));
    const response = await service.get(`${route}?${sent}`);

    expect([response.status, response.status === 200 ? '' : response.text]).toEqual([200, '']);
  });

  it('responds to HEAD with the same headers and no body', async () => {
    const get = await service.get(requestTo(path));
    const head = await service.get(requestTo(path), { method: 'HEAD' });

    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['content-type', 'etag', 'x-total-count', 'x-snapshot-id', 'link']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });
});

describe('caching', () => {
  const cacheable = documented.filter(({ response }) => response.cacheable !== false).map(({ path }) => path);

  it.each(cacheable.filter((path) => !path.startsWith('/api/clob/')))(
    '%s responds with 304 to its ETag',
    async (path) => {
      const { headers } = await service.get(requestTo(path));
      const etag = headers.get('etag') ?? '';
      const again = await service.get(requestTo(path), { headers: { 'if-none-match': etag } });
      const other = await service.get(requestTo(path), { headers: { 'if-none-match': '"other"' } });

      expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers.get('etag')).toBe(etag);
      expect(other.status).toBe(200);
    },
  );
});

describe('errors', () => {
  it.each([
    ['/api/markets?fields%5B%5D=id', 400, 'unknown_parameter'],
    ['/api/markets/a%2Fb', 400, 'invalid_parameter'],
    ['/api/markets?snapshot=20200101T000000000Z-00000000', 410, 'snapshot_gone'],
    ['/api/markets/no-such-market', 404, 'no_market'],
    ['/api/clob/order-book?token_id=12345', 404, 'no_order_book'],
    ['/api/market', 404, 'not_found'],
    ['/assets/nothing.js', 404, 'not_found'],
  ])('%s is a %i %s that names its request', async (path, status, code) => {
    const { status: actual, json, headers } = await service.get(path);

    expect([actual, (json as Row).code]).toEqual([status, code]);
    expect(ajv.getSchema('api#/components/schemas/ApiError')?.(json)).toBe(true);
    expect((json as Row).requestId).toBe(headers.get('x-request-id'));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(JSON.stringify(json)).not.toMatch(/node_modules|\.ts\b|dynamo|stack|undefined/i);
  });
});

describe('the page', () => {
  it('is HTML whose assets exist and can be kept for ever', async () => {
    const { text, headers } = await service.get('/');
    const assets = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');

    expect(headers.get('content-type')).toContain('text/html');
    expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=30, must-revalidate');
    expect(assets.length).toBeGreaterThanOrEqual(3);
    for (const path of assets) {
      const asset = await service.get(path);
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    expect((await service.get('/docs')).status).toBe(200);
  });
});

describe('POST /mcp', () => {
  const call = async (method: string, params: object): Promise<TestResponse> =>
    service.get('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  it('lists tools', async () => {
    const response = await call('tools/list', {});
    const { result } = response.json as { result: { tools: { name: string }[] } };

    expect(result.tools.map(({ name }) => name)).toContain('search_markets');
    expect(response.status).toBe(200);
  });

  it('calls a tool on the same snapshot as the API', async () => {
    const response = await call('tools/call', { name: 'search_markets', arguments: { q: 'bitcoin', limit: 2 } });
    const [first] = await service.list('/api/markets/search?q=bitcoin&limit=1');

    expect(response.text).toContain(String(first?.id));
  });
});
