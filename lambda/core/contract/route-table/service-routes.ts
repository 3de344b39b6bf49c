/**
 * The rows of the route table for the service itself (status, documents, MCP) and for the files of
 * the market page. `Route` explains the keys of a row.
 */
import { EXAMPLES } from '../examples.ts';
import { PATH_SEGMENT_PATTERN } from '../patterns.ts';
import { type Route, ref } from '../route-type.ts';

const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;
/** What the rows of generated documents have in common. */
const DOCUMENT = { limited: true, source: 'none', parameters: {} } as const;

export const SERVICE_ROUTES = {
  'get-status': {
    limited: true,
    path: '/api/status',
    summary: 'Get the state and the age of the data',
    description:
      'For monitoring and for programs that show the age of the data. The response is 200 also while there is no data.',
    source: 'snapshot',
    parameters: {},
    response: {
      schema: ref('Status'),
      example: EXAMPLES.Status,
      errors: ['snapshot_missing'],
      cacheable: false,
    },
  },
  'get-openapi': {
    ...DOCUMENT,
    path: '/openapi.json',
    summary: 'Get this document',
    description: 'OpenAPI 3.1, for generators of clients and for tools.',
    response: { schema: ANY_OBJECT, example: { openapi: '3.1.0' }, errors: [], cacheable: false },
  },
  mcp: {
    path: '/mcp',
    summary: 'Call the tools of this service (Model Context Protocol, streamable HTTP, stateless)',
    description: 'The protocol describes its messages, so that the API document leaves them out.',
    method: 'POST',
    limited: true,
    source: 'snapshot',
    memoryMb: 1_024,
    parameters: {},
    response: {
      schema: ANY_OBJECT,
      example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
      errors: ['body_too_large'],
      cacheable: false,
    },
  },
  'get-llms-txt': {
    ...DOCUMENT,
    path: '/llms.txt',
    summary: 'Get an overview of this service for language models',
    description: 'Plain text in the form of llmstxt.org: the endpoints, units and limits.',
    response: {
      schema: { type: 'string' },
      mediaType: 'text/plain',
      example: '# Market Data Proxy',
      errors: [],
      cacheable: false,
    },
  },
} as const satisfies Record<string, Route>;

/** What the rows of the market page's files have in common. */
const PAGE = {
  description: 'A file of the market page.',
  limited: false,
  source: 'page',
  parameters: {},
  response: {
    schema: { type: 'string' },
    mediaType: 'text/html',
    example: '',
    errors: ['not_found'],
  },
} as const;

/**
 * The path parameter of a link to a market or event. The limit is long, so that the page shows a
 * wrong link as one that it does not know, instead of an error in JSON.
 */
const sharedSlug = (example: string) =>
  ({
    slug: {
      in: 'path',
      kind: 'text',
      required: true,
      minLength: 1,
      maxLength: 10_000,
      description: 'Slug or condition id.',
      example,
    },
  }) as const;

/**
 * The files of the market page. One function serves all of them, and the API document omits them.
 */
export const SITE_ROUTES = {
  'get-page': { ...PAGE, path: '/', summary: 'The market page' },
  'get-docs': { ...PAGE, path: '/docs', summary: 'The API reference', function: 'get-page' },
  'get-market-page': {
    ...PAGE,
    source: 'snapshot',
    path: '/market/{slug}',
    summary: 'The market page with one market open',
    function: 'get-page',
    parameters: sharedSlug('will-the-river-museum-open-before-july'),
  },
  'get-event-page': {
    ...PAGE,
    source: 'snapshot',
    path: '/event/{slug}',
    summary: 'The market page with the outcomes of one event',
    function: 'get-page',
    parameters: sharedSlug('river-museum'),
  },
  'get-asset': {
    ...PAGE,
    path: '/assets/{file}',
    summary: 'A script, style sheet or icon of the page; its name contains its hash',
    function: 'get-page',
    parameters: {
      file: {
        in: 'path',
        kind: 'text',
        required: true,
        minLength: 1,
        maxLength: 200,
        pattern: PATH_SEGMENT_PATTERN,
        description: 'Name of the file.',
        example: 'page-3f9a1c20.js',
      },
    },
  },
} as const satisfies Record<string, Route>;
