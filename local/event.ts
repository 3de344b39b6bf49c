/**
 * Makes the events with which API Gateway would invoke the functions. In AWS, CloudFront is in
 * front of API Gateway, and adds headers and the public API key to each request.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { EDGE_HEADERS } from '../lambda/core/contract/headers.ts';
import { functionOf, ROUTES, type RouteName } from '../lambda/core/contract/route-table.ts';

/** The id of the public API key. */
export const PUBLIC_KEY_ID = 'public';
/** The caller's address as API Gateway reports it: one of CloudFront's published ranges. */
const CLOUDFRONT_IP = '130.176.0.1';
/** CloudFront always replaces these headers. */
const REPLACED = [...Object.values<string>(EDGE_HEADERS), 'x-api-key', 'x-forwarded-for'];

/** A request as the server received it. */
interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly body: string;
  /** The caller's IP address. */
  readonly address: string;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
}

/**
 * The routes in the order of matching. As in API Gateway, `/api/markets/search` comes before
 * `/api/markets/{id}`, because it has no named segment.
 */
const TABLE = (Object.keys(ROUTES) as RouteName[])
  .map((name) => {
    const { path } = ROUTES[name];
    return { name: functionOf(name), resource: path, pattern: patternOf(path) };
  })
  .sort((a, b) => Number(a.resource.includes('{')) - Number(b.resource.includes('{')));

/**
 * A pattern of the paths of a route: `/api/markets/{id}` becomes `^/api/markets/(?<id>[^/]+)/?$`.
 */
function patternOf(resource: string): RegExp {
  const withoutSlash = resource.replace(/\/$/, '').replaceAll('.', '\\.');
  return new RegExp(`^${withoutSlash.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`);
}

/**
 * The route of a path, with the values of its named segments; undefined if there is none. As in API
 * Gateway, these values are not decoded.
 */
export function matchRoute(path: string) {
  for (const { name, resource, pattern } of TABLE) {
    const match = pattern.exec(path);
    if (match) return { name, resource, pathParameters: orNull({ ...match.groups }) };
  }
  return undefined;
}

/** A Lambda proxy event (payload version 1.0) of a request through CloudFront. */
export function proxyEvent(
  { method, path, query, rawHeaders, body, address }: SentRequest,
  { resource, pathParameters }: NonNullable<ReturnType<typeof matchRoute>>,
  requestId: string,
): APIGatewayProxyEvent {
  const received: [name: string, value: string][] = [];
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const [name = '', value = ''] = rawHeaders.slice(n, n + 2);
    if (!REPLACED.includes(name.toLowerCase())) received.push([name, value]);
  }
  received.push(
    [EDGE_HEADERS.viewerAddress, address],
    ['X-Forwarded-For', `${address}, ${CLOUDFRONT_IP}`],
  );
  const headers = grouped(received, (name) => name.toLowerCase());
  const parameters = grouped([...new URLSearchParams(query)], (name) => name);
  const context = {
    apiId: 'local',
    httpMethod: method,
    identity: { apiKeyId: PUBLIC_KEY_ID, sourceIp: CLOUDFRONT_IP, userAgent: 'Amazon CloudFront' },
    path: `/local${path}`,
    stage: 'local',
    requestId,
    requestTimeEpoch: Date.now(),
    resourcePath: resource,
  };
  return {
    resource,
    path,
    httpMethod: method,
    headers: lastOfEach(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(lastOfEach(parameters)),
    multiValueQueryStringParameters: orNull(parameters),
    pathParameters,
    stageVariables: null,
    // The context lacks the fields that depend on an account.
    requestContext: context as APIGatewayProxyEvent['requestContext'],
    body: body === '' ? null : body,
    isBase64Encoded: false,
  };
}

/**
 * Makes the event of a GET, from an address that no caller has.
 *
 * @param target path and query
 * @throws Error without a route
 */
export function lambdaEventFor(target: string) {
  const [path = '', query = ''] = target.split('?');
  const match = matchRoute(path);
  if (!match) throw new Error(`No route has the path ${path}`);
  const sent = { method: 'GET', path, query, rawHeaders: [], body: '', address: '192.0.2.1' };
  return { name: match.name, event: proxyEvent(sent, match, 'local') };
}

/**
 * The values of each name, in order.
 *
 * @param keyOf names with the same key are one name, written as the first of them
 */
function grouped(
  pairs: readonly (readonly [name: string, value: string])[],
  keyOf: (name: string) => string,
): Record<string, string[]> {
  const groups = Map.groupBy(pairs, ([name]) => keyOf(name));
  const entries = [...groups.values()].map((group) => {
    const [firstName = ''] = group[0] ?? [];
    return [firstName, group.map(([, value]) => value)];
  });
  return Object.fromEntries(entries);
}

/** The last value of each name. */
function lastOfEach(groups: Record<string, string[]>): Record<string, string> {
  const entries = Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']);
  return Object.fromEntries(entries);
}

/** API Gateway's events have null in place of an empty object. */
function orNull<T extends object>(values: T): T | null {
  return Object.keys(values).length === 0 ? null : values;
}
