import { ERRORS } from '../../core/contract/errors.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { Clock } from '../../io/platform/clock.ts';
import { type Log, LogThrottle } from '../../io/platform/telemetry.ts';

/** `fields`: the part of the request. */
export type ErrorLog = (error: unknown, fields?: Readonly<Record<string, unknown>>) => void;

/** During an outage every request fails. Each container logs it once per interval and error code. */
const OUTAGE_INTERVAL_MS = 10_000;

/** Logs unexpected errors and outages (market data, upstream), but no errors of the caller. */
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
