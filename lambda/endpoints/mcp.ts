import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { MCP_HEADERS } from '../contract/headers.ts';
import { NO_STORE } from '../http/cache-control.ts';
import type { ErrorLog } from '../http/error-log.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { type McpServerOptions, mcpServer } from '../mcp/mcp-server.ts';
import { currentRequestId } from '../platform/request-context.ts';

/** What the protocol wants a client to accept. All responses are JSON, so that whoever asks for less gets that. */
const ACCEPTED = 'application/json, text/event-stream';

/** Codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

export interface McpOptions extends Omit<McpServerOptions, 'onError'> {
  readonly log: ErrorLog;
}

/**
 * `POST /mcp`: a stateless server of the Model Context Protocol, streamable HTTP with JSON responses. It speaks the
 * revision 2026-07-28 and the ones from 2025 and before, whose handshake leaves nothing behind.
 */
export function mcp({ log, ...others }: McpOptions) {
  const onError: McpServerOptions['onError'] = (tool, error) =>
    log(error, { requestId: currentRequestId(), tool });
  const options = { ...others, onError };
  // Streams of changes would need a connection that stays: a request for one is refused.
  const modern = createMcpHandler(() => mcpServer(options), { legacy: 'reject', maxSubscriptions: 0 });
  return async (request: EndpointRequest<'mcp'>): Promise<HttpResponse> => {
    const refusal = refusalOf(request.body ?? '');
    if (refusal) return refusal;
    const headers = MCP_HEADERS.flatMap((name) => {
      const value = request.headers[name.toLowerCase()];
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    // Only the protocol looks at it, and it wants one: the address that a caller used is not known here.
    const asked = new Request('https://mcp.invalid/mcp', {
      method: 'POST',
      headers: [...headers, ['Accept', ACCEPTED]],
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

/**
 * What is no single message. Several at once, which only the revision 2025-03-26 has, would count as one request of
 * its caller however many they are (docs/adr/0004-per-ip-limit.md), and a response is to nothing that was asked.
 */
function refusalOf(body: string): HttpResponse | undefined {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return rpcError(PARSE_ERROR, 'The body must be JSON: one message of JSON-RPC 2.0.');
  }
  if (Array.isArray(message)) return rpcError(INVALID_REQUEST, 'Send one message a request, not a batch.');
  if (typeof message === 'object' && message !== null && 'method' in message) return undefined;
  return rpcError(INVALID_REQUEST, 'The body must be one request or notification of JSON-RPC 2.0.');
}

function rpcError(code: number, message: string): HttpResponse {
  return {
    status: 400,
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
    headers: { 'Cache-Control': NO_STORE },
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
