import type { APIGatewayProxyEvent } from 'aws-lambda';

export const PUBLIC_KEY_ID = 'public-key';

export interface EventOptions {
  readonly method?: string;
  /** Also its resource. @default /api/markets */
  readonly path?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, readonly string[]>>;
  /** Several values: the header was sent as often. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly sourceIp?: string;
  /** Null: the method asks for no key. @default that of the front door */
  readonly apiKeyId?: string | null;
}

/** A request as API Gateway hands it to a function. */
export function apiEvent(options: EventOptions = {}): APIGatewayProxyEvent {
  const {
    method = 'GET',
    path = '/api/markets',
    pathParameters,
    query,
    headers = {},
    body,
    sourceIp = '203.0.113.7',
    apiKeyId = PUBLIC_KEY_ID,
  } = options;
  return {
    resource: path,
    path,
    httpMethod: method,
    ...multiple('headers', 'multiValueHeaders', headers),
    ...multiple('queryStringParameters', 'multiValueQueryStringParameters', query),
    pathParameters: pathParameters ?? null,
    stageVariables: null,
    requestContext: {
      requestId: 'request-1',
      stage: 'dev',
      path: `/dev${path}`,
      httpMethod: method,
      identity: { sourceIp, apiKeyId },
    },
    body: body ?? null,
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEvent;
}

/** API Gateway tells the last value of each name, and all of them. */
function multiple(last: string, all: string, given: EventOptions['headers']): Record<string, unknown> {
  if (given === undefined) return { [last]: null, [all]: null };
  const values = Object.entries(given).map(([name, value]) => [name, [value].flat()] as const);
  return {
    [last]: Object.fromEntries(values.map(([name, each]) => [name, each.at(-1)])),
    [all]: Object.fromEntries(values),
  };
}
