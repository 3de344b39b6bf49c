import type { APIGatewayProxyEvent } from 'aws-lambda';

export const PUBLIC_KEY_ID = 'public-key';

export interface EventOptions {
  readonly method?: string;
  /** Also the resource. @default /api/markets */
  readonly path?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, readonly string[]>>;
  /** An array stands for a header that was sent several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly sourceIp?: string;
  /** Null if the request has no key. @default the key of the front door */
  readonly apiKeyId?: string | null;
}

/** A request as API Gateway passes it to a function. */
export function apiEvent(options: EventOptions = {}): APIGatewayProxyEvent {
  const {
    method = 'GET',
    path = '/api/markets',
    sourceIp = '203.0.113.7',
    apiKeyId = PUBLIC_KEY_ID,
  } = options;
  const event = {
    resource: path,
    path,
    httpMethod: method,
    ...multiple('headers', 'multiValueHeaders', options.headers ?? {}),
    ...multiple('queryStringParameters', 'multiValueQueryStringParameters', options.query),
    pathParameters: options.pathParameters ?? null,
    stageVariables: null,
    requestContext: {
      requestId: 'request-1',
      stage: 'dev',
      domainName: 'id.execute-api.example',
      path: `/dev${path}`,
      httpMethod: method,
      identity: { sourceIp, apiKeyId },
    },
    body: options.body ?? null,
    isBase64Encoded: false,
  };
  return event as unknown as APIGatewayProxyEvent;
}

/** API Gateway passes on the last value of each name, and all values. */
function multiple(
  last: string,
  all: string,
  given: EventOptions['headers'],
): Record<string, unknown> {
  if (given === undefined) return { [last]: null, [all]: null };
  const values = Object.entries(given).map(([name, value]) => [name, [value].flat()] as const);
  return {
    [last]: Object.fromEntries(values.map(([name, each]) => [name, each.at(-1)])),
    [all]: Object.fromEntries(values),
  };
}
