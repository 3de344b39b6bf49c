import type { PricesHistoryDeps } from '../../endpoints/histories/prices-history.ts';
import { systemClock } from '../../io/platform/clock.ts';
import { liveRead } from '../../io/polymarket/live-read.ts';
import { PriceHistories } from '../../io/polymarket/price-histories.ts';
import type { FunctionContext } from './limited.ts';
import { upstream } from './live.ts';

/** Makes what the endpoints of price histories need: clients of CLOB and the Data API. */
export function historyDeps({
  settings,
  logger,
}: FunctionContext<{ CLOB_URL: string; DATA_URL: string }>): PricesHistoryDeps {
  const clob = upstream('clob', settings.CLOB_URL, logger);
  const data = upstream('data', settings.DATA_URL, logger);
  const histories = new PriceHistories({ clob, data, clock: systemClock });
  return { histories, live: liveRead(systemClock), clock: systemClock };
}
