import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BandPlan } from '../../lambda/app/refresh/bands.ts';
import { type RunKind, runRefresh } from '../../lambda/app/refresh/refresh.ts';
import { RejectedTokens } from '../../lambda/app/refresh/rejected-tokens.ts';
import { StartPrices } from '../../lambda/app/refresh/start-prices.ts';
import { StoredPrices } from '../../lambda/app/refresh/stored-prices.ts';
import { MAX_MARKETS_DEFAULT } from '../../lambda/core/contract/constants.ts';
import { type Clock, systemClock } from '../../lambda/io/platform/clock.ts';
import { ClobPrices } from '../../lambda/io/polymarket/clob-prices.ts';
import { GammaCatalogue } from '../../lambda/io/polymarket/gamma-catalogue.ts';
import { PriceHistories } from '../../lambda/io/polymarket/price-histories.ts';
import { SnapshotWriter } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { Upstream } from '../../lambda/io/upstream/client.ts';
import { perUpstream } from '../../lambda/io/upstream/upstreams.ts';
import { startDatabase } from '../../local/database.ts';
import type { LocalService } from '../../local/service.ts';
import { startSimulator } from '../../local/simulator/index.ts';
import { median, type Result } from './result.ts';

const MINUTE_MS = 60_000;
const RUN_MS = 118_000;
const TABLE = 'snapshots';
/** They write the first base and the recent histories. */
const WARM_UP_RUNS = 12;

/** They also request older histories, of 400 markets each. */
const BACKFILL_RUNS = 5;

/** Steady state: catalogue, prices, changes, snapshot. The first run's time is a detail. */
export async function fullRun(service: LocalService, firstRunMs: number, rounds: number): Promise<readonly Result[]> {
  const times: number[] = [];
  for (let run = 0; run < BACKFILL_RUNS; run += 1) await service.refresh('full');
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await service.refresh('full');
    times.push((performance.now() - start) / 1_000);
  }
  const detail = `upstream as slow as the real one; the first run took ${(firstRunMs / 1_000).toFixed(1)} s`;
  return [{ name: 'full run of 2,000 markets', detail, value: median(times), unit: 's', target: 6 }];
}

/** Per run, with a run each minute, full and price runs in turn. */
export async function writeUnits(runs: number): Promise<readonly Result[]> {
  const time = { shiftMs: 0 };
  const clock: Clock = { ...systemClock, now: () => Date.now() + time.shiftMs };
  const upstream = await startSimulator({ now: clock.now });
  const written = { units: 0 };
  const database = await startDatabase();
  const client = meteredClient(database.environment.AWS_ENDPOINT_URL_DYNAMODB, written);
  const refresh = refresher(client, clock, upstream.url);
  for (let run = -WARM_UP_RUNS; run < runs; run += 1) {
    if (run === 0) written.units = 0;
    await refresh(run % 2 === 0 ? 'full' : 'prices');
    time.shiftMs += MINUTE_MS;
  }
  client.destroy();
  database.server.close();
  await upstream.stop();
  const detail = `mean of ${runs} runs, samples and bases included`;
  return [{ name: 'writes of a run', detail, value: written.units / runs, unit: 'write units', target: 40 }];
}

/** Adds up the consumed units that DynamoDB reports. */
function meteredClient(endpoint: string, written: { units: number }): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!/^(Put|Update|Delete|Batch|Transact)/.test(commandName)) return await next(args);
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        const { ConsumedCapacity: capacity } = result.output as {
          ConsumedCapacity?: { CapacityUnits?: number };
        };
        written.units += capacity?.CapacityUnits ?? Number.NaN;
        return result;
      },
    { step: 'initialize' },
  );
  return client;
}

function refresher(client: DynamoDBClient, clock: Clock, baseUrl: string): (kind: RunKind) => Promise<unknown> {
  const { gamma, clob, data } = perUpstream((name) => new Upstream(name, { baseUrl, clock, random: Math.random }));
  const table = { client, table: TABLE, clock };
  const stored = new StoredPrices(table);
  const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };
  const dependencies = {
    catalogue: new GammaCatalogue(gamma),
    bandPlan: new BandPlan(),
    maxMarkets: MAX_MARKETS_DEFAULT,
    prices: new ClobPrices(clob),
    histories: new PriceHistories({ clob, data, clock }),
    rejectedTokens: new RejectedTokens(),
    startPrices: new StartPrices(stored, logger),
    writer: new SnapshotWriter(table),
    clock,
    random: Math.random,
    logger,
  };
  return (kind) => runRefresh(kind, dependencies, clock.now() + RUN_MS);
}
