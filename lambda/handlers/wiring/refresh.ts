import { systemClock as clock } from '../../io/platform/clock.ts';
import { BACKGROUND_ATTEMPTS, dynamoDbClient } from '../../io/platform/dynamodb.ts';
import { type Environment, readEnvironment } from '../../io/platform/environment.ts';
import { telemetry } from '../../io/platform/telemetry.ts';
import { ClobPrices } from '../../io/polymarket/clob-prices.ts';
import { GammaCatalogue } from '../../io/polymarket/gamma-catalogue.ts';
import { PriceHistories } from '../../io/polymarket/price-histories.ts';
import { SnapshotWriter } from '../../io/snapshots/snapshot-writer.ts';
import { StoredPrices } from '../../io/snapshots/stored-prices.ts';
import { Upstream } from '../../io/upstream/client.ts';
import { perUpstream, UPSTREAMS } from '../../io/upstream/upstreams.ts';
import { BandPlan } from '../../jobs/refresh/bands.ts';
import { RejectedTokens } from '../../jobs/refresh/rejected-tokens.ts';
import { ScheduledRefresh } from '../../jobs/refresh/scheduled-refresh.ts';
import { StartPrices } from '../../jobs/refresh/start-prices.ts';

/**
 * Makes the refresher with its clients of upstream and of the table.
 *
 * @throws Error for a missing or malformed variable
 */
export function createRefresh(environment: Environment): ScheduledRefresh {
  const settings = readEnvironment('refresh-snapshot', environment);
  const { logger, metrics } = telemetry('refresh-snapshot', environment);
  const { gamma, clob, data } = perUpstream((name) => {
    const baseUrl = settings[UPSTREAMS[name].variable];
    return new Upstream(name, { baseUrl, clock, random: Math.random, observer: logger });
  });
  const client = dynamoDbClient(environment, { maxAttempts: BACKGROUND_ATTEMPTS });
  const table = { client, table: settings.SNAPSHOT_TABLE, clock };
  const stored = new StoredPrices(table);
  return new ScheduledRefresh({
    catalogue: new GammaCatalogue(gamma),
    bandPlan: new BandPlan(),
    maxMarkets: settings.MAX_MARKETS,
    // Without its port, because a local simulator has another one after each start.
    upstream: new URL(settings.GAMMA_URL).hostname,
    prices: new ClobPrices(clob),
    rejectedTokens: new RejectedTokens(),
    histories: new PriceHistories({ clob, data, clock }),
    startPrices: new StartPrices(stored, logger),
    writer: new SnapshotWriter({ ...table, logger, isArchived: settings.ARCHIVE }),
    clock,
    random: Math.random,
    logger,
    metrics,
    latestFailure: () => gamma.latestFailure,
  });
}
