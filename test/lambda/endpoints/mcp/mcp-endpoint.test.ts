// POST /mcp, on the level of the protocol MCP: its messages are JSON-RPC 2.0 in the body of a POST.
// A message that is wrong gets an error that names the rule, and never a 5xx.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TOOLS } from '../../../../lambda/endpoints/mcp/tools.ts';
import { mcpRig, respond, rpc } from './mcp-rig.ts';

/** Error codes of JSON-RPC 2.0. The last one is the SDK's, for errors of HTTP. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const SERVER_ERROR = -32_000;

const CURRENT_REVISION = { 'mcp-protocol-version': '2025-11-25' };
/** A message of 9,900 nested lists, which JSON can express and no tool needs. */
const DEEP_MESSAGE = `{"method":"ping","params":{"a":${'['.repeat(9_900)}${']'.repeat(9_900)}}}`;

/** The response to a message, as JSON. Expects that the server logs nothing. */
async function responseTo(body: string, headers: Readonly<Record<string, string>> = {}) {
  const { post, logged } = mcpRig();
  const response = await post(body, headers);
  expect(logged).toEqual([]);
  return { status: response.status, ...JSON.parse(response.body) };
}

/** An error with this code, whose text contains this sentence. */
const errorWith = (code: number, sentence: string) => ({
  code,
  message: expect.stringContaining(sentence),
});

describe('a message', () => {
  it.each(['*/*', 'text/html'])(
    'gets JSON that no cache may store, with Accept: %s',
    async (accept) => {
      const sent = { accept, ...CURRENT_REVISION };
      const { status, headers, body } = await mcpRig().post(rpc('tools/list'), sent);
      expect(status).toBe(200);
      expect(headers).toEqual({ 'Cache-Control': 'no-store', 'Content-Type': 'application/json' });
      expect(JSON.parse(body).result.tools).toHaveLength(TOOLS.length);
    },
  );

  it.each<[defect: string, body: string, code: number, sentence: string]>([
    ['is not JSON', '{', PARSE_ERROR, 'must be JSON'],
    ['has no method', '{"a":1}', INVALID_REQUEST, 'one request or notification'],
    ['is null', 'null', INVALID_REQUEST, 'one request or notification'],
    ['is a batch', `[${rpc('ping')},${rpc('ping')}]`, INVALID_REQUEST, 'not a batch'],
    ['is nested too deeply', DEEP_MESSAGE, INVALID_REQUEST, '32 levels'],
  ])('that %s gets a 400', async (_defect, body, code, sentence) => {
    const expected = { status: 400, jsonrpc: '2.0', error: errorWith(code, sentence) };
    expect(await responseTo(body)).toMatchObject(expected);
  });

  it.each<[defect: string, headers: Record<string, string>, status: number, sentence: string]>([
    ['another media type', { 'content-type': 'text/plain' }, 415, 'Content-Type'],
    ['an unknown revision', { 'mcp-protocol-version': '1999-01-01' }, 400, '1999-01-01'],
  ])('with %s gets an error of HTTP', async (_defect, headers, status, sentence) => {
    const expected = { status, jsonrpc: '2.0', error: errorWith(SERVER_ERROR, sentence) };
    expect(await responseTo(rpc('ping'), headers)).toMatchObject(expected);
  });

  it.each<[defect: string, body: string, code: number, sentence: string]>([
    ['has an unknown method', rpc('no/such'), METHOD_NOT_FOUND, 'not found'],
    [
      'calls an unknown tool',
      rpc('tools/call', { name: 'buy' }),
      INVALID_PARAMS,
      'The tools are search_markets',
    ],
  ])('that %s gets a 200 with an error', async (_defect, body, code, sentence) => {
    const expected = { status: 200, jsonrpc: '2.0', error: errorWith(code, sentence) };
    expect(await responseTo(body, CURRENT_REVISION)).toMatchObject(expected);
  });

  it.each<[method: string, params: object, rule: string]>([
    [
      'initialize',
      {},
      'The params of initialize must have protocolVersion (a text), capabilities (an object)',
    ],
    ['tools/call', {}, 'must have name (a text)'],
    ['tools/call', { name: 'order_book', arguments: 'x' }, 'can have arguments (an object)'],
    ['tools/list', { cursor: 5 }, 'can only have cursor (a text)'],
  ])('%s with the params %j gets an error with the rule: %s', async (method, params, rule) => {
    const error = errorWith(INVALID_PARAMS, rule);
    const expected = { status: 200, jsonrpc: '2.0', id: 1, error };
    expect(await responseTo(rpc(method, params))).toEqual(expected);
  });

  it.each([7, 'seven', null])('with malformed params gets an error for its id %j', async (id) => {
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: {} };
    const expected = { id, error: { code: INVALID_PARAMS } };
    expect(await responseTo(JSON.stringify(message))).toMatchObject(expected);
  });

  it('that is a malformed notification gets no response', async () => {
    expect(await mcpRig().post('{"jsonrpc":"2.0","method":"tools/call"}')).toMatchObject({
      status: 202,
      body: '',
    });
  });

  it('with a character that HTTP does not allow gets an error that names the header', async () => {
    const { error } = await responseTo(rpc('ping'), { 'mcp-name': '\u0000' });
    expect(error).toMatchObject(errorWith(INVALID_REQUEST, 'Mcp-Name'));
  });

  it('cannot open a subscription, which would need an open connection', async () => {
    const revision = '2026-07-28';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const method = 'subscriptions/listen';
    const headers = { 'mcp-protocol-version': revision, 'mcp-method': method };
    const { body } = await mcpRig().post(rpc(method, { _meta, notifications: {} }), headers);
    expect(JSON.parse(body)).toHaveProperty('error');
  });

  it('of any content and with any headers never gets a 5xx', async () => {
    const { post } = mcpRig({
      'get-market': respond({ id: '0x1', outcomes: [] }),
      'list-markets': respond([]),
    });
    const value = fc.jsonValue({ maxDepth: 4 });
    /** One of the texts that the server expects, or any value. */
    const oneOf = (...texts: string[]) => fc.oneof(fc.constantFrom(...texts), value);
    const argumentName = fc.constantFrom('id', 'token_id', '__proto__');
    const params = fc.record({
      name: oneOf('get_market', 'list_markets'),
      arguments: fc.oneof(fc.dictionary(argumentName, value), value),
      _meta: value,
    });
    const messages = fc.record({
      jsonrpc: oneOf('2.0'),
      id: value,
      // The last one is half of a character.
      method: oneOf('tools/call', 'initialize', '\ud800'),
      params: fc.oneof(params, value),
    });
    const headers = fc.dictionary(
      fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name'),
      fc.oneof(
        fc.constantFrom('2025-11-25', '2026-07-28', 'tools/call'),
        fc.string({ unit: 'binary' }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(messages, headers, async (message, sent) => {
        expect((await post(JSON.stringify(message), sent)).status).toBeLessThan(500);
      }),
    );
  });
});
