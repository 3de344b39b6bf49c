// An MCP server for the tests, and endpoints whose data its tools return. Prices are of 12:00, and
// the server's time is 12:01.

import { mcp } from '../../../../lambda/endpoints/mcp/mcp-endpoint.ts';
import type { ToolEndpoints } from '../../../../lambda/endpoints/mcp/mcp-server.ts';
import type { HttpResponse } from '../../../../lambda/http/response.ts';

/** The server's time. */
export const NOW = Date.UTC(2026, 10, 21, 12, 1, 0);
/** The age that a result has. */
export const AGE = { asOf: '2026-11-21T12:00:00.000Z', ageSeconds: 60 };

/** The response of an endpoint with this value as JSON, whose prices are of 12:00. */
export const responseOf = (
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status: 200,
  body: JSON.stringify(value),
  headers: { 'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT', ...headers },
});

/** An endpoint that always returns this response. */
export const respond = (...response: Parameters<typeof responseOf>) => {
  return () => responseOf(...response);
};

/** A request of JSON-RPC, the protocol of MCP messages, as text. */
export const rpc = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/**
 * An MCP server whose tools call these endpoints, without the HTTP pipeline. `post` sends a message
 * as text, and `callTool` a call of a tool. For example:
 *
 *     const { callTool, received } = mcpRig({ 'get-event': respond({ slug: 'e', markets: [] }) });
 *     const { structuredContent } = await callTool('get_event', { slug: 'e' });
 *     expect(received).toEqual([{ slug: 'e' }]);
 */
export function mcpRig(endpoints: Partial<ToolEndpoints> = {}, { simulated = false } = {}) {
  /** The parameters that the endpoints received, and the errors that were logged. */
  const received: unknown[] = [];
  const logged: unknown[] = [];
  const recording: Record<string, (request: { readonly parameters: unknown }) => unknown> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    recording[name] = (request) => {
      received.push(request.parameters);
      return endpoint(request as never);
    };
  }
  const server = mcp({
    endpoints: recording as unknown as ToolEndpoints,
    now: () => NOW,
    simulated,
    log: (error, fields) => logged.push({ error, ...fields }),
  });
  const post = async (body: string, headers: Readonly<Record<string, string>> = {}) =>
    await server({
      parameters: {},
      sent: {},
      path: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    });
  const call = async (method: string, params: object) =>
    JSON.parse((await post(rpc(method, params))).body).result;
  const callTool = (name: string, args: object = {}) =>
    call('tools/call', { name, arguments: args });
  return { post, call, callTool, received, logged };
}
