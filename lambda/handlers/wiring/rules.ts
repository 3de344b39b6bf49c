import { systemClock } from '../../io/platform/clock.ts';
import { liveRead } from '../../io/polymarket/live-read.ts';
import { MarketLookup } from '../../io/polymarket/market-lookup.ts';
import type { FunctionContext } from './limited.ts';
import { upstream } from './live.ts';

/**
 * Makes what the endpoint of a market's rules needs: the reader of Gamma's records (`lookup`), and
 * the time limit and errors of reads while a caller waits (`live`).
 */
export function marketRulesDeps({ settings, logger }: FunctionContext<{ GAMMA_URL: string }>) {
  const lookup = new MarketLookup(upstream('gamma', settings.GAMMA_URL, logger));
  return { lookup, live: liveRead(systemClock), clock: systemClock };
}
