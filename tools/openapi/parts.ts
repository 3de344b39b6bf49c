/** The parts of the API document that several endpoints share: headers, errors, parameters. */
import { MAX_LINK_BYTES, RETRY_AFTER_SECONDS } from '../../lambda/core/contract/constants.ts';
import { ERRORS, type ErrorCode } from '../../lambda/core/contract/errors.ts';
import { SEARCH_MATCHES } from '../../lambda/core/contract/headers.ts';
import type { Json } from '../../lambda/core/contract/json-schema.ts';
import { type Parameter, parameterSchema } from '../../lambda/core/contract/parameters.ts';
import { SNAPSHOT_ID_PATTERN } from '../../lambda/core/contract/patterns.ts';
import { type Route, ref } from '../../lambda/core/contract/route-type.ts';

/** The errors that each endpoint can have. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'missing_api_key',
  'rate_limited',
  'quota_exceeded',
  'internal_error',
];

/** The response headers that the document describes. */
export const HEADERS = {
  'X-Total-Count': {
    description: 'Number of entries on all pages together.',
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description: `RFC 8288 links to the first, previous, next and last page. The header has at most ${MAX_LINK_BYTES} bytes: for a long query the service omits \`first\` and \`last\`, then \`prev\`, then \`next\`. The header is absent if one page holds everything. If \`next\` is missing, continue with \`offset\` and \`snapshot\` (X-Snapshot-Id) while \`offset + limit\` is below X-Total-Count. For an event, the links point to the list of its markets; they are present only if the markets do not fit into one response.`,
    schema: { type: 'string' },
  },
  'X-Search-Match': {
    description:
      'How the search found the entries. category: by the categories that the query names; all: the entries contain all words of the query; any: no entry contains all words, and these contain at least one.',
    schema: { type: 'string', enum: SEARCH_MATCHES },
  },
  'X-Catalogue-As-Of': {
    description:
      'Time of questions, volumes and the list of open markets: when Polymarket made the oldest page of its catalogue, whose cache can be five minutes old. A page without a known age counts as five minutes old. It is older than ten minutes only if the catalogue cannot be read.',
    schema: { type: 'string', format: 'date-time' },
  },
  'X-Snapshot-Id': {
    description:
      'Snapshot of the response. Send it as `snapshot` to read other pages of the same snapshot.',
    schema: { type: 'string', pattern: SNAPSHOT_ID_PATTERN },
  },
  'X-Fidelity-Minutes': {
    description: 'Minutes of a step of the price history, which has at most one point.',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: { description: 'Weak entity tag, for If-None-Match.', schema: { type: 'string' } },
  'Last-Modified': { description: 'When the service read the prices.', schema: { type: 'string' } },
  'Cache-Control': {
    description: 'How long a browser may keep the response.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'Remaining requests (`r`) and seconds until the oldest request no longer counts (`t`).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Limit (`q`) and its window in seconds (`w`).',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: `Seconds to wait before the next request: ${RETRY_AFTER_SECONDS} on every 429, and on a 500 while the service is at its capacity. A 503 always has the header, a 502 if the service knows when to try again.`,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-Request-Id': {
    description: 'Id of the request. Quote it when you report a problem.',
    schema: { type: 'string' },
  },
} as const;

/** References to the headers of an endpoint's successful response. */
export function headerRefs({ limited, source, response }: Route): Json {
  const { cacheable = true } = response;
  const names: (keyof typeof HEADERS)[] = [
    'Cache-Control',
    'X-Request-Id',
    ...(response.headers ?? []),
    ...(limited ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(cacheable ? (['ETag'] as const) : []),
    ...(cacheable && source === 'snapshot' ? (['Last-Modified'] as const) : []),
  ];
  return Object.fromEntries(
    names.map((header) => [header, { $ref: `#/components/headers/${header}` }]),
  );
}

/** Statuses that can have `Retry-After`. */
const RETRY_STATUSES: readonly number[] = [429, 500, 502, 503];

/** The error responses by status: several errors can share one. */
export function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const responses = [...byStatus].map(([status, codesOfStatus]) => {
    const example = {
      error: 'A sentence that says what is wrong and what to do.',
      code: codesOfStatus[0],
      requestId: 'c6af9ac6-7b61',
    };
    return [
      status,
      {
        description: codesOfStatus.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('; '),
        ...(RETRY_STATUSES.includes(status)
          ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }
          : {}),
        content: { 'application/json': { schema: ref('ApiError'), example } },
      },
    ];
  });
  return Object.fromEntries(responses);
}

/** Responses of CloudFront and API Gateway to a long request, such as a long list of ids. */
export const TOO_LONG_RESPONSES: Json = {
  414: {
    // Without the content, which would make each error of generated clients a text or an object.
    description: 'The address is longer than 8,192 bytes. The body is a page of CloudFront',
  },
  431: {
    description: 'The address and the headers together are too long',
    content: { 'application/json': { schema: ref('ApiError') } },
  },
};

/** A parameter in OpenAPI's form. */
export function parameterObject(name: string, parameter: Parameter): Json {
  const aliases = parameter.aliases?.length ? ` Aliases: ${parameter.aliases.join(', ')}.` : '';
  return {
    name,
    in: parameter.in ?? 'query',
    required: parameter.required === true,
    description: `${parameter.description}${aliases}`,
    ...(parameter.kind === 'list' ? { style: 'form', explode: false } : {}),
    schema: parameterSchema(parameter),
    ...(parameter.exampleFails ? {} : { example: exampleOf(parameter) }),
  };
}

/** The example, which the row has as text, as a value of the parameter's type. */
function exampleOf({ kind, example }: Parameter): unknown {
  if (kind === 'integer' || kind === 'number') return Number(example);
  return kind === 'list' ? example.split(',') : example;
}
