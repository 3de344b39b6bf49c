import { DynamoDbMemoryStore } from '../../../../lambda/price-memory/memory-store.ts';
import { StoredPriceMemory } from '../../../../lambda/price-memory/stored-price-memory.ts';
import { BandPlan } from '../../../../lambda/refresh/bands.ts';
import { refresh } from '../../../../lambda/refresh/refresh.ts';
import { TailTurns } from '../../../../lambda/refresh/tail-turns.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { type Timing, timedUpstream, USUAL } from './timed-upstream.ts';

/** Runs two minutes apart under a simulated clock, the upstream at its measured latencies. */
export function timedRuns(pages: number, maxMarkets: number, timing: Timing = USUAL) {
  const clock = new ManualClock();
  const calls: number[] = [];
  const upstream = timedUpstream(clock, timing, pages, undefined, (route) => {
    if (route === 'page') calls.push(clock.now());
  });
  const { client, table } = new MemoryTable();
  const stored = { client, table, now: clock.now };
  const publisher = new SnapshotWriter({ ...stored, clock, keptSeconds: 3_600 });
  const memory = new StoredPriceMemory({ store: new DynamoDbMemoryStore(stored), random: () => 0.5 });
  const shared = { bands: new BandPlan(), turns: new TailTurns(), memory, random: () => 0.5 };
  const run = async () => {
    const running = refresh({ ...upstream, ...shared, publisher, clock, maxMarkets }, clock.now() + 110_000);
    await clock.advance(120_000);
    return await running;
  };
  const markets = async () => (await publisher.newest())?.entries.map(({ market }) => market) ?? [];
  const ids = async () => (await markets()).map(({ id }) => id);
  return { run, markets, ids, calls };
}
