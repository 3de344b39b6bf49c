import { dynamoDbClient } from '../aws/dynamodb.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../contract/environment.ts';
import { HISTORIES_HELD, HISTORY_CHARACTERS_HELD, HISTORY_KEPT_MS } from '../contract/limits.ts';
import { type EncodedHistory, getPricesHistory } from '../endpoints/get-prices-history.ts';
import { endpoint } from '../http/endpoint.ts';
import { perIpAccess } from '../limits/access.ts';
import { telemetry } from '../observability/telemetry.ts';
import { ClobHistories } from '../upstream/clob-histories.ts';
import { liveClob } from '../upstream/live-clob.ts';
import { LoadCache } from '../upstream/load-cache.ts';

const settings = readEnvironment('get-prices-history', process.env);
const { logger, metrics } = telemetry('get-prices-history');
const { upstream, live } = liveClob({
  baseUrl: settings.CLOB_URL,
  fetch: globalThis.fetch,
  clock: systemClock,
  random: Math.random,
  logger,
  metrics,
});

export const handler = endpoint({
  route: 'get-prices-history',
  logger,
  access: await perIpAccess({ settings, client: dynamoDbClient(), logger, metrics }),
  answer: getPricesHistory({
    histories: new ClobHistories(upstream),
    live,
    cache: new LoadCache<EncodedHistory>({
      clock: systemClock,
      keptMs: HISTORY_KEPT_MS,
      maxEntries: HISTORIES_HELD,
      maxSize: HISTORY_CHARACTERS_HELD,
      sizeOf: ({ body }) => body.length,
    }),
    clock: systemClock,
    edgeCache: settings.EDGE_CACHE,
  }),
});
