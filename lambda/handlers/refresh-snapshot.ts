import type { Context } from 'aws-lambda';
import { systemClock as clock, sleep } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { type Environment, readEnvironment } from '../platform/environment.ts';
import { withRequestId } from '../platform/request-context.ts';
import { type Log, telemetry } from '../platform/telemetry.ts';
import { ClobPrices } from '../polymarket/clob-prices.ts';
import { GammaCatalogue } from '../polymarket/gamma-catalogue.ts';
import { PriceHistories } from '../polymarket/price-histories.ts';
import { Backfill } from '../refresh/backfill.ts';
import { BandPlan } from '../refresh/bands.ts';
import type { RunKind } from '../refresh/refresh.ts';
import { Samples } from '../refresh/samples.ts';
import { ScheduledRefresh } from '../refresh/scheduled-refresh.ts';
import { StartPrices } from '../refresh/start-prices.ts';
import { StoredPrices } from '../refresh/stored-prices.ts';
import { SnapshotWriter } from '../snapshots/snapshot-writer.ts';
import { Upstream } from '../upstream/client.ts';
import { perUpstream, UPSTREAMS } from '../upstream/upstreams.ts';

/** No caller waits for the writes of a run, and its end bounds them: they wait until throttling is over. */
const STORE_ATTEMPTS = 6;
/**
 * A full run reads its prices some four seconds after it began. A price run waits a little, so that the times between
 * two readings are about equal.
 */
const PRICE_RUN_DELAY_MS = 2_000;

type RefreshEvent = (
  event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
) => Promise<void>;

/** Invoked by the schedules, whose events name the kind of run; by a deployment or a person without a kind. */
export function create(environment: Environment): RefreshEvent {
  const refresh = createRefresh(environment);
  return async (event, context) => {
    const kind = kindOf(event);
    await withRequestId(context.awsRequestId, async () => {
      if (kind === 'prices') await sleep(clock, PRICE_RUN_DELAY_MS);
      await refresh.run(kind, context.getRemainingTimeInMillis());
    });
  };
}

function kindOf(event: unknown): RunKind {
  const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  return kind === 'prices' ? 'prices' : 'full';
}

function createRefresh(environment: Environment): ScheduledRefresh {
  const settings = readEnvironment('refresh-snapshot', environment);
  const { logger, metrics } = telemetry('refresh-snapshot', environment);
  let failures: Record<string, number> = {};
  const { gamma, clob, data } = perUpstream((name) => {
    const baseUrl = settings[UPSTREAMS[name].variable];
    const warn: Log['warn'] = (message, fields) => {
      failures[name] = (failures[name] ?? 0) + 1;
      logger.warn(message, fields ?? {});
    };
    return new Upstream(name, { baseUrl, clock, random: Math.random, observer: { warn } });
  });
  const client = dynamoDbClient(environment, { maxAttempts: STORE_ATTEMPTS });
  const table = { client, table: settings.SNAPSHOT_TABLE, clock };
  const stored = new StoredPrices(table);
  return new ScheduledRefresh({
    catalogue: new GammaCatalogue(gamma),
    bandPlan: new BandPlan(),
    maxMarkets: settings.MAX_MARKETS,
    prices: new ClobPrices(clob),
    histories: new PriceHistories({ clob, data, clock }),
    startPrices: new StartPrices(new Samples(stored, logger), new Backfill(stored, logger)),
    writer: new SnapshotWriter({ ...table, logger, isArchived: settings.ARCHIVE }),
    clock,
    random: Math.random,
    logger,
    metrics,
    takeUpstreamFailures: () => {
      const taken = failures;
      failures = {};
      return taken;
    },
    latestFailure: () => gamma.latestFailure,
  });
}
