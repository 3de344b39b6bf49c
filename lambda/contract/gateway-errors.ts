import { ERRORS, type ErrorCode } from './errors.ts';
import { COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from './headers.ts';

/** A response that API Gateway makes itself, before or in place of a function. */
interface GatewayError {
  readonly code: ErrorCode;
  readonly error: string;
}

const NOT_FOUND: GatewayError = {
  code: 'not_found',
  error: 'This path does not exist; /openapi.json lists the endpoints.',
};
const INTERNAL: GatewayError = {
  code: 'internal_error',
  error: 'The service failed to respond; try again in a moment.',
};

/**
 * API Gateway's own responses by their type, with the error body of every other response. The stack configures them, and
 * the local server sends the same. API Gateway treats an unknown path as a missing authentication token.
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
    code: 'rate_limited',
    error:
      'The quota of this API key is used up. The public quota resets at 00:00 UTC; ask the operator for a key with a larger one.',
  },
  REQUEST_TOO_LARGE: { code: 'body_too_large', error: 'The body of the request is too large.' },
  INTEGRATION_FAILURE: INTERNAL,
  INTEGRATION_TIMEOUT: INTERNAL,
  DEFAULT_5XX: INTERNAL,
  /** Keeps the status that API Gateway chose: a status here would replace that of every 4xx. */
  DEFAULT_4XX: {
    code: 'bad_request',
    error: 'The request is malformed; /openapi.json describes the endpoints.',
  },
} as const satisfies Record<string, GatewayError>;

export type GatewayErrorType = keyof typeof GATEWAY_ERRORS;

/** The headers of such a response, without `X-Request-Id`. */
export function gatewayErrorHeaders(type: GatewayErrorType): Readonly<Record<string, string>> {
  const { status } = ERRORS[GATEWAY_ERRORS[type].code];
  return { ...COMMON_HEADERS, ...ERROR_HEADERS, ...(status === 429 ? RETRY_HEADERS : {}) };
}
