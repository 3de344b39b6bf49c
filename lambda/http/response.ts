import type { APIGatewayProxyResult } from 'aws-lambda';
import { ERRORS, type ErrorBody } from '../contract/errors.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from '../contract/headers.ts';
import { ServiceError } from '../domain/service-error.ts';

/** The response of an endpoint. The pipeline adds the headers that every response carries. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function ok(body: string, headers: Readonly<Record<string, string>>): HttpResponse {
  return { status: 200, body, headers };
}

/**
 * The only place where errors become responses. An unexpected error reveals nothing about itself.
 *
 * @param allowed the methods that a 405 names in `Allow`
 */
export function errorResponse(
  error: unknown,
  requestId: string,
  allowed: readonly string[] = ALLOWED_METHODS,
): HttpResponse {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('internal_error', 'An unexpected error occurred. Try again in a moment.');
  const { status } = ERRORS[known.code];
  const body: ErrorBody = { error: known.message, code: known.code, requestId };
  return {
    status,
    body: JSON.stringify(body),
    headers: {
      ...ERROR_HEADERS,
      ...(status === 405 ? { Allow: allowed.join(', ') } : {}),
      ...(known.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(known.retryAfterSeconds) }),
      ...(status === 429 ? RETRY_HEADERS : {}),
    },
  };
}

/** @param headOnly whether it is a response to HEAD: the same headers without the body */
export function toResult(response: HttpResponse, requestId: string, headOnly: boolean): APIGatewayProxyResult {
  return {
    statusCode: response.status,
    headers: { ...COMMON_HEADERS, Vary: 'Accept-Encoding', 'X-Request-Id': requestId, ...response.headers },
    body: headOnly ? '' : response.body,
  };
}
