import { PRICES_AFTER_SECONDS } from '../../lambda/contract/constants.ts';
import { DynamoDbMemoryStore } from '../../lambda/price-memory/memory-store.ts';
import { StoredPriceMemory } from '../../lambda/price-memory/stored-price-memory.ts';
import type { SnapshotPublisher } from '../../lambda/refresh/ports.ts';
import type { RefreshDependencies } from '../../lambda/refresh/refresh.ts';
import { scheduledRun } from '../../lambda/refresh/scheduled-run.ts';
import { SnapshotWriter } from '../../lambda/snapshots/snapshot-writer.ts';
import { Dice } from '../../test/support/dice.ts';
import { memoryPublisher } from '../../test/support/memory-publisher.ts';
import { MemoryTable } from '../../test/support/memory-table.ts';
import { type Period, PeriodMeter, type Publication } from './period-meter.ts';
import type { Scenario } from './scenarios.ts';
import { SimulatedUpstreams } from './simulated-upstreams.ts';

const MINUTE = 60_000;
/** A container of the refresher is replaced so often. */
const CONTAINER_MS = 6 * 3_600_000;
/** What the function keeps for its closing lines is taken off already. */
const RUN_MS = 117_000;
const START = Date.parse('2026-11-01T12:00:00Z');

export interface SimulationOptions {
  readonly scenario: Scenario;
  readonly markets: number;
  /** Minutes since the first run at which the periods end. */
  readonly periods: readonly { readonly name: string; readonly minutes: number }[];
  /** Whether snapshots are encoded and stored, or only kept: a month of them takes long. @default false */
  readonly stored?: boolean;
}

/**
 * The refresh as it is, full runs on even minutes and price runs on odd ones, under a clock that jumps from one to the
 * next, and everything that it publishes held against what is true.
 */
export async function simulate({ scenario, markets, periods, stored }: SimulationOptions): Promise<Period[]> {
  const upstreams = new SimulatedUpstreams(markets, START, stored);
  const { clock } = upstreams;
  const dice = new Dice(1);
  const table = new MemoryTable();
  const client = { client: table.client, table: table.table, now: clock.now, clock };
  const publisher: SnapshotPublisher = stored
    ? new SnapshotWriter({ ...client, keptSeconds: 3_600 })
    : memoryPublisher();
  const meter = new PeriodMeter(upstreams, table);
  const ends = new Map(periods.map(({ name, minutes }) => [minutes, name]));
  const found: Period[] = [];
  const container = () =>
    new StoredPriceMemory({ store: new DynamoDbMemoryStore(client), random: dice.random });
  let memory = container();
  const last = Math.max(...ends.keys());

  for (let minute = 0; minute < last; minute++) {
    const due = START + minute * MINUTE;
    const kind = minute % 2 === 0 ? 'full' : 'prices';
    clock.time = due + (kind === 'prices' ? PRICES_AFTER_SECONDS * 1_000 : 0);
    upstreams.troubles = scenario.troubles(due - START);
    if (minute > 0 && (due - START) % CONTAINER_MS === 0) memory = container();
    const failed = minute > 0 && dice.chance(scenario.failedRuns);
    const publication = failed
      ? undefined
      : await run({ ...upstreams, publisher, memory, clock, random: dice.random, maxMarkets: markets }, kind);
    meter.run(kind, publication);
    const name = ends.get(minute + 1);
    if (name !== undefined) found.push(meter.period(name, markets));
  }
  return found;
}

async function run(
  dependencies: RefreshDependencies,
  kind: 'full' | 'prices',
): Promise<Publication | undefined> {
  const { clock, publisher } = dependencies;
  const end = clock.now() + RUN_MS;
  const ends = Object.values(await scheduledRun(kind, dependencies, end));
  if (!ends.some((ended) => 'result' in ended && ended.result.outcome === 'published')) return undefined;
  const newest = await publisher.newest(end);
  return newest && { asOf: newest.published.asOf, publishedAt: clock.now(), entries: newest.entries };
}
