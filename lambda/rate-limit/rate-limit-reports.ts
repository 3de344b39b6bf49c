import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Pace } from '../platform/pace.ts';
import type { ServiceMetrics } from '../platform/telemetry.ts';
import type { WindowRateLimiterOptions } from './window-rate-limiter.ts';

/** A table that is down fails every request: one line in so many milliseconds says it as well. */
const WARNING_EVERY_MS = 10_000;
/** A flood is refused a thousand times a second: that many log lines would cost more than the refusals. */
const REFUSALS_EVERY_MS = 1_000;

/** What the operator hears of the limit. Metrics count every request; neither they nor the log repeat themselves. */
export function rateLimitReports(
  logger: Pick<Log, 'info' | 'warn'>,
  metrics: Pick<ServiceMetrics, 'add' | 'flush'>,
  clock: Clock,
): Pick<WindowRateLimiterOptions, 'onUnavailable' | 'onRefused'> {
  const pace = new Pace(clock, WARNING_EVERY_MS);
  let refused = 0;
  let waiting = false;
  const flushRefused = (): void => {
    waiting = refused > 0;
    if (!waiting) return;
    metrics.add('RateLimitRefused', refused);
    metrics.flush();
    refused = 0;
    // A container that is frozen meanwhile goes on with this when it is woken up.
    clock.after(REFUSALS_EVERY_MS, flushRefused);
  };
  return {
    onUnavailable(error) {
      metrics.add('RateLimitUnavailable', 1);
      metrics.flush();
      if (!pace.isDue('unavailable')) return;
      logger.warn('The per-IP limit is unavailable: requests are served uncounted', {
        error: error as Error,
      });
    },
    onRefused(clientKey, cached) {
      refused += 1;
      if (!waiting) flushRefused();
      if (!cached) logger.info('Refused by the per-IP limit', { caller: clientKey });
    },
  };
}
