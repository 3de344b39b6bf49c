/**
 * All errors that a caller can get: their codes and HTTP statuses, and the texts of those that API
 * Gateway and the web ACL (a firewall before it) send themselves, without calling a function.
 */
import { MAX_BODY_CHARACTERS, REQUESTS_PER_MINUTE } from './constants.ts';
import { COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from './headers.ts';

/** One error: its HTTP status, and when the service sends it (text of the API document). */
const row = (status: number, when: string) => ({ status, when });

/** The error codes and their statuses. */
export const ERRORS = {
  missing_parameter: row(400, 'a required parameter is missing'),
  invalid_parameter: row(400, 'a parameter is malformed'),
  unknown_parameter: row(
    400,
    'a parameter is nearly one of this endpoint, or belongs to a similar endpoint',
  ),
  bad_request: row(400, 'the request itself is malformed'),
  missing_api_key: row(403, 'the request goes directly to API Gateway and has no valid API key'),
  not_found: row(404, 'the path does not exist'),
  no_market: row(404, 'no market has this id, slug or token, or the service cannot read it'),
  no_event: row(404, 'no event with open markets has this slug'),
  no_order_book: row(404, 'the upstream has no order book for the token'),
  method_not_allowed: row(405, 'the endpoint does not support the method'),
  snapshot_gone: row(410, 'the snapshot of a link has expired'),
  body_too_large: row(413, `a POST has a body of more than ${MAX_BODY_CHARACTERS} characters`),
  rate_limited: row(
    429,
    `more than ${REQUESTS_PER_MINUTE} requests in a minute from one IP address, or all callers together exceed the rate of the plan`,
  ),
  quota_exceeded: row(429, 'the monthly quota of a key is used up'),
  internal_error: row(500, 'an unexpected error'),
  snapshot_stale: row(502, 'the newest market data is older than its freshness limit'),
  snapshot_missing: row(502, 'there is no market data yet, or the service cannot read it'),
  upstream_unavailable: row(502, 'the upstream rejects the call, fails or times out'),
  upstream_busy: row(
    503,
    'all callers together have made as many calls to the upstream as this service makes in ten seconds',
  ),
};

export type ErrorCode = keyof typeof ERRORS;

/** The text for a client that exceeds the rate limit. A function or the web ACL sends it. */
export const PER_IP_REFUSAL =
  'Your IP address has made too many requests in the last minute. Wait 60 seconds and try again.';

/** The request id in responses of the web ACL, because WAF has none. */
export const WEB_ACL_REQUEST_ID = 'waf';

/** The JSON body of every error. */
export interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  readonly requestId: string;
}

/** An error that API Gateway itself sends. It adds the request id. */
type GatewayError = Omit<ErrorBody, 'requestId'>;

const NOT_FOUND: GatewayError = {
  code: 'not_found',
  error: 'This path does not exist; /openapi.json lists the endpoints.',
};
const AT_CAPACITY: GatewayError = {
  code: 'internal_error',
  error: 'The service is at its capacity, or failed: wait 60 seconds and try again.',
};
const INTERNAL: GatewayError = {
  code: 'internal_error',
  error: 'The service failed to respond; try again in a moment.',
};

/**
 * API Gateway's own errors, by its names of them; the local server sends the same. For example,
 * `MISSING_AUTHENTICATION_TOKEN` is API Gateway's name of an unknown path.
 *
 * Two names have the text `AT_CAPACITY`, because reports differ in which one API Gateway uses when
 * Lambda has reached its concurrency limit. AWS says only: "If the Lambda API rejects the
 * invocation request, API Gateway returns a 500 error code." A public log says "configuration
 * error: Rate Exceeded", other reports say `INTEGRATION_FAILURE`. API Gateway uses both for a
 * function that crashes, too.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway-errors.html
 */
export const GATEWAY_ERRORS = {
  MISSING_AUTHENTICATION_TOKEN: NOT_FOUND,
  RESOURCE_NOT_FOUND: NOT_FOUND,
  INVALID_API_KEY: {
    code: 'missing_api_key',
    error: 'Call the public address, or send a valid key in x-api-key.',
  },
  THROTTLED: {
    code: 'rate_limited',
    error: 'The service receives too many requests at the moment: wait 60 seconds and try again.',
  },
  QUOTA_EXCEEDED: {
    code: 'quota_exceeded',
    error: 'The monthly quota of this API key is used up: ask the operator for a larger one.',
  },
  REQUEST_TOO_LARGE: { code: 'body_too_large', error: 'The body of the request is too large.' },
  API_CONFIGURATION_ERROR: AT_CAPACITY,
  INTEGRATION_FAILURE: AT_CAPACITY,
  INTEGRATION_TIMEOUT: INTERNAL,
  DEFAULT_5XX: INTERNAL,
  /**
   * Any other 4xx. The deployed API keeps its status, which is not always that of `bad_request`.
   */
  DEFAULT_4XX: {
    code: 'bad_request',
    error:
      'The request is malformed; percent-encode other characters than ASCII. /openapi.json describes the endpoints.',
  },
} as const satisfies Record<string, GatewayError>;

export type GatewayErrorType = keyof typeof GATEWAY_ERRORS;

/** The headers of such an error, without `X-Request-Id`. */
export function gatewayErrorHeaders(type: GatewayErrorType): Readonly<Record<string, string>> {
  const response = GATEWAY_ERRORS[type];
  const hasRetryAfter = ERRORS[response.code].status === 429 || response === AT_CAPACITY;
  return { ...COMMON_HEADERS, ...ERROR_HEADERS, ...(hasRetryAfter && RETRY_HEADERS) };
}
