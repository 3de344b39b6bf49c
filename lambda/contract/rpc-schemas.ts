/** An integer as far as JSON numbers are exact. */
const rpcId = {
  type: ['string', 'integer'],
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

/** Schemas of the messages of agents, see schemas.ts. */
export const RPC_SCHEMAS = {
  RpcRequest: {
    type: 'object',
    additionalProperties: false,
    description:
      'A request of the Model Context Protocol, or without an id a notification: one message of JSON-RPC 2.0, no batch. What its methods take, the protocol says. The revision 2026-07-28 wants its own keys in `_meta` and its headers Mcp-Method and Mcp-Name besides.',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: { type: 'string', const: '2.0' },
      id: rpcId,
      method: { type: 'string', examples: ['initialize', 'ping', 'tools/list', 'tools/call'] },
      params: {
        type: 'object',
        properties: { _meta: { type: 'object', properties: { progressToken: rpcId } } },
      },
    },
  },
  RpcResponse: {
    type: 'object',
    additionalProperties: false,
    description: 'The response to a request: it has a `result`, or an `error` of the protocol.',
    required: ['jsonrpc', 'id'],
    properties: {
      jsonrpc: { type: 'string', const: '2.0' },
      id: rpcId,
      result: { type: 'object' },
      error: { $ref: '#/components/schemas/RpcErrorDetail' },
    },
    oneOf: [{ required: ['result'] }, { required: ['error'] }],
  },
  RpcError: {
    type: 'object',
    additionalProperties: false,
    description: "An error in the protocol's own form.",
    required: ['jsonrpc', 'id', 'error'],
    properties: {
      jsonrpc: { type: 'string', const: '2.0' },
      id: { type: ['string', 'number', 'null'] },
      error: { $ref: '#/components/schemas/RpcErrorDetail' },
    },
  },
  RpcErrorDetail: {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer' },
      message: { type: 'string' },
      data: { description: 'What more there is to say.' },
    },
  },
} as const;
