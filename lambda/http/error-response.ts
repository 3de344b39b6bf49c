/** Turns errors into log lines and responses. */
import { ERRORS, type ErrorBody } from '../core/contract/errors.ts';
import { ERROR_HEADERS, RETRY_HEADERS } from '../core/contract/headers.ts';
import { ServiceError } from '../core/domain/service-error.ts';
import type { Clock } from '../io/platform/clock.ts';
import { type Log, LogThrottle } from '../io/platform/telemetry.ts';
import type { HttpResponse } from './response.ts';

/** Logs an error. `fields` name the failed part of the request, such as the tool. */
export type ErrorLog = (error: unknown, fields?: Readonly<Record<string, unknown>>) => void;

/**
 * During an outage every request fails, so each container logs once per interval and error code.
 */
const OUTAGE_INTERVAL_MS = 10_000;

/**
 * Makes a function that logs unexpected errors, and outages of the market data or the upstream. It
 * does not log errors of the caller.
 */
export function errorLog(logger: Pick<Log, 'error' | 'warn'>, clock: Pick<Clock, 'now'>): ErrorLog {
  const throttle = new LogThrottle(clock, OUTAGE_INTERVAL_MS);
  return (error, fields = {}) => {
    if (!(error instanceof ServiceError)) {
      logger.error('Unexpected error', { ...fields, error });
      return;
    }
    const { code, cause } = error;
    if (ERRORS[code].status < 500 || !throttle.allow(code)) return;
    logger.warn('Responded with an error', {
      ...fields,
      code,
      reason: error.message,
      ...(cause === undefined ? {} : { cause: String(cause) }),
    });
  };
}

/**
 * Makes the response of an error: no other code writes one. Unexpected errors show no details.
 *
 * @param allowed methods, for the header of a 405
 */
export function errorResponse(
  error: unknown,
  requestId: string,
  allowed: readonly string[] = [],
): HttpResponse {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('internal_error', 'An unexpected error occurred. Try again in a moment.');
  const { code, message, retryAfterSeconds } = known;
  const { status } = ERRORS[code];
  const body: ErrorBody = { error: message, code, requestId };
  return {
    status,
    body: JSON.stringify(body),
    headers: {
      ...ERROR_HEADERS,
      ...(status === 405 ? { Allow: allowed.join(', ') } : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(status === 429 ? RETRY_HEADERS : {}),
    },
  };
}
