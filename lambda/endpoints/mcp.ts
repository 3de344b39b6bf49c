import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { MCP_HEADERS } from '../contract/headers.ts';
import { NO_STORE } from '../http/cache-control.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { type McpServerOptions, mcpServer } from '../mcp/mcp-server.ts';

/**
 * `POST /mcp`: a stateless server of the Model Context Protocol, streamable HTTP with JSON responses. It speaks the
 * revision 2026-07-28 and the ones from 2025 and before, whose handshake leaves nothing behind.
 */
export function mcp(options: McpServerOptions) {
  // Streams of changes would need a connection that stays: a request for one is refused.
  const modern = createMcpHandler(() => mcpServer(options), { legacy: 'reject', maxSubscriptions: 0 });
  return async (request: EndpointRequest<'mcp'>): Promise<HttpResponse> => {
    const headers = MCP_HEADERS.flatMap((name) => {
      const value = request.headers[name.toLowerCase()];
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    // Only the protocol looks at it, and it wants one: the address that a caller used is not known here.
    const asked = new Request('https://mcp.invalid/mcp', {
      method: 'POST',
      headers,
      body: request.body ?? '',
    });
    const response = (await isLegacyRequest(asked))
      ? await legacy(asked, options)
      : await modern.fetch(asked);
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      body: await response.text(),
      headers: { 'Cache-Control': NO_STORE, ...(type === null ? {} : { 'Content-Type': type }) },
    };
  };
}

/** One request of a revision with sessions, served without one. */
async function legacy(request: Request, options: McpServerOptions): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = mcpServer(options);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}
