import { getPricesHistory } from '../endpoints/get-prices-history.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { liveRead } from '../polymarket/live-read.ts';
import { PriceHistories } from '../polymarket/price-histories.ts';
import { countedFunction, liveUpstream } from './create-handler.ts';

const { settings, logger, rateLimit } = countedFunction('get-prices-history');
const clob = liveUpstream('clob', settings.CLOB_URL, logger);
const data = liveUpstream('data', settings.DATA_URL, logger);
const histories = new PriceHistories({ clob, data, clock });

export const handler = pipeline({
  route: 'get-prices-history',
  logger,
  rateLimit,
  endpoint: getPricesHistory({ histories, live: liveRead(clock), clock }),
});
