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

    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'etag', 'x-total-count', 'x-snapshot-id', 'link'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  });
});

it.each(
  documented.flatMap(({ path, response }) =>
    response.cacheable === false || path.startsWith('/api/clob/') ? [] : [path],
  ),
)('%s responds with 304 to its ETag', async (path) => {
  const etag = (await service.get(requestTo(path))).headers.get('etag') ?? '';
  const again = await service.get(requestTo(path), { headers: { 'if-none-match': etag } });
  const other = await service.get(requestTo(path), { headers: { 'if-none-match': '"other"' } });

  expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  expect(other.status).toBe(200);
});

it.each([
  ['/api/markets?fields%5B%5D=id', 400, 'unknown_parameter'],
  ['/api/markets/a%2Fb', 400, 'invalid_parameter'],
  ['/api/markets?snapshot=20200101T000000000Z-00000000', 410, 'snapshot_gone'],
  ['/api/markets/no-such-market', 404, 'no_market'],
  ['/api/clob/order-book?token_id=12345', 404, 'no_order_book'],
  ['/assets/nothing.js', 404, 'not_found'],
])('%s is a %i %s that names its request', async (path, status, code) => {
  const { status: actual, json, headers, text } = await service.get(path);

  expect([actual, (json as Row).code]).toEqual([status, code]);
  expect(ajv.getSchema('api#/components/schemas/ApiError')?.(json)).toBe(true);
  expect((json as Row).requestId).toBe(headers.get('x-request-id'));
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(/node_modules|\.ts\b|dynamo|stack|undefined/i);
});

it('POST /mcp calls a tool on the same snapshot as the API', async () => {
  const params = { name: 'search_markets', arguments: { q: 'bitcoin', limit: 2 } };
  const response = await service.get('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const [first] = await service.list('/api/markets/search?q=bitcoin&limit=1');

  expect(response.text).toContain(String(first?.id));
});
