import { REQUESTS_PER_MINUTE } from './constants.ts';
import { camelCase } from './openapi/camel-case.ts';
import { COMMON_ERRORS, errorResponses, tooLongResponses } from './openapi/errors.ts';
import { HEADERS, headerRefs } from './openapi/headers.ts';
import { parameterObject } from './openapi/parameters.ts';
import { rpcOperation } from './openapi/rpc.ts';
import type { Json, Route } from './route.ts';
import { ROUTES } from './routes.ts';
import { SCHEMAS } from './schemas.ts';

/**
 * The OpenAPI 3.1 document, made from the route table. Its server is relative to its own address, since that has the
 * stage in it where there is no front door.
 */
export function openApiDocument(version: string): Json {
  const paths = Object.entries<Route>(ROUTES).map(([name, route]) => [
    route.path,
    route.method === 'POST'
      ? { post: rpcOperation(name, route) }
      : { get: operation(name, route, 'get'), head: operation(name, route, 'head') },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Market Data Proxy',
      version,
      summary: 'Polymarket markets, searchable and enriched with probability changes',
      description: `Read-only and free to call from a browser. Each IP may make ${REQUESTS_PER_MINUTE} requests in a minute over all endpoints but those of the tag \`service\`. Every error has the same body, and a status other than 200 and 304 always explains itself in \`error\`.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
    },
    servers: [{ url: '.', description: 'Where this document was read' }],
    tags: [
      { name: 'markets', description: 'From the newest snapshot, at most about two minutes old' },
      { name: 'clob', description: 'Proxied live from the order book upstream' },
      { name: 'agents', description: 'The tools of the Model Context Protocol' },
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

function operation(name: string, route: Route, method: 'get' | 'head'): Json {
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
      ...tooLongResponses(withBody),
    },
  };
}
