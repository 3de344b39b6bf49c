import { type Route, ref } from '../route.ts';

/** What programs that think read: the tools, and a page that says where everything is. */
export const AGENT_ROUTES = {
  mcp: {
    path: '/mcp',
    summary: 'The tools of this service for agents (Model Context Protocol, streamable HTTP, stateless)',
    method: 'POST',
    counted: true,
    source: 'snapshot',
    memoryMb: 1_024,
    parameters: {},
    response: {
      schema: ref('RpcResponse'),
      example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
      errors: [],
      cacheable: false,
    },
  },
  'get-llms-txt': {
    path: '/llms.txt',
    summary: 'What there is to read and to call, in a form for language models',
    counted: false,
    source: 'none',
    parameters: {},
    response: {
      schema: { type: 'string' },
      mediaType: 'text/plain',
      example: '# Market Data Proxy',
      errors: [],
      cacheable: false,
    },
  },
} as const satisfies Record<string, Route>;
