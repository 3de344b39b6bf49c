import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TOOLS } from '../../../../lambda/endpoints/mcp/tools.ts';
import { mcpRig, respond, rpc } from './mcp-rig.ts';

// Messages on the level of the protocol: JSON-RPC 2.0 in the body of a POST.

describe('a message', () => {
  it.each(['*/*', 'text/html'])(
    'gets JSON that no cache may store, with Accept: %s',
    async (accept) => {
      const sent = { accept, 'mcp-protocol-version': '2025-11-25' };
      const { status, headers, body } = await mcpRig().post(rpc('tools/list'), sent);
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
      `{"method":"ping","params":{"a":${'['.repeat(9_900)}${']'.repeat(9_900)}}}`,
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
      const { post, logged } = mcpRig();
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
        const { status, body } = await mcpRig().post(
          JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        );
        expect(status).toBe(200);
        const error = { code: -32_602, message: expect.stringMatching(sentence) };
        expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', id, error });
        expect(body).not.toContain('invalid_type');
      }
    },
  );

  it('that is a malformed notification gets no response', async () => {
    expect(await mcpRig().post('{"jsonrpc":"2.0","method":"tools/call"}')).toMatchObject({
      status: 202,
      body: '',
    });
  });

  it('with an odd header gets an error that names the header', async () => {
    const { body } = await mcpRig().post(rpc('ping'), { 'mcp-name': '\u0000' });
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
    const response = await mcpRig().post(
      rpc('subscriptions/listen', { _meta: meta, notifications: {} }),
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
    );
    expect(JSON.parse(response.body)).toHaveProperty('error');
  });

  it('of any content and with any headers never gets a 5xx', async () => {
    const { post } = mcpRig({
      'get-market': respond({ id: '0x1', outcomes: [] }),
      'list-markets': respond([]),
    });
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
      fc.constantFrom('2025-11-25', '2026-07-28', 'tools/call'),
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
