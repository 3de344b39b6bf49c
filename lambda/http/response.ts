import type { APIGatewayProxyResult } from 'aws-lambda';
import { ERRORS, type ErrorBody } from '../contract/errors.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from '../contract/headers.ts';
import { ServiceError } from '../domain/service-error.ts';

/** What an endpoint answers with; the pipeline adds what every answer carries. */
export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function ok(body: string, headers: Readonly<Record<string, string>>): Answer {
  return { status: 200, body, headers };
}

/** The one place where errors become answers (design 2.3). Unexpected ones say nothing of themselves. */
export function errorAnswer(error: unknown, requestId: string): Answer {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('internal_error', 'Something went wrong on our side; try again in a moment.');
  const { status } = ERRORS[known.code];
  const body: ErrorBody = { error: known.message, code: known.code, requestId };
  return {
    status,
    body: JSON.stringify(body),
    headers: {
      ...ERROR_HEADERS,
      ...(status === 405 ? { Allow: ALLOWED_METHODS.join(', ') } : {}),
      ...(status === 429 ? RETRY_HEADERS : {}),
    },
  };
}

/** @param headOnly a HEAD request: the same headers without the body */
export function toResult(answer: Answer, requestId: string, headOnly: boolean): APIGatewayProxyResult {
  return {
    statusCode: answer.status,
    headers: { ...COMMON_HEADERS, Vary: 'Accept-Encoding', 'X-Request-Id': requestId, ...answer.headers },
    body: headOnly ? '' : answer.body,
  };
}
