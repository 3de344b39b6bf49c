import type { ErrorCode } from '../contract/errors.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Pace } from '../platform/pace.ts';

/** Writes an error down, or does not. `context`: of what request, and what part of it. */
export type ErrorLog = (error: unknown, context: Readonly<Record<string, unknown>>) => void;

/** An outage meets every request: one line in so many milliseconds and container says it as well. */
const OUTAGE_EVERY_MS = 10_000;
/** Errors that are nobody's but ours, whether something was caught or not: the market data is not there. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set(['snapshot_stale', 'snapshot_missing']);

/**
 * Writes down the errors of one endpoint, or of the tools of one: what is unexpected, what has a cause, and outages, these at a pace. The
 * callers' mistakes are not logged.
 */
export function errorLog(logger: Pick<Log, 'error' | 'warn'>, clock: Pick<Clock, 'now'>): ErrorLog {
  const pace = new Pace(clock, OUTAGE_EVERY_MS);
  return (error, context) => {
    if (!(error instanceof ServiceError)) {
      logger.error('Unexpected error', { ...context, error: error as Error });
      return;
    }
    const { code, cause, details } = error;
    const isOutage = OUTAGES.has(code);
    if (!isOutage && cause === undefined) return;
    if (isOutage && !pace.isDue(code)) return;
    logger.warn('Responded with an error', {
      ...context,
      code,
      ...details,
      ...(cause === undefined ? {} : { cause: String(cause) }),
    });
  };
}
