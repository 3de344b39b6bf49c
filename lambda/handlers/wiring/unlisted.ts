import { type UnlistedMarkets, unlistedMarkets } from '../../endpoints/markets/single-market.ts';
import { systemClock } from '../../io/platform/clock.ts';
import { MarketLookup } from '../../io/polymarket/market-lookup.ts';
import { Resolutions } from '../../io/polymarket/resolutions.ts';
import type { FunctionContext } from './limited.ts';
import { bookDeps, upstream } from './live.ts';

/** Makes the reader of markets that are not in the list. It reads Gamma, CLOB and the Data API. */
export function liveUnlistedMarkets(
  context: FunctionContext<{ GAMMA_URL: string; CLOB_URL: string; DATA_URL: string }>,
): UnlistedMarkets {
  const { settings, logger } = context;
  return unlistedMarkets({
    ...bookDeps(context),
    lookup: new MarketLookup(upstream('gamma', settings.GAMMA_URL, logger)),
    resolutions: new Resolutions(upstream('data', settings.DATA_URL, logger)),
    clock: systemClock,
  });
}
