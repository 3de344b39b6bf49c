import { systemClock } from '../../io/platform/clock.ts';
import { liveRead } from '../../io/polymarket/live-read.ts';
import { MarketLookup } from '../../io/polymarket/market-lookup.ts';
import type { FunctionContext } from './limited.ts';
import { upstream } from './live.ts';

/** Makes what the endpoint of a market's rules needs: Gamma's records, and a limit of its time. */
export function marketRulesDeps({ settings, logger }: FunctionContext<{ GAMMA_URL: string }>) {
  const lookup = new MarketLookup(upstream('gamma', settings.GAMMA_URL, logger));
  return { lookup, live: liveRead(systemClock), clock: systemClock };
}
