import { RELATIVE_MOMENT_PATTERN } from '../domain/moment.ts';
import { REQUESTS_PER_MINUTE, RETRY_AFTER_SECONDS } from './constants.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { SEARCH_MATCHES } from './headers.ts';
import type { Parameter } from './parameters.ts';
import { type Json, type Route, ref } from './route.ts';
import { ROUTES, type RouteName } from './routes.ts';
import { SCHEMAS } from './schemas.ts';

/** Every endpoint may answer with these. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'missing_api_key',
  'rate_limited',
  'internal_error',
];

/** The OpenAPI 3.1 document, made from the route table. Servers are relative: the document is served by the API. */
export function openApiDocument(version: string): Json {
  const paths = Object.entries<Route>(ROUTES).map(([name, route]) => [
    route.path,
    route.method === 'POST'
      ? { post: rpcOperation(name as RouteName) }
      : { get: operation(name as RouteName, 'get'), head: operation(name as RouteName, 'head') },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Market Data Proxy',
      version,
      summary: 'Polymarket markets, searchable and enriched with probability changes',
      description: `Read-only and free to call from a browser. Each IP may make ${REQUESTS_PER_MINUTE} requests in a minute over the four data endpoints together. Every error has the same body, and a status other than 200 and 304 always explains itself in \`error\`.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
    },
    servers: [{ url: '/', description: 'Where this document was read' }],
    tags: [
      { name: 'markets', description: 'From the newest snapshot, at most about two minutes old' },
      { name: 'clob', description: 'Proxied live from the order book upstream' },
      { name: 'service', description: 'About the service itself; not counted by the limit' },
    ],
    // Anonymous callers need no key at the public address; the key is for callers of the API itself.
    security: [{}, { apiKey: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: SCHEMAS,
      headers: HEADERS,
    },
  };
}

function operation(name: RouteName, method: 'get' | 'head'): Json {
  const route: Route = ROUTES[name];
  const { schema, example, errors, cacheable, csv, mediaType = 'application/json' } = route.response;
  const withBody = method === 'get';
  const success: Json = {
    description: 'OK',
    headers: headerRefs(route),
    ...(withBody
      ? {
          content: {
            [mediaType]: { schema, example },
            ...(csv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
          },
        }
      : {}),
  };
  return {
    operationId: withBody ? camelCase(name) : camelCase(`head-${name}`),
    summary: withBody ? route.summary : `The headers of: ${route.summary}`,
    tags: [route.path.startsWith('/api/clob') ? 'clob' : route.counted ? 'markets' : 'service'],
    parameters: Object.entries(route.parameters).map(([key, parameter]) => parameterObject(key, parameter)),
    responses: {
      200: success,
      ...(cacheable
        ? { 304: { description: 'The caller has this version already (If-None-Match, If-Modified-Since)' } }
        : {}),
      ...errorResponses([...errors, ...COMMON_ERRORS], withBody),
    },
  };
}

/** Takes messages of a protocol that has a document of its own: what it may say and how it fails stands there. */
function rpcOperation(name: RouteName): Json {
  const route: Route = ROUTES[name];
  const { schema, example } = route.response;
  const content = { 'application/json': { schema, example } };
  return {
    operationId: camelCase(name),
    summary: route.summary,
    tags: ['service'],
    requestBody: { required: true, content: { 'application/json': { schema, example: { ...PING } } } },
    responses: {
      200: { description: 'The response to a request', headers: headerRefs(route), content },
      202: { description: 'A notification was taken' },
      ...errorResponses(COMMON_ERRORS, true),
      default: { description: "An error in the protocol's own form", content },
    },
  };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;

/** Errors of one status share a response. */
function errorResponses(codes: readonly ErrorCode[], withBody: boolean): Json {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const responses = [...byStatus].map(([status, some]) => [
    status,
    {
      description: some.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('; '),
      ...(status === 429 ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } } : {}),
      ...(withBody
        ? {
            content: {
              'application/json': {
                schema: ref('ApiError'),
                example: {
                  error: 'What went wrong, and what to do.',
                  code: some[0],
                  requestId: 'c6af9ac6-7b61',
                },
              },
            },
          }
        : {}),
    },
  ]);
  return Object.fromEntries(responses);
}

function parameterObject(name: string, parameter: Parameter): Json {
  const aliases = parameter.aliases?.length ? ` Also accepted as ${parameter.aliases.join(', ')}.` : '';
  return {
    name,
    in: parameter.in ?? 'query',
    // A document has no word for "under one of these names": the first name is the one to use.
    required: parameter.required === true,
    description: `${parameter.description}${aliases}`,
    ...(parameter.kind === 'list' ? { style: 'form', explode: false } : {}),
    schema: parameterSchema(parameter),
    example: exampleOf(parameter),
  };
}

function exampleOf({ kind, example }: Parameter): unknown {
  if (kind === 'integer' || kind === 'number') return Number(example);
  return kind === 'list' ? example.split(',') : example;
}

/** The JSON Schema of a parameter; refers to the schemas of the document. */
export function parameterSchema(parameter: Parameter): Json {
  switch (parameter.kind) {
    case 'integer':
      return {
        type: 'integer',
        minimum: parameter.minimum,
        ...(parameter.default === undefined ? {} : { default: parameter.default }),
      };
    case 'text':
      return {
        type: 'string',
        minLength: parameter.minLength,
        maxLength: parameter.maxLength,
        pattern: parameter.pattern,
      };
    case 'choice':
      return {
        type: 'string',
        enum: parameter.values,
        // What generated clients call the values, where a value is no identifier.
        ...(parameter.names ? { 'x-enum-varnames': parameter.names } : {}),
        ...(parameter.default === undefined ? {} : { default: parameter.default }),
      };
    case 'token-id':
      return ref('TokenId');
    case 'snapshot-id':
      return { type: 'string', pattern: '^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}$' };
    case 'number':
      return {
        type: 'number',
        minimum: parameter.minimum,
        ...(parameter.maximum === undefined ? {} : { maximum: parameter.maximum }),
      };
    case 'moment':
      return {
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'string', format: 'date' },
          { type: 'string', pattern: RELATIVE_MOMENT_PATTERN },
        ],
      };
    case 'list':
      return {
        type: 'array',
        minItems: 1,
        maxItems: parameter.mostEntries,
        items: parameter.tokens
          ? ref('TokenId')
          : parameter.values
            ? { type: 'string', enum: parameter.values }
            : { type: 'string', minLength: 1, maxLength: parameter.entryLength, pattern: '^[^,]+$' },
      };
  }
}

const HEADERS = {
  'X-Total-Count': { description: 'Entries on all pages together.', schema: { type: 'integer', minimum: 0 } },
  Link: {
    description: 'RFC 8288 links to the first, previous, next and last page.',
    schema: { type: 'string' },
  },
  'X-Search-Match': {
    description:
      'How the entries were found: everything in the categories that the query names (category), what holds all its words (all) or, since nothing does, what holds any of them (any).',
    schema: { type: 'string', enum: SEARCH_MATCHES },
  },
  ETag: { description: 'Weak.', schema: { type: 'string' } },
  'Last-Modified': { description: 'When the prices were read.', schema: { type: 'string' } },
  'Cache-Control': { schema: { type: 'string' } },
  RateLimit: { description: 'Requests left and seconds until more are.', schema: { type: 'string' } },
  'RateLimit-Policy': { schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', const: RETRY_AFTER_SECONDS } },
  'X-Request-Id': { description: 'To name in a report.', schema: { type: 'string' } },
} as const;

function headerRefs({ counted, source, response }: Route): Json {
  const names: (keyof typeof HEADERS)[] = [
    'Cache-Control',
    'X-Request-Id',
    ...(response.headers ?? []),
    ...(counted ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(response.cacheable ? (['ETag'] as const) : []),
    ...(response.cacheable && source === 'snapshot' ? (['Last-Modified'] as const) : []),
  ];
  return Object.fromEntries(names.map((header) => [header, { $ref: `#/components/headers/${header}` }]));
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
