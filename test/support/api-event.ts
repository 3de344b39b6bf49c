import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The id of the API key that the front door (CloudFront) sends with each request. */
export const PUBLIC_KEY_ID = 'public-key';

/** The parts of a request that a test can set. */
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
  /** Null for a request without a key. @default `PUBLIC_KEY_ID` */
  readonly apiKeyId?: string | null;
}

/**
 * A request as API Gateway passes it to a function. For example,
 * `apiEvent({ query: { limit: ['5'] }, headers: { Accept: 'text/csv' } })`.
 */
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

/**
 * The two fields of an event in which API Gateway passes on headers or a query: the last value of
 * each name, and all values. For a header that was sent twice:
 * `{ headers: { accept: 'b' }, multiValueHeaders: { accept: ['a', 'b'] } }`.
 */
function multiple(
  fieldOfLast: string,
  fieldOfAll: string,
  given: EventOptions['headers'],
): Record<string, unknown> {
  if (given === undefined) return { [fieldOfLast]: null, [fieldOfAll]: null };
  const last: Record<string, string | undefined> = {};
  const all: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    const values = [value].flat();
    last[name] = values.at(-1);
    all[name] = values;
  }
  return { [fieldOfLast]: last, [fieldOfAll]: all };
}
