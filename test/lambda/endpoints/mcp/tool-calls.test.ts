// The server of the Model Context Protocol (MCP) offers the endpoints of the API as tools to
// language models. A tool call names a tool and its arguments; the server calls the endpoint and
// returns a structured result. The client of the SDK checks each result against the schema of its
// tool.

import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ToolEndpoints } from '../../../../lambda/endpoints/mcp/mcp-server.ts';
import { TOOLS } from '../../../../lambda/endpoints/mcp/tools.ts';
import { AGE, mcpRig, respond } from './mcp-rig.ts';

/** In Unix seconds. */
const NOON = Date.parse('2026-11-21T12:00:00Z') / 1_000;

// Two revisions of the protocol.
describe.each(['2025-11-25', '2026-07-28'])(
  'with the client of the SDK and revision %s',
  (revision) => {
    /** How the SDK agrees on a revision: it uses the newer one only if that is pinned. */
    const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
    let client: Client;
    afterEach(() => client.close());

    /** Connects the client with a server whose tools call these endpoints. */
    async function connect(endpoints: Partial<ToolEndpoints> = {}) {
      const { post, received } = mcpRig(endpoints);
      const fetchFromServer: typeof fetch = async (_url, init) => {
        if (init?.method !== 'POST') return new Response(null, { status: 405 });
        const sent = Object.fromEntries(new Headers(init.headers));
        const { status, headers, body } = await post(String(init.body), sent);
        return new Response(status === 202 ? null : body, { status, headers });
      };
      const url = new URL('http://service.test/mcp');
      const transport = new StreamableHTTPClientTransport(url, { fetch: fetchFromServer });
      client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
      await client.connect(transport);
      const { tools } = await client.listTools();
      const call = (name: string, sent: Record<string, unknown> = {}) =>
        client.callTool({ name, arguments: sent });
      return { tools, call, received };
    }

    it('the server uses that revision', async () => {
      await connect();
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    });

    it('the server lists all tools', async () => {
      const { tools } = await connect();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    });

    it('a list has the age of the data, and texts of at most 600 characters', async () => {
      const rows = [{ id: '0x1', question: 'x'.repeat(1_000) }];
      const { call } = await connect({ 'list-markets': respond(rows, { 'X-Total-Count': '7' }) });
      const { structuredContent, content } = await call('list_markets');
      const markets = [{ id: '0x1', question: `${'x'.repeat(600)}…` }];
      expect(structuredContent).toEqual({ ...AGE, total: 7, markets });
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    });

    it('the endpoint gets the arguments, parsed as its query parameters', async () => {
      const { call, received } = await connect({ 'list-markets': respond([]) });
      await call('list_markets', {
        minVolume: 0.5,
        sort: 'move1d',
        tag: ['nba', 7],
        limit: null,
        endsBefore: '2027-01-01',
      });
      expect(received).toMatchObject([
        {
          minVolume: 0.5,
          sort: 'move1d',
          tag: ['nba', '7'],
          limit: 8,
          endsBefore: { kind: 'at', time: Date.UTC(2027, 0, 1) },
          fields: expect.arrayContaining(['volume24h', 'spread']),
        },
      ]);
    });

    interface ToolCall {
      readonly tool: string;
      /** The arguments of the model. */
      readonly sent: Readonly<Record<string, unknown>>;
      /** The endpoint that the tool calls, with its response. */
      readonly endpoints: Partial<ToolEndpoints>;
      /** What the endpoint receives. */
      readonly parameters: object;
      readonly result: object;
    }
    it.each<ToolCall>([
      {
        tool: 'get_market',
        sent: { id: 'é?a%41' },
        endpoints: { 'get-market': respond({ id: '0x1', outcomes: [] }) },
        parameters: { id: 'é?a%41' },
        result: { ...AGE, market: { id: '0x1', outcomes: [] } },
      },
      {
        tool: 'list_events',
        sent: { sort: 'endDate' },
        endpoints: {
          'list-events': respond([{ slug: 'e', topMarkets: [] }], { 'X-Total-Count': '3' }),
        },
        parameters: { sort: 'endDate', limit: 8 },
        result: { ...AGE, total: 3, events: [{ slug: 'e', topMarkets: [] }] },
      },
      {
        tool: 'get_event',
        sent: { slug: 'e' },
        endpoints: { 'get-event': respond({ slug: 'e', markets: [{ id: '0x1' }] }) },
        parameters: { slug: 'e' },
        result: { ...AGE, event: { slug: 'e' }, total: 1 },
      },
      {
        tool: 'order_book',
        sent: { token_id: '123' },
        endpoints: {
          'get-order-book': respond({ bids: [{ price: '0.4', size: '1' }], asks: [] }),
        },
        parameters: { token_id: '123', depth: 5 },
        result: { bids: [[0.4, 1]], asks: [] },
      },
      {
        tool: 'price_history',
        sent: { token_id: '123', startTs: '2026-11-20' },
        endpoints: {
          'get-prices-history': respond({ history: [{ t: NOON, p: 0.5 }] }),
        },
        parameters: { token_id: '123', startTs: Date.parse('2026-11-20') / 1_000 },
        result: { points: [['2026-11-21T12:00:00Z', 0.5]], sampledFrom: 1 },
      },
    ])(
      'the tool $tool calls its endpoint and returns its data',
      async ({ tool, sent, endpoints, parameters, result }) => {
        const { call, received } = await connect(endpoints);
        expect((await call(tool, sent)).structuredContent).toMatchObject(result);
        expect(received).toMatchObject([parameters]);
      },
    );
  },
);

describe('a server of simulated data', () => {
  it('says so in its instructions', async () => {
    const { instructions } = await mcpRig({}, { simulated: true }).call('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    expect(instructions).toMatch(/^All data is SIMULATED: no market, price or link is real/);
  });

  it.each<[string, object, Partial<ToolEndpoints>]>([
    ['list_markets', {}, { 'list-markets': respond([]) }],
    ['get_market', { id: 'a' }, { 'get-market': respond({ id: '0x1', outcomes: [] }) }],
    ['list_events', {}, { 'list-events': respond([]) }],
    ['get_event', { slug: 'e' }, { 'get-event': respond({ slug: 'e', markets: [] }) }],
    ['order_book', { token_id: '1' }, { 'get-order-book': respond({ bids: [], asks: [] }) }],
    ['price_history', { token_id: '1' }, { 'get-prices-history': respond({ history: [] }) }],
  ])('says so in the result of %s', async (name, sent, endpoints) => {
    const { structuredContent } = await mcpRig(endpoints, { simulated: true }).callTool(name, sent);
    expect(structuredContent.simulated).toBe(true);
  });
});

describe('a tool requests of its endpoint', () => {
  const requestedFor = async (fields: readonly string[]) => {
    const { callTool, received } = mcpRig({ 'list-markets': respond([]) });
    await callTool('list_markets', { fields });
    return received;
  };

  it('the fields that the model names', async () => {
    expect(await requestedFor(['id'])).toMatchObject([{ fields: ['id'] }]);
  });

  it('doubtfulChanges beside a change, because the result marks doubtful changes', async () => {
    const fields = ['id', 'sevenDayPriceChange'];
    expect(await requestedFor(fields)).toMatchObject([{ fields: [...fields, 'doubtfulChanges'] }]);
  });
});
