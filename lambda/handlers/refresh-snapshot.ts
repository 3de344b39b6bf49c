import type { Context } from 'aws-lambda';
import { PRICES_AFTER_SECONDS } from '../contract/constants.ts';
import { readEnvironment } from '../contract/environment.ts';
import { runKind } from '../contract/run-kind.ts';
import { perUpstream, UPSTREAMS } from '../contract/upstreams.ts';
import type { Examination } from '../doctor/doctor.ts';
import { isDoctorEvent, onDemand } from '../doctor/on-demand.ts';
import { BookLooker } from '../drift/book-looker.ts';
import { DriftRadar } from '../drift/drift-radar.ts';
import { DynamoDbUpstreamMemoryStore } from '../drift/dynamodb-upstream-memory-store.ts';
import { Sightings } from '../drift/sightings.ts';
import { loggedCallCounter } from '../http-client/log-failures.ts';
import { createNodeFetch } from '../http-client/node-fetch.ts';
import { sleep, systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { refreshUpstreams } from '../polymarket/refresh-upstreams.ts';
import { DynamoDbMemoryStore } from '../price-memory/memory-store.ts';
import { StoredPriceMemory } from '../price-memory/stored-price-memory.ts';
import { BandPlan } from '../refresh/bands.ts';
import { reportedRefresh } from '../refresh/reported-refresh.ts';
import { TailTurns } from '../refresh/tail-turns.ts';
import { SnapshotWriter } from '../snapshots/snapshot-writer.ts';

/** Nobody waits for the writes of a run, and the run's own end bounds them: throttling is waited out. */
const STORE_ATTEMPTS = 6;
/** What the radar needs at most; where a run has left less it looks at the next one. */
const RADAR_MS = 8_000;
const settings = readEnvironment('refresh-snapshot', process.env);
const { logger, metrics } = telemetry('refresh-snapshot');

const counters = perUpstream((name) => loggedCallCounter(name, logger));
const urls = perUpstream((name) => settings[UPSTREAMS[name].variable]);
const sightings = new Sightings();
const { catalogue, prices, historyRoutes, clob } = refreshUpstreams({
  urls,
  pages: sightings,
  observers: counters,
  fetch: createNodeFetch(),
  clock: systemClock,
  random: Math.random,
});

const run = reportedRefresh({
  catalogue,
  prices,
  publisher: new SnapshotWriter({
    client: dynamoDbClient(STORE_ATTEMPTS),
    table: settings.SNAPSHOT_TABLE,
    now: systemClock.now,
    keptSeconds: settings.SNAPSHOT_KEPT_SECONDS,
  }),
  memory: new StoredPriceMemory({
    store: new DynamoDbMemoryStore({
      client: dynamoDbClient(STORE_ATTEMPTS),
      table: settings.SNAPSHOT_TABLE,
      now: systemClock.now,
    }),
    random: Math.random,
    onProblem: (message, error) => logger.warn(message, { error: error as Error }),
  }),
  clock: systemClock,
  random: Math.random,
  maxMarkets: settings.SNAPSHOT_MAX_MARKETS,
  bands: new BandPlan(),
  turns: new TailTurns(),
  logger,
  metrics,
  counters,
});

const looker = new BookLooker(clob, sightings);
const radar = new DriftRadar({
  store: new DynamoDbUpstreamMemoryStore(dynamoDbClient(), settings.SNAPSHOT_TABLE, systemClock),
  logger,
  metrics,
  clock: systemClock,
});

/**
 * Invoked by the two schedules, whose events tell the kind of the run; by a deployment or a person without one; by a
 * person who wants to know what the upstreams look like from here, with `{"kind":"doctor"}`.
 */
export async function handler(event: unknown, context: Context): Promise<Examination | undefined> {
  if (isDoctorEvent(event)) {
    const options = { urls, fetch: globalThis.fetch, clock: systemClock, logger };
    return await onDemand(options, context.getRemainingTimeInMillis());
  }
  try {
    const kind = runKind(event);
    if (kind === 'prices') await sleep(systemClock, PRICES_AFTER_SECONDS * 1_000);
    await run(context.getRemainingTimeInMillis(), kind);
  } finally {
    if (context.getRemainingTimeInMillis() > RADAR_MS) {
      await looker.look();
      await radar.endOfRun(sightings.take(historyRoutes.inUse));
    }
  }
  return undefined;
}
