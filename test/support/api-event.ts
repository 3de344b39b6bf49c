import type { APIGatewayProxyEvent } from 'aws-lambda';

export const PUBLIC_KEY_ID = 'public-key';

export interface EventOptions {
  readonly method?: string;
  readonly query?: Readonly<Record<string, readonly string[]>>;
  /** Several values: the header was sent as often. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly sourceIp?: string;
  /** Null: the method asks for no key. @default that of the front door */
  readonly apiKeyId?: string | null;
}

/** A request as API Gateway hands it to a function; only what the functions look at. */
export function apiEvent(options: EventOptions = {}): APIGatewayProxyEvent {
  const {
    method = 'GET',
    query,
    headers = {},
    body,
    sourceIp = '203.0.113.7',
    apiKeyId = PUBLIC_KEY_ID,
  } = options;
  const all = Object.entries(headers).map(([name, value]) => [name, [value].flat()] as const);
  return {
    httpMethod: method,
    path: '/api/markets',
    multiValueQueryStringParameters: query ?? null,
    headers: Object.fromEntries(all.map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: Object.fromEntries(all),
    body: body ?? null,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'request-1',
      path: '/dev/api/markets',
      identity: { sourceIp, apiKeyId },
    },
  } as unknown as APIGatewayProxyEvent;
}
