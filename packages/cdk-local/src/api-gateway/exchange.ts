import { randomUUID } from 'node:crypto';
import { type GatewayRequest, headerOf, queryOf } from './messages.ts';
import type { ApiResource } from './routes.ts';
import type { Lookup } from './substitution.ts';

/** The API and stage that a request reached. */
export interface ApiContext {
  readonly apiId: string;
  readonly accountId: string;
  /** Host and port under which the API is served. */
  readonly domainName: string;
  readonly stageName: string;
  readonly stageVariables: Readonly<Record<string, string>>;
}

/** One request on its way through the API, and what is known of it so far. */
export interface Exchange {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly request: GatewayRequest;
  readonly api: ApiContext;
  readonly resource: ApiResource | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
}

export function newExchange(
  request: GatewayRequest,
  api: ApiContext,
  match:
    | { readonly resource: ApiResource; readonly pathParameters: Readonly<Record<string, string>> }
    | undefined,
): Exchange {
  return {
    requestId: randomUUID(),
    receivedAt: new Date(),
    request,
    api,
    resource: match?.resource,
    pathParameters: match?.pathParameters ?? {},
  };
}

/** `20/Nov/2026:09:05:00 +0000` */
export function requestTime(date: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/.exec(date.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

/** What templates and parameters find: `context.…`, `stageVariables.…`, `method.request.…`. */
export function lookupIn(exchange: Exchange): Lookup {
  const { request, api, resource, receivedAt, requestId } = exchange;
  const context = (): Record<string, string | undefined> => ({
    apiId: api.apiId,
    accountId: api.accountId,
    domainName: api.domainName,
    extendedRequestId: requestId,
    httpMethod: request.method,
    path: `/${api.stageName}${request.path}`,
    protocol: 'HTTP/1.1',
    requestId,
    requestTime: requestTime(receivedAt),
    requestTimeEpoch: String(receivedAt.getTime()),
    resourceId: resource?.id,
    resourcePath: resource?.path,
    stage: api.stageName,
    'identity.sourceIp': request.sourceIp,
    'identity.userAgent': headerOf(request.headers, 'user-agent'),
  });
  return (reference) => {
    const [root, ...rest] = reference.split('.');
    if (root === 'context') return context()[rest.join('.')];
    if (root === 'stageVariables') return api.stageVariables[rest.join('.')];
    const name = rest.slice(2).join('.');
    if (rest[1] === 'header') return headerOf(request.headers, name);
    if (rest[1] === 'querystring') return queryOf(request.query).findLast(([key]) => key === name)?.[1];
    return exchange.pathParameters[name];
  };
}
