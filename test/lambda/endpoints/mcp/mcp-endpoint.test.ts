import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import type { ErrorCode } from '../../../../lambda/core/contract/errors.ts';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { mcp } from '../../../../lambda/endpoints/mcp/mcp-endpoint.ts';
import type { ToolEndpoints } from '../../../../lambda/endpoints/mcp/mcp-server.ts';
import { TOOLS } from '../../../../lambda/endpoints/mcp/tools.ts';
import type { HttpResponse } from '../../../../lambda/http/response.ts';

/** Prices of 12:00:00 are 60 s old at 12:01:00. */
const NOW = Date.UTC(2026, 10, 21, 12, 1, 0);
const AS_OF = { 'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT' };
const AGE = { asOf: '2026-11-21T12:00:00.000Z', ageSeconds: 60 };
const QUESTION = `Will it rain? ${'x'.repeat(1_000)}`;
const DEEP = `${'['.repeat(9_900)}${']'.repeat(9_900)}`;
const MANY = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, 1]));
const REVISIONS = ['2025-11-25', '2026-07-28'];

/** The parameters that the endpoints received, and the errors that were logged. */
const received: unknown[] = [];
const logged: unknown[] = [];
const respond =
  (value: unknown, headers: Readonly<Record<string, string>> = AS_OF) =>
  ({ parameters }: { readonly parameters: unknown }): HttpResponse => {
    received.push(parameters);
    return { status: 200, body: JSON.stringify(value), headers };
  };
const LARGE_LIST = Array.from({ length: 5_000 }, (_, n) => ({
  id: `${n}`,
  question: 'é'.repeat(50),
}));
let failure: Error;
const endpoints: ToolEndpoints = {
  'list-markets': (request) => {
    const rows = request.parameters.tag?.includes('large')
      ? LARGE_LIST
      : [{ id: '0x1', question: QUESTION }];
    return respond(rows, { ...AS_OF, 'X-Total-Count': '7' })(request);
  },
  'search-markets': () => {
    throw failure;
  },
  'get-market': respond({ id: '0x1', outcomes: [] }),
  'list-events': respond([{ slug: 'e', topMarkets: [] }], { ...AS_OF, 'X-Total-Count': '3' }),
  'get-event': respond({ slug: 'e', markets: [{ id: '0x1' }] }),
  'get-order-book': respond({ bids: [{ price: '0.4', size: '1' }], asks: [] }),
  'get-prices-history': respond({ history: [{ t: NOW / 1_000 - 60, p: 0.5 }] }),
  'get-status': respond({ status: 'ok' }),
};
const endpointOf = (simulated: boolean) =>
  mcp({
    endpoints,
    now: () => NOW,
    simulated,
    log: (error, fields) => logged.push({ error, ...fields }),
  });
const endpoint = endpointOf(false);

beforeEach(() => {
  received.length = 0;
  logged.length = 0;
});

/** Calls the endpoint as the pipeline does. */
async function post(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  server = endpoint,
): Promise<HttpResponse> {
  const usual = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return await server({
    parameters: {},
    sent: {},
    path: '/mcp',
    headers: { ...usual, ...headers },
    body,
  });
}

async function connect(revision: string): Promise<Client> {
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('http://service.test/mcp'), {
    fetch: async (_url, init) => {
      if (init?.method !== 'POST') return new Response(null, { status: 405 });
      const response = await post(String(init.body), Object.fromEntries(new Headers(init.headers)));
      const body = response.status === 202 ? null : response.body;
      return new Response(body, { status: response.status, headers: response.headers });
    },
  });
  await client.connect(transport);
  return client;
}

describe.each(REVISIONS)('with the client of the SDK and revision %s', (revision) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(revision);
    await client.listTools(); // The client then checks every result against its schema.
  });
  afterAll(() => client.close());
  const call = (name: string, sent: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: sent });

  it('the server uses that revision and lists all tools', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  });

  it('a list has the age of the data, and short texts', async () => {
    const { structuredContent, content } = await call('list_markets');
    expect(structuredContent).toEqual({
      ...AGE,
      total: 7,
      markets: [{ id: '0x1', question: `${QUESTION.slice(0, 600)}…` }],
    });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('an endpoint gets the arguments as it parses a query', async () => {
    const sent = {
      minVolume: 0.5,
      sort: 'move1d',
      tag: ['nba', 7],
      limit: null,
      endsBefore: '2027-01-01',
    };
    await call('list_markets', sent);
    const endsBefore = { kind: 'at', time: Date.UTC(2027, 0, 1) };
    const parsed = { minVolume: 0.5, sort: 'move1d', tag: ['nba', '7'], limit: 8, endsBefore };
    expect(received).toEqual([
      expect.objectContaining({
        ...parsed,
        fields: expect.arrayContaining(['volume24h', 'spread']),
      }),
    ]);
  });

  it.each([
    [
      'get_market',
      { id: 'é?a%41' },
      { id: 'é?a%41' },
      { ...AGE, market: { id: '0x1', outcomes: [] } },
    ],
    [
      'list_events',
      { sort: 'endDate' },
      { sort: 'endDate', limit: 8 },
      { ...AGE, total: 3, events: [{ slug: 'e' }] },
    ],
    ['get_event', { slug: 'e' }, { slug: 'e' }, { ...AGE, event: { slug: 'e' }, total: 1 }],
    [
      'order_book',
      { token_id: '123' },
      { token_id: '123', depth: 5 },
      { bids: [[0.4, 1]], asks: [] },
    ],
    [
      'price_history',
      { token_id: '123' },
      { token_id: '123' },
      { points: [['2026-11-21T12:00:00Z', 0.5]] },
    ],
    [
      'price_history',
      { token_id: '123', startTs: '2026-11-20' },
      { startTs: 1_795_132_800 },
      { sampledFrom: 1 },
    ],
  ])('%s calls its endpoint', async (name, sent, parameters, result) => {
    expect((await call(name, sent)).structuredContent).toMatchObject(result);
    expect(received).toEqual([expect.objectContaining(parameters)]);
  });
});

describe('a server of simulated data', () => {
  const ask = async (method: string, params: object) => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return JSON.parse((await post(message, {}, endpointOf(true))).body).result;
  };

  it('says so in its instructions', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const { instructions } = await ask('initialize', params);
    expect(instructions).toMatch(/^All data is SIMULATED: no market, price or link is real/);
  });

  it.each([
    ['list_markets', {}],
    ['get_market', { id: 'a' }],
    ['list_events', {}],
    ['get_event', { slug: 'e' }],
    ['order_book', { token_id: '1' }],
    ['price_history', { token_id: '1' }],
  ])('says so in the result of %s', async (name, sent) => {
    const { structuredContent } = await ask('tools/call', { name, arguments: sent });
    expect(structuredContent.simulated).toBe(true);
  });
});

it('requests the doubts of the changes that a model names', async () => {
  const fieldsFor = async (...fields: readonly string[]) => {
    received.length = 0;
    const params = { name: 'list_markets', arguments: { fields } };
    await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    return received;
  };
  const changed = ['id', 'sevenDayPriceChange'];
  expect(await fieldsFor(...changed)).toEqual([
    expect.objectContaining({ fields: [...changed, 'doubtfulChanges'] }),
  ]);
  expect(await fieldsFor('id')).toEqual([expect.objectContaining({ fields: ['id'] })]);
});

describe('a tool call that fails', () => {
  const call = async (name: string, sent: object = {}) => {
    const params = { name, arguments: sent };
    const { body } = await post(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    );
    const { content, isError } = JSON.parse(body).result;
    expect(isError).toBe(true);
    expect(content).toHaveLength(1);
    expect(logged).toHaveLength(1);
    expect(logged).toEqual([{ tool: name, error: expect.any(Error) }]);
    return content[0].text;
  };

  it.each([
    ['search_markets', {}, /The parameter q is required.*Call again with this argument/],
    [
      'search_markets',
      { q: ['a', 'b'] },
      /The argument q must be one value, not a list. Correct the argument/,
    ],
    [
      'search_markets',
      { query: 'bitcoin' },
      /no argument query: did you mean q\? Its arguments are q, limit/,
    ],
    [
      'order_book',
      { token_id: 'a-slug' },
      /token_id must be an outcome token \(clobTokenId .* the tool get_market\)/,
    ],
    [
      'list_markets',
      { limit: 100, tag: ['large'] },
      /60,000 characters. Use a smaller limit .* or fewer fields/,
    ],
    ['list_markets', { limit: 101 }, /limit must be at most 100; offset continues/],
    [
      'list_markets',
      { q: 'bitcoin' },
      /no argument q: use search_markets\. Its arguments are limit/,
    ],
    ['list_markets', { closed: true }, /open markets only; get_market also returns one that is/],
    ['search_markets', { ids: ['a'] }, /no argument ids: it belongs to list_markets\. Its/],
    [
      'list_markets',
      { colour: 1 },
      /no argument colour. Its arguments are limit, offset.*Correct the argument/,
    ],
    ['list_markets', { tag: [{}] }, /The argument tag must be a text, a number, or a list/],
    ['list_markets', { tag: ['\ud800'] }, /tag contains half of a character/],
    ['market_status', MANY, /This tool has no argument a0, a1, a2, a3, a4. It has no arguments./],
  ])('%s with %j says what is wrong and what to do', async (name, sent, sentence) => {
    expect(await call(name, sent)).toMatch(sentence);
  });

  it.each<[ErrorCode, RegExp]>([
    ['snapshot_stale', /tell the user .* too old .* try again in a minute/i],
    ['snapshot_missing', /market_status/],
    ['no_market', /search_markets/],
    ['no_event', /get_market \(eventSlug\)/],
    ['no_order_book', /clobTokenId .* may be closed/],
    ['upstream_unavailable', /again in a few seconds/],
    ['upstream_busy', /after the time in the error/],
  ])('with %s advises the model', async (code, advice) => {
    failure = new ServiceError(code, 'What happened.');
    const text = await call('search_markets', { q: 'bitcoin' });
    expect(text).toMatch(/^What happened\. /);
    expect(text).toMatch(advice);
  });

  it('unexpectedly reveals nothing', async () => {
    failure = new Error('secret detail');
    expect(await call('search_markets', { q: 'bitcoin' })).toBe(
      'An unexpected error occurred. Try again in a moment.',
    );
  });
});

describe('a message', () => {
  const rpc = (method: string, params: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

  it.each(['*/*', 'text/html'])(
    'gets JSON that no cache may store, with Accept: %s',
    async (accept) => {
      const sent = { accept, 'mcp-protocol-version': '2025-11-25' };
      const { status, headers, body } = await post(rpc('tools/list'), sent);
      expect(status).toBe(200);
      expect(headers).toEqual({ 'Cache-Control': 'no-store', 'Content-Type': 'application/json' });
      expect(JSON.parse(body).result.tools).toHaveLength(TOOLS.length);
    },
  );

  it.each([
    ['is not JSON', '{', {}, 400, -32_700, 'must be JSON'],
    ['is no message', '{"a":1}', {}, 400, -32_600, 'one request or notification'],
    ['is null', 'null', {}, 400, -32_600, 'one request or notification'],
    ['is a batch', `[${rpc('ping')},${rpc('ping')}]`, {}, 400, -32_600, 'not a batch'],
    [
      'is nested too deeply',
      `{"method":"ping","params":{"a":${DEEP}}}`,
      {},
      400,
      -32_600,
      '32 levels',
    ],
    [
      'has another media type',
      rpc('ping'),
      { 'content-type': 'text/plain' },
      415,
      -32_000,
      'Content-Type',
    ],
    [
      'names an unknown revision',
      rpc('ping'),
      { 'mcp-protocol-version': '1999-01-01' },
      400,
      -32_000,
      '1999-01-01',
    ],
    [
      'has an unknown method',
      rpc('no/such'),
      { 'mcp-protocol-version': '2025-11-25' },
      200,
      -32_601,
      'not found',
    ],
    [
      'calls an unknown tool',
      rpc('tools/call', { name: 'buy' }),
      {},
      200,
      -32_602,
      'The tools are search_markets',
    ],
  ])(
    'that %s gets an error of the protocol',
    async (_what, body, headers, status, code, sentence) => {
      const response = await post(body, headers);
      expect(response.status).toBe(status);
      expect(JSON.parse(response.body)).toMatchObject({
        jsonrpc: '2.0',
        error: { code, message: expect.stringContaining(sentence) },
      });
      expect(logged).toEqual([]);
    },
  );

  it.each([
    ['initialize', {}, /protocolVersion.* capabilities .* clientInfo/],
    ['tools/call', {}, /must have name/],
    ['tools/call', { name: 'order_book', arguments: 'x' }, /arguments \(an object\)/],
    ['tools/list', { cursor: 5 }, /cursor/],
  ])(
    '%s with the params %j gets one sentence as invalid params',
    async (method, params, sentence) => {
      for (const id of [7, 'seven']) {
        const { status, body } = await post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
        expect(status).toBe(200);
        const error = { code: -32_602, message: expect.stringMatching(sentence) };
        expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', id, error });
        expect(body).not.toContain('invalid_type');
      }
    },
  );

  it('that is a malformed notification gets no response', async () => {
    expect(await post('{"jsonrpc":"2.0","method":"tools/call"}')).toMatchObject({
      status: 202,
      body: '',
    });
  });

  it('with an odd header gets an error that names the header', async () => {
    const { body } = await post(rpc('ping'), { 'mcp-name': '\u0000' });
    expect(JSON.parse(body).error).toMatchObject({
      code: -32_600,
      message: expect.stringContaining('Mcp-Name'),
    });
  });

  it('cannot open a subscription, which would need an open connection', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await post(rpc('subscriptions/listen', { _meta: meta, notifications: {} }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    });
    expect(JSON.parse(response.body)).toHaveProperty('error');
  });

  it('of any content and with any headers never gets a 5xx', async () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const oneOf = (...texts: string[]) => fc.oneof(fc.constantFrom(...texts), value);
    const sentArguments = fc.oneof(
      fc.dictionary(fc.constantFrom('id', 'token_id', '__proto__'), value),
      value,
    );
    const params = fc.record({
      name: oneOf('get_market', 'list_markets'),
      arguments: sentArguments,
      _meta: value,
    });
    const method = oneOf('tools/call', 'initialize', '\ud800');
    const message = fc.record({
      jsonrpc: oneOf('2.0'),
      id: value,
      method,
      params: fc.oneof(params, value),
    });
    const header = fc.oneof(
      fc.constantFrom(...REVISIONS, 'tools/call'),
      fc.string({ unit: 'binary' }),
    );
    const headers = fc.dictionary(
      fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name'),
      header,
    );
    await fc.assert(
      fc.asyncProperty(message, headers, async (body, sent) => {
        expect((await post(JSON.stringify(body), sent)).status).toBeLessThan(500);
      }),
    );
  });
});
