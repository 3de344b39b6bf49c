/**
 * The endpoint of MCP (Model Context Protocol), by which language models call the service's tools.
 * The messages of MCP are requests of JSON-RPC 2.0. An SDK answers them; this file checks them.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  isSpecType,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { MCP_HEADERS, NO_STORE } from '../../core/contract/headers.ts';
import { isDeeper, parseJson } from '../../core/domain/values.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { HttpResponse } from '../../http/response.ts';
import { type McpServerOptions, mcpServer } from './mcp-server.ts';

/**
 * The SDK receives this `Accept` in place of the client's. The protocol requires both types; the
 * service always sends JSON, which every client reads.
 */
const ACCEPTED = 'application/json, text/event-stream';
/** A message with more nested levels is rejected. A tool call has six. */
const MAX_DEPTH = 32;

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

/** The form of a request. */
interface RequestForm {
  readonly isValid: (message: unknown) => boolean;
  /** The form in words, for the error. */
  readonly rule: string;
}

/**
 * The forms of requests by method. They are checked before the SDK reads a request, because its
 * error for malformed params would be a dump of its validator.
 */
const REQUEST_FORMS: ReadonlyMap<unknown, RequestForm> = new Map(
  Object.entries({
    initialize: {
      isValid: isSpecType.InitializeRequest,
      rule: 'The params of initialize must have protocolVersion (a text), capabilities (an object) and clientInfo (an object with name and version).',
    },
    'tools/call': {
      isValid: isSpecType.CallToolRequest,
      rule: 'The params of tools/call must have name (a text) and can have arguments (an object).',
    },
    'tools/list': {
      isValid: isSpecType.ListToolsRequest,
      rule: 'The params of tools/list can only have cursor (a text).',
    },
  }),
);

/**
 * `POST /mcp`: a stateless server of tools. The SDK has a part for "modern" clients, of the
 * protocol's revision 2026-07-28, and one for "legacy" clients, of revisions before it.
 */
export function mcp(options: McpServerOptions): Endpoint<'mcp'> {
  // Rejects subscriptions, which need an open connection.
  const modern = createMcpHandler(() => mcpServer(options), {
    legacy: 'reject',
    maxSubscriptions: 0,
  });
  return async ({ headers: sent, body = '' }) => {
    const problem = problemOf(body);
    if (problem) return problem;
    const headers = new Headers({ Accept: ACCEPTED });
    for (const name of MCP_HEADERS) {
      const value = sent[name.toLowerCase()];
      if (value === undefined || trySet(headers, name, value)) continue;
      const message = `The header ${name} contains characters that HTTP does not allow.`;
      return rpcError(INVALID_REQUEST, message);
    }
    // The protocol requires an address and ignores it.
    const request = new Request('https://mcp.invalid/mcp', { method: 'POST', headers, body });
    const response = (await isLegacyRequest(request))
      ? await respondLegacy(request, options)
      : await modern.fetch(request);
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      body: await response.text(),
      headers: { 'Cache-Control': NO_STORE, ...(type === null ? {} : { 'Content-Type': type }) },
    };
  };
}

/** Sets a header. @returns false if the value contains characters that HTTP does not allow */
function trySet(headers: Headers, name: string, value: string): boolean {
  try {
    headers.set(name, value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the error for a body that is not one well-formed message.
 *
 * Batches (revision 2025-03-26) would bypass the rate limit, which counts HTTP requests. Responses
 * have no meaning, because this server sends no requests.
 */
function problemOf(body: string): HttpResponse | undefined {
  const message = parseJson(body);
  if (message === undefined)
    return rpcError(PARSE_ERROR, 'The body must be JSON: one message of JSON-RPC 2.0.');
  if (Array.isArray(message))
    return rpcError(INVALID_REQUEST, 'Send one message in a request, not a batch.');
  if (typeof message !== 'object' || message === null || !('method' in message)) {
    return rpcError(
      INVALID_REQUEST,
      'The body must be one request or notification of JSON-RPC 2.0.',
    );
  }
  if (isDeeper(message, MAX_DEPTH)) {
    return rpcError(
      INVALID_REQUEST,
      `The message has more than ${MAX_DEPTH} levels of lists and objects.`,
    );
  }
  const form = REQUEST_FORMS.get(message.method);
  const isNotification = !('id' in message);
  if (!form || isNotification || form.isValid(message)) return undefined;
  const id = typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
  // The response to a request has status 200 even if it is an error, as the SDK's have.
  return { ...rpcError(INVALID_PARAMS, form.rule, id), status: 200 };
}

/** An error of JSON-RPC. @param id of the request, if it can be read */
function rpcError(code: number, message: string, id: string | number | null = null): HttpResponse {
  return {
    status: 400,
    body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
    headers: { 'Cache-Control': NO_STORE },
  };
}

/** Responds to legacy clients. Their revisions have sessions; this server responds without one. */
async function respondLegacy(request: Request, options: McpServerOptions): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = mcpServer(options);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}
