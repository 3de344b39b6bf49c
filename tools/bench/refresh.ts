/** The parts of the bench that measure a refresh run: its time, and what it writes. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { MINUTE_MS } from '../../lambda/core/domain/time.ts';
import { createRefresh } from '../../lambda/handlers/wiring/refresh.ts';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { BACKGROUND_ATTEMPTS, dynamoDbClient } from '../../lambda/io/platform/dynamodb.ts';
import { type LocalService, startLocalService } from '../../local/service.ts';
import { startSimulator } from '../../local/simulator/index.ts';
import { median, type Result } from './result.ts';

/** The time that Lambda gives a run. The refresher plans its calls by it. */
const RUN_MS = 120_000;
/**
 * The number of runs before the measurement: they write the first base and the recent histories.
 */
const WARM_UP_RUNS = 12;
/** The number of runs that also request older histories, of 400 markets each: 5 × 400 are all. */
const BACKFILL_RUNS = 5;

/** Measures a full run in the steady state. The time of the first run is a detail of the result. */
export async function fullRun(
  service: LocalService,
  firstRunMs: number,
  rounds: number,
): Promise<readonly Result[]> {
  const times: number[] = [];
  for (let run = 0; run < BACKFILL_RUNS; run += 1) await service.refresh('full');
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await service.refresh('full');
    times.push((performance.now() - start) / 1_000);
  }
  const detail = `upstream as slow as the real one; the first run took ${(firstRunMs / 1_000).toFixed(1)} s`;
  return [
    { name: 'full run of 2,000 markets', detail, value: median(times), unit: 's', target: 6 },
  ];
}

/**
 * Measures the write units of a run, with a run each minute, full and price runs in turn. The clock
 * skips the minutes.
 */
export async function writeUnits(runs: number): Promise<readonly Result[]> {
  const { now } = systemClock;
  let aheadMs = 0;
  systemClock.now = () => now() + aheadMs;
  const upstream = await startSimulator({ now: systemClock.now });
  const { url } = upstream;
  const service = await startLocalService({
    upstream: { gammaUrl: url, clobUrl: url, dataUrl: url },
  });
  const refresh = createRefresh(service.environment);
  const written = meter(dynamoDbClient(service.environment, { maxAttempts: BACKGROUND_ATTEMPTS }));
  for (let run = -WARM_UP_RUNS; run < runs; run += 1) {
    // The warm-up runs do not count.
    if (run === 0) written.units = 0;
    await refresh.run(run % 2 === 0 ? 'full' : 'prices', RUN_MS);
    aheadMs += MINUTE_MS;
  }
  systemClock.now = now;
  await Promise.all([service.stop(), upstream.stop()]);
  const detail = `mean of ${runs} runs, samples and bases included`;
  // docs/costs.md calculates with 122.
  const value = written.units / runs;
  return [{ name: 'writes of a run', detail, value, unit: 'write units', target: 130 }];
}

/** Adds up the write units that DynamoDB reports for the writes of a client. */
function meter(client: DynamoDBClient): { units: number } {
  const written = { units: 0 };
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!/^(Put|Update|Delete|Batch|Transact)/.test(commandName)) return await next(args);
        const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' };
        const result = await next({ ...args, input });
        const { ConsumedCapacity } = result.output as {
          ConsumedCapacity?: { CapacityUnits?: number };
        };
        written.units += ConsumedCapacity?.CapacityUnits ?? Number.NaN;
        return result;
      },
    { step: 'initialize' },
  );
  return written;
}
