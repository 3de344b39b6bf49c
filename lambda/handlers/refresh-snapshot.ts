import type { Context } from 'aws-lambda';
import { CLOB_TIMEOUT_MS, GAMMA_TIMEOUT_MS } from '../contract/constants.ts';
import { readEnvironment } from '../contract/environment.ts';
import type { UpstreamName } from '../contract/metrics.ts';
import { CallCounter } from '../http-client/call-counter.ts';
import { Upstream } from '../http-client/client.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { telemetry } from '../platform/telemetry.ts';
import { ClobPrices } from '../polymarket/clob-prices.ts';
import { GammaCatalogue } from '../polymarket/gamma-catalogue.ts';
import { pricesAt } from '../refresh/pace.ts';
import { reportedRefresh } from '../refresh/reported-refresh.ts';
import { SnapshotWriter } from '../snapshots/snapshot-writer.ts';

/** Nobody waits for the writes of a run, and the run's own end bounds them: throttling is waited out. */
const STORE_ATTEMPTS = 6;
const settings = readEnvironment('refresh-snapshot', process.env);
const { logger, metrics } = telemetry('refresh-snapshot');

const counterOf = (upstream: UpstreamName) =>
  new CallCounter(({ route, failure, status, excerpt, reason }) =>
    logger.warn('Upstream call failed', { upstream, route, failure, status, excerpt, reason }),
  );
const counters = { gamma: counterOf('gamma'), clob: counterOf('clob') };
const shared = { fetch: globalThis.fetch, clock: systemClock, random: Math.random };

const run = reportedRefresh({
  catalogue: new GammaCatalogue(
    new Upstream({
      ...shared,
      baseUrl: settings.GAMMA_URL,
      timeoutMs: GAMMA_TIMEOUT_MS,
      circuitBreaker: false,
      observer: counters.gamma,
    }),
  ),
  prices: new ClobPrices(
    new Upstream({
      ...shared,
      baseUrl: settings.CLOB_URL,
      timeoutMs: CLOB_TIMEOUT_MS,
      circuitBreaker: true,
      observer: counters.clob,
    }),
  ),
  publisher: new SnapshotWriter({
    client: dynamoDbClient(STORE_ATTEMPTS),
    table: settings.SNAPSHOT_TABLE,
    now: systemClock.now,
    keptSeconds: settings.SNAPSHOT_KEPT_SECONDS,
  }),
  clock: systemClock,
  random: Math.random,
  maxMarkets: settings.SNAPSHOT_MAX_MARKETS,
  intervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
  logger,
  metrics,
  counters,
});

const pace = {
  maxMarkets: settings.SNAPSHOT_MAX_MARKETS,
  intervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
};

/** Invoked by the schedule, whose event carries the time it was due; by a deployment or a person without one. */
export async function handler(event: unknown, context: Context): Promise<void> {
  await run(context.getRemainingTimeInMillis(), pricesAt(event, systemClock.now(), pace));
}
