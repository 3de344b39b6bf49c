import { MCP_REVISIONS } from '../headers.ts';
import { type Json, type Route, ref } from '../route.ts';
import { camelCase } from './camel-case.ts';
import { COMMON_ERRORS, errorResponses } from './errors.ts';
import { headerRefs } from './headers.ts';

/** Takes messages of a protocol that has a document of its own: what they may say stands there. */
export function rpcOperation(name: string, route: Route): Json {
  const { schema, example } = route.response;
  const errors = errorResponses(['body_too_large', ...COMMON_ERRORS], true);
  return {
    operationId: camelCase(name),
    summary: route.summary,
    tags: ['agents'],
    parameters: [
      {
        name: 'Mcp-Protocol-Version',
        in: 'header',
        required: false,
        description: 'The revision of the protocol that was agreed on.',
        schema: { type: 'string', enum: MCP_REVISIONS },
        example: MCP_REVISIONS[0],
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('RpcRequest'), example: { ...PING } } },
    },
    responses: {
      200: {
        description: 'The response to a request',
        headers: headerRefs(route),
        content: { 'application/json': { schema, example } },
      },
      202: { description: 'A notification was taken' },
      ...errors,
      400: {
        description: 'The message, or the request that carries it, cannot be read',
        content: {
          'application/json': {
            schema: { anyOf: [ref('RpcError'), ref('ApiError')] },
            example: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The body must be JSON.' } },
          },
        },
      },
      404: {
        description: 'There is no such method (revision 2026-07-28; earlier ones say so with 200)',
        content: { 'application/json': { schema: ref('RpcError') } },
      },
      415: {
        description: 'The body is not declared to be application/json',
        content: { 'application/json': { schema: ref('RpcError') } },
      },
    },
  };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;
