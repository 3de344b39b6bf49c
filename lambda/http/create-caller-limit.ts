import { systemClock } from '../platform/clock.ts';
import { createRateLimiter, type RateLimiterOptions } from '../rate-limit/create-rate-limiter.ts';
import { type CallerSettings, callerRules } from './caller.ts';
import { LargeBodies } from './large-bodies.ts';
import type { CallerLimit } from './rate-limit-middleware.ts';

/** How a function knows and limits its callers, by its environment. Awaited on loading: see `createRateLimiter`. */
export async function createCallerLimit(
  options: RateLimiterOptions & { readonly settings: CallerSettings },
): Promise<CallerLimit> {
  return {
    callers: callerRules(options.settings),
    limiter: await createRateLimiter(options),
    largeBodies: new LargeBodies(options.logger, systemClock),
    now: systemClock.now,
  };
}
