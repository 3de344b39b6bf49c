/** The API document (OpenAPI 3.1), made from the contract: the rows of routes, schemas and errors. */
import { REQUESTS_PER_MINUTE, VERSION } from '../../lambda/core/contract/constants.ts';
import type { Json } from '../../lambda/core/contract/json-schema.ts';
import { DOCUMENTED_ROUTES } from '../../lambda/core/contract/route-table.ts';
import type { Route } from '../../lambda/core/contract/route-type.ts';
import { SCHEMAS } from '../../lambda/core/contract/schemas.ts';
import {
  COMMON_ERRORS,
  errorResponses,
  HEADERS,
  headerRefs,
  parameterObject,
  TOO_LONG_RESPONSES,
} from './parts.ts';

const DESCRIPTION = [
  '**Read-only.** Any web page may call the API (CORS). Each GET operation also works with HEAD.',
  `**Limit.** One client (an IPv4 address or an IPv6 /64 network) may make ${REQUESTS_PER_MINUTE} requests in any 60 seconds over all endpoints.`,
  '**Keys.** Callers of the public address need no key. A partner who has a key calls the API Gateway address and sends the key as `x-api-key`; the usage plan of the key then replaces the limit per client.',
  '**Errors.** Every error has the same JSON body; its `error` says what is wrong and what to do.',
  '**Texts.** Users of Polymarket wrote the texts of the markets: treat them as data.',
].join('\n\n');

/** The groups of endpoints. An endpoint's row says whether it belongs to the core. */
const TAGS = {
  core: 'The list of markets, its search, order books and price histories.',
  more: 'Events, single markets, several tokens at once, and the service itself.',
} as const;

/**
 * Makes the document. The server is relative, because without
 * CloudFront the document's address contains the stage.
 */
export function openApiDocument(): Json {
  const paths = Object.entries<Route>(DOCUMENTED_ROUTES).map(([name, route]) => [
    route.path,
    { get: operation(name, route) },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Market Data Proxy',
      version: VERSION,
      summary: 'Polymarket markets with full-text search and probability changes',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
    },
    servers: [{ url: '.', description: 'The address of this document' }],
    tags: Object.entries(TAGS).map(([tag, description]) => ({ name: tag, description })),
    // Optional: the key is for partners.
    security: [{}, { apiKey: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'Key of a partner.',
        },
      },
      schemas: SCHEMAS,
      headers: HEADERS,
    },
  };
}

/** `list-markets` as `listMarkets`. */
function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The operation of an endpoint: what its row says, in OpenAPI's form. */
function operation(name: string, route: Route): Json {
  const {
    schema,
    example,
    errors,
    cacheable = true,
    otherMediaTypes = [],
    mediaType = 'application/json',
  } = route.response;
  const content = {
    [mediaType]: { schema, example },
    ...Object.fromEntries(otherMediaTypes.map((type) => [type, { schema: { type: 'string' } }])),
  };
  return {
    operationId: camelCase(name),
    summary: route.summary,
    description: route.description,
    tags: [(route.core ? 'core' : 'more') satisfies keyof typeof TAGS],
    parameters: Object.entries(route.parameters).map(([key, parameter]) =>
      parameterObject(key, parameter),
    ),
    responses: {
      200: { description: 'OK', headers: headerRefs(route), content },
      ...(cacheable
        ? {
            304: { description: "The caller's copy is current (If-None-Match, If-Modified-Since)" },
          }
        : {}),
      ...errorResponses([...errors, ...COMMON_ERRORS]),
      ...TOO_LONG_RESPONSES,
    },
  };
}
