import type { Logger } from '@aws-lambda-powertools/logger';
import type { ServiceMetrics } from '../platform/telemetry.ts';
import type { RateLimiterOptions } from './rate-limiter.ts';

/** A table that is down fails every request: one line in so many milliseconds says it as well. */
const WARNING_EVERY_MS = 10_000;

/** What the operator hears of the limit. Metrics count every request; the log does not repeat itself. */
export function rateLimitReports(
  logger: Pick<Logger, 'info' | 'warn'>,
  metrics: Pick<ServiceMetrics, 'add' | 'flush'>,
  now: () => number,
): Pick<RateLimiterOptions, 'onUnavailable' | 'onRefused'> {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    onUnavailable(error) {
      metrics.add('RateLimitUnavailable', 1);
      metrics.flush();
      if (now() - warnedAt < WARNING_EVERY_MS) return;
      warnedAt = now();
      logger.warn('The per-IP limit is unavailable: requests are served uncounted', {
        error: error as Error,
      });
    },
    onRefused(clientKey, cached) {
      metrics.add('RateLimitRefused', 1);
      metrics.flush();
      if (!cached) logger.info('Refused by the per-IP limit', { caller: clientKey });
    },
  };
}
