import { systemClock } from '../../io/platform/clock.ts';
import { liveRead } from '../../io/polymarket/live-read.ts';
import { MarketLookup } from '../../io/polymarket/market-lookup.ts';
import type { FunctionContext } from './limited.ts';
import { upstream } from './live.ts';

/**
 * Makes what the endpoint of a market's rules needs: `lookup`, which reads a market from Gamma, and
 * `live`, which limits the time of a read that a caller waits for, and makes the error if it fails.
 */
export function marketRulesDeps({ settings, logger }: FunctionContext<{ GAMMA_URL: string }>) {
  const lookup = new MarketLookup(upstream('gamma', settings.GAMMA_URL, logger));
  return { lookup, live: liveRead(systemClock), clock: systemClock };
}
