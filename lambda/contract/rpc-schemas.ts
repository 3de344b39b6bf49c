import { object } from './json-schema.ts';

/** An integer as far as JSON numbers are exact. */
const rpcId = {
  type: ['string', 'integer'],
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

const anyObject = { type: 'object', additionalProperties: true } as const;

/** Schemas of the messages that agents exchange with `/mcp`, see schemas.ts. */
export const RPC_SCHEMAS = {
  RpcRequest: {
    description:
      'A request of the Model Context Protocol, or a notification if it has no id. The body holds one JSON-RPC 2.0 message; batches are not supported. The protocol defines the parameters of each method. Revision 2026-07-28 also requires its keys in `_meta` and the headers Mcp-Method and Mcp-Name.',
    ...object(['jsonrpc', 'method'], {
      jsonrpc: { type: 'string', const: '2.0' },
      id: rpcId,
      method: { type: 'string', examples: ['initialize', 'ping', 'tools/list', 'tools/call'] },
      params: {
        ...anyObject,
        properties: { _meta: { ...anyObject, properties: { progressToken: rpcId } } },
      },
    }),
  },
  RpcResponse: {
    description: 'The response to a request. It has either a `result` or an `error` of the protocol.',
    ...object(['jsonrpc', 'id'], {
      jsonrpc: { type: 'string', const: '2.0' },
      id: rpcId,
      result: anyObject,
      error: { $ref: '#/components/schemas/RpcErrorDetail' },
    }),
    oneOf: [{ required: ['result'] }, { required: ['error'] }],
  },
  RpcError: {
    ...object(['jsonrpc', 'id', 'error'], {
      jsonrpc: { type: 'string', const: '2.0' },
      id: { type: ['string', 'number', 'null'] },
      error: { $ref: '#/components/schemas/RpcErrorDetail' },
    }),
    description: "An error in the protocol's own form.",
  },
  RpcErrorDetail: object(['code', 'message'], {
    code: { type: 'integer' },
    message: { type: 'string' },
    data: { description: 'Further details of the error.' },
  }),
} as const;
