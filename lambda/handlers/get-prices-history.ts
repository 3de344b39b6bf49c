import { HISTORIES_HELD, HISTORY_CHARACTERS_HELD, HISTORY_KEPT_MS } from '../contract/constants.ts';
import { readEnvironment } from '../contract/environment.ts';
import { type EncodedHistory, getPricesHistory } from '../endpoints/get-prices-history.ts';
import { callerRules } from '../http/caller.ts';
import { pipeline } from '../http/pipeline.ts';
import { createNodeFetch } from '../http-client/node-fetch.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { LoadCache } from '../platform/load-cache.ts';
import { telemetry } from '../platform/telemetry.ts';
import { createLiveHistories } from '../polymarket/create-live-histories.ts';
import { liveUpstreams } from '../polymarket/live-upstreams.ts';
import { DynamoDbMemoryStore } from '../price-memory/memory-store.ts';
import { RememberedHistory } from '../price-memory/remembered-history.ts';
import { createRateLimiter } from '../rate-limit/create-rate-limiter.ts';

const client = dynamoDbClient();
const settings = readEnvironment('get-prices-history', process.env);
const { logger, metrics } = telemetry('get-prices-history');
const { upstreams, live } = liveUpstreams({
  urls: { clob: settings.CLOB_URL, data: settings.DATA_URL },
  fetch: createNodeFetch(),
  clock: systemClock,
  random: Math.random,
  logger,
  metrics,
});

export const handler = pipeline({
  route: 'get-prices-history',
  logger,
  rateLimit: {
    callers: callerRules(settings),
    limiter: await createRateLimiter({ settings, client, logger, metrics }),
    now: systemClock.now,
  },
  endpoint: getPricesHistory({
    histories: createLiveHistories(upstreams, systemClock),
    remembered: new RememberedHistory({
      store: new DynamoDbMemoryStore({ client, table: settings.SNAPSHOT_TABLE, now: systemClock.now }),
      now: systemClock.now,
      onProblem: (message, error) => logger.warn(message, { error: error as Error }),
    }),
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
