import type { APIGatewayEventRequestContext, APIGatewayProxyEvent } from 'aws-lambda';
import { type Exchange, requestTime } from './exchange.ts';
import { type Header, headerOf, queryOf } from './messages.ts';
import type { ApiKey } from './usage-plans.ts';

/** The event of a Lambda proxy integration, payload version 1.0. */
export function proxyEvent(
  exchange: Exchange,
  apiKey: ApiKey | undefined,
  traceId: string,
): APIGatewayProxyEvent {
  const { request, resource, api, pathParameters } = exchange;
  const headers = grouped(
    [...forwarded(request.headers, request.sourceIp), ['X-Amzn-Trace-Id', traceId]],
    true,
  );
  const query = grouped(queryOf(request.query), false);
  return {
    resource: resource?.path ?? request.path,
    path: request.path,
    httpMethod: request.method,
    headers: lastOfEach(headers) ?? {},
    multiValueHeaders: headers ?? {},
    queryStringParameters: lastOfEach(query),
    multiValueQueryStringParameters: query,
    pathParameters: orNull(pathParameters),
    stageVariables: orNull(api.stageVariables),
    requestContext: requestContext(exchange, apiKey),
    body: request.body.length === 0 ? null : request.body.toString('utf8'),
    isBase64Encoded: false,
  };
}

function requestContext(exchange: Exchange, apiKey: ApiKey | undefined): APIGatewayEventRequestContext {
  const { request, resource, api, receivedAt, requestId } = exchange;
  return {
    accountId: api.accountId,
    apiId: api.apiId,
    authorizer: undefined,
    protocol: 'HTTP/1.1',
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: apiKey?.value ?? null,
      apiKeyId: apiKey?.id ?? null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.sourceIp,
      user: null,
      userAgent: headerOf(request.headers, 'user-agent') ?? null,
      userArn: null,
    },
    path: `/${api.stageName}${request.path}`,
    stage: api.stageName,
    requestId,
    extendedRequestId: requestId,
    requestTime: requestTime(receivedAt),
    requestTimeEpoch: receivedAt.getTime(),
    resourceId: resource?.id ?? '',
    resourcePath: resource?.path ?? request.path,
    domainName: api.domainName,
    domainPrefix: api.domainName.split(/[.:]/)[0] ?? '',
  };
}

/** API Gateway appends the address of its peer to the chain, and speaks of itself as HTTPS. */
function forwarded(headers: readonly Header[], sourceIp: string): Header[] {
  const replaced = [
    'x-forwarded-for',
    'x-forwarded-port',
    'x-forwarded-proto',
    'x-amzn-trace-id',
    'connection',
  ];
  const chain = headers
    .filter(([name]) => name.toLowerCase() === 'x-forwarded-for')
    .map(([, value]) => value);
  return [
    ...headers.filter(([name]) => !replaced.includes(name.toLowerCase())),
    ['X-Forwarded-For', [...chain, sourceIp].join(', ')],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Proto', 'https'],
  ];
}

/** Values by name, in order; names that differ in case only are one where `anyCase`. `null` when there is none. */
function grouped(pairs: readonly Header[], anyCase: boolean): Record<string, string[]> | null {
  const groups = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of pairs) {
    const key = anyCase ? name.toLowerCase() : name;
    const group = groups.get(key) ?? { name, values: [] };
    group.values.push(value);
    groups.set(key, group);
  }
  return groups.size === 0
    ? null
    : Object.fromEntries([...groups.values()].map(({ name, values }) => [name, values]));
}

function lastOfEach(groups: Record<string, string[]> | null): Record<string, string> | null {
  if (groups === null) return null;
  return Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']));
}

function orNull(map: Readonly<Record<string, string>>): Record<string, string> | null {
  return Object.keys(map).length === 0 ? null : { ...map };
}
