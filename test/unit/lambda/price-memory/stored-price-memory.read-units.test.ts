import { expect, it } from '@jest/globals';
import { CHANGE_WINDOWS } from '../../../../lambda/domain/change.ts';
import { DynamoDbMemoryStore } from '../../../../lambda/price-memory/memory-store.ts';
import { StoredPriceMemory } from '../../../../lambda/price-memory/stored-price-memory.ts';
import { readMeasured } from '../../../../tools/costs/measured.ts';
import { MemoryTable } from '../../../support/memory-table.ts';

const NOW = Date.parse('2026-11-21T12:00:05Z');
const MINUTE = 60_000;
const NEVER = Number.MAX_SAFE_INTEGER;
const TOKENS = Array.from({ length: 2_000 }, (_, n) => String(1_000 + n));
/** Runs looked at, two minutes from one to the next. */
const RUNS = 10;
/** What a run may read in all, the newest snapshot included. */
const READ_UNITS = 10;
const SNAPSHOT_UNITS = readMeasured().refresh.readUnits;

/** All different, and moving: such a column hardly compresses. */
const pricesAt = (ms: number) =>
  new Map(TOKENS.map((token, n) => [token, ((n * 7_919 + ms / (2 * MINUTE)) % 9_973) / 10_000]));

it('2,000 markets cost a run in steady state at most 10 read units, the snapshot included', async () => {
  const table = new MemoryTable();
  const memory = () =>
    new StoredPriceMemory({
      store: new DynamoDbMemoryStore({ client: table.client, table: table.table, now: () => 0 }),
      random: Math.random,
    });
  const writer = memory();
  for (const seconds of Object.values(CHANGE_WINDOWS).sort((a, b) => b - a)) {
    const start = NOW - seconds * 1_000;
    for (let at = start - 20 * MINUTE; at < start + 40 * MINUTE; at += 2 * MINUTE) {
      await writer.open(at, NEVER);
      expect(await writer.keep(at, pricesAt(at), NEVER)).toBe(true);
    }
  }
  const reader = memory();
  await reader.open(NOW, NEVER);
  const units: number[] = [];
  for (let run = 1; run <= RUNS; run++) {
    const before = table.readUnits;
    expect(await reader.open(NOW + run * 2 * MINUTE, NEVER)).toBe(0);
    units.push(table.readUnits - before + SNAPSHOT_UNITS);
    expect(reader.baseline(TOKENS[7] ?? '', 'thirtyDay', NOW + run * 2 * MINUTE)?.own).toBe(true);
  }
  console.log(`read units of ${RUNS} runs: ${units.join(', ')}`);
  expect(Math.max(...units)).toBeLessThanOrEqual(READ_UNITS);
  expect(Math.min(...units)).toBeGreaterThan(SNAPSHOT_UNITS);
});
