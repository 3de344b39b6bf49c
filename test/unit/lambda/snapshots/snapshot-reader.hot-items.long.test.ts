import { describe, expect, it } from '@jest/globals';
import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { SnapshotReader } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { Dice } from '../../../support/dice.ts';
import { manyEntries } from '../../../support/many-entries.ts';
import { MemoryTable } from '../../../support/memory-table.ts';

/** Read units a second that DynamoDB gives a partition, and so a key. */
const UNITS_OF_A_KEY = 3_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');

/** Read units of a container that starts, by partition key. Every number differs from the base, as after three hours. */
async function unitsOfStart(markets: number): Promise<ReadonlyMap<string, number>> {
  const memory = new MemoryTable();
  let now = NOW;
  const writer = new SnapshotWriter({
    client: memory.client,
    table: memory.table,
    now: () => now,
    keptSeconds: 3_600,
  });
  const counts = { skipped: 0, withOneDayChange: markets, cataloguePriced: 0 };
  const entries = manyEntries(markets);
  await writer.publish({ id: snapshotId(now, Math.random), asOf: now, entries, counts });
  now += 10_000_000;
  const dice = new Dice(2);
  const moved = entries.map(({ market, ...rest }) => ({
    ...rest,
    market: {
      ...market,
      currentProbability: Math.round(dice.between(0, 10_000)) / 100,
      volume: market.volume + Math.round(dice.between(0, 1e9)) / 1_000,
      liquidity: Math.round(dice.between(0, 1e8)) / 1_000,
    },
  }));
  await writer.publish({ id: snapshotId(now, Math.random), asOf: now, entries: moved, counts });

  const units = new Map<string, number>();
  let turn: Promise<unknown> = Promise.resolve();
  const reader = new SnapshotReader({
    client: {
      ...memory.client,
      // One after the other, so that each call's units are its own.
      get: (input) => {
        const read = turn.then(async () => {
          const before = memory.readUnits;
          const item = await memory.client.get(input);
          const key = input.Key?.pk?.S ?? '';
          units.set(key, (units.get(key) ?? 0) + memory.readUnits - before);
          return item;
        });
        turn = read;
        return read;
      },
    },
    table: memory.table,
    now: () => now,
  });
  const manifest = await reader.latest();
  if (!manifest?.base) throw new Error('There is no snapshot with a base');
  expect((await reader.read(manifest)).records).toHaveLength(markets);
  return units;
}

describe('the busiest key of the table', () => {
  it.each([
    [2_000, 200],
    [10_000, 60],
  ])('of %i markets lets %i containers start in a second', async (markets, containers) => {
    const units = await unitsOfStart(markets);
    const most = Math.max(...units.values());
    console.log(
      `read units of a container that starts, ${markets} markets: ${[...units.values()].join(', ')}`,
    );
    expect([...units.keys()].filter((name) => name.startsWith('BASE#')).length).toBeGreaterThan(2);
    expect(UNITS_OF_A_KEY / most).toBeGreaterThanOrEqual(containers);
  });
});
