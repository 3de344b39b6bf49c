import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { systemClock } from '../../../../lambda/platform/clock.ts';
import { telemetry } from '../../../../lambda/platform/telemetry.ts';
import type { DecodedSnapshot } from '../../../../lambda/snapshots/codec.ts';
import { freshnessRule, snapshotCache } from '../../../../lambda/snapshots/create-snapshot-cache.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const SETTINGS = { SNAPSHOT_TABLE: 'memory', FRESH_SECONDS: 120, STALE_IF_ERROR_SECONDS: 600 };
const START = Date.parse('2026-11-21T12:00:00Z');

let now = START;
let lines: Record<string, unknown>[] = [];

beforeEach(() => {
  now = START;
  lines = [];
  jest.spyOn(systemClock, 'now').mockImplementation(() => now);
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** A cache as a handler makes it, over a table with one snapshot that may be down. */
async function setup(options: { withTerms?: boolean; olderHeld?: number } = {}) {
  const memory = new MemoryTable();
  const publish = async (asOf: number): Promise<string> => {
    const writer = new SnapshotWriter({
      client: memory.client,
      table: memory.table,
      now: () => asOf,
      keptSeconds: 3_600,
    });
    const id = snapshotId(asOf, Math.random);
    const counts = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };
    await writer.publish({ id, asOf, entries: [snapshotEntry(1)], counts });
    return id;
  };
  const store = { isDown: false, tables: new Set<string | undefined>(), reads: 0 };
  const { cache, rule } = snapshotCache({
    settings: SETTINGS,
    client: {
      ...memory.client,
      get: async (input) => {
        store.tables.add(input.TableName);
        store.reads += 1;
        if (store.isDown) throw new Error('DynamoDB is not there');
        return await memory.client.get(input);
      },
    },
    ...telemetry('list-markets'),
    view: (decoded: DecodedSnapshot) => decoded,
    ...options,
  });
  return { cache, rule, store, publish };
}

const warnings = () => lines.filter(({ level }) => level === 'WARN');
const failuresCounted = () => lines.filter(({ SnapshotLoadFailed }) => SnapshotLoadFailed === 1).length;

describe('the snapshot cache of a handler', () => {
  it('is fresh as long as the stage says', async () => {
    const rule = { freshSeconds: 120, staleIfErrorSeconds: 600 };
    expect(freshnessRule(SETTINGS)).toEqual(rule);
    expect((await setup()).rule).toEqual(rule);
  });

  it('reads from the table of the stage', async () => {
    const { cache, store, publish } = await setup();
    const id = await publish(START);
    expect((await cache.latest()).manifest.id).toBe(id);
    expect([...store.tables]).toEqual(['memory']);
    expect(lines).toEqual([]);
  });

  it('reads the terms for a function that searches only', async () => {
    const indexed = async (options: { withTerms?: boolean }) => {
      const { cache, publish } = await setup(options);
      await publish(START);
      return (await cache.latest()).view.indexed !== undefined;
    };
    expect([await indexed({}), await indexed({ withTerms: true })]).toEqual([false, true]);
  });

  it('holds as many older snapshots as the function asks for', async () => {
    const { cache, store, publish } = await setup({ olderHeld: 1 });
    const [one, two] = [await publish(START), await publish(START + 1)];
    await publish(START + 2);
    await cache.latest();
    const readsOf = async (id: string) => {
      store.reads = 0;
      await cache.byId(id);
      return store.reads;
    };
    expect(await readsOf(one)).toBeGreaterThan(0);
    expect(await readsOf(one)).toBe(0);
    expect(await readsOf(two)).toBeGreaterThan(0);
    expect(await readsOf(one)).toBeGreaterThan(0);
  });
});

describe('a failure to load', () => {
  it('is counted each time, and logged once in ten seconds with its error', async () => {
    const { cache, store } = await setup();
    store.isDown = true;
    const fail = () => expect(cache.latest()).rejects.toMatchObject({ code: 'snapshot_missing' });
    for (let n = 0; n < 3; n += 1) await fail();
    now += 9_999;
    await fail();
    expect([warnings().length, failuresCounted()]).toEqual([1, 4]);
    expect(warnings()[0]).toMatchObject({
      message: 'The newest snapshot could not be loaded',
      error: { message: 'DynamoDB is not there' },
    });
    now += 1;
    await fail();
    expect([warnings().length, failuresCounted()]).toEqual([2, 5]);
  });

  it('of a link is logged beside one of the newest snapshot', async () => {
    const { cache, store } = await setup();
    store.isDown = true;
    await cache.latest().catch(() => undefined);
    await cache.byId('any').catch(() => undefined);
    expect(warnings().map(({ message }) => message)).toEqual([
      'The newest snapshot could not be loaded',
      'A snapshot of a link could not be loaded',
    ]);
  });
});
