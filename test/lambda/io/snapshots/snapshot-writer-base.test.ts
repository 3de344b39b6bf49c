import type { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../lambda/core/domain/time.ts';
import { type Item, requireManifest } from '../../../../lambda/io/snapshots/snapshot-items.ts';
import { SnapshotReader } from '../../../../lambda/io/snapshots/snapshot-reader.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testMarkets, testSnapshot } from '../../../support/markets.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { callOf, never, stubClient } from '../../../support/stub-client.ts';
import { TestWriter } from '../../../support/test-writer.ts';

// A snapshot is stored as its difference from a base, a full snapshot of the last hour. A stage
// with an archive keeps the items of its snapshots for five days, and lists each published
// snapshot.

let table: MemoryTable;
let clock: ManualClock;
let warnings: string[];
beforeEach(() => {
  table = new MemoryTable();
  clock = new ManualClock();
  warnings = [];
});

const itemsOf = (kind: string): Item[] =>
  [...table.items.values()].filter(({ pk }) => pk?.S?.startsWith(kind));
const baseIds = () => new Set(itemsOf('BASE#').map(({ pk }) => pk?.S));
const manifest = () => requireManifest(itemsOf('LATEST')[0] ?? {});
const markets = testMarkets(200);
/** The same markets with random texts, so that their difference is as long as a full snapshot. */
const withOtherTexts = () =>
  markets.map((market) => ({ ...market, image: Math.random().toString(36) }));
const writer = ({ isArchived = false, client = table.client } = {}) => {
  const logger = { warn: (message: string) => void warnings.push(message) };
  return new TestWriter({ client, table: 'table', clock, logger, isArchived });
};

/** A client of the table, in which `respond` replies to some calls in place of the table. */
const failingClient = (
  isAffected: (call: ReturnType<typeof callOf>) => boolean,
  respond: () => Promise<unknown>,
) =>
  stubClient((command) =>
    isAffected(callOf(command)) ? respond() : table.client.send(command as GetItemCommand),
  ).client;

/** Publishes now, and lets a minute pass. */
async function publish(published: readonly Market[] = markets, by = writer()) {
  const result = await by.publish(testSnapshot(published, clock.now()));
  await clock.advance(MINUTE_MS);
  return result;
}

/** Publishes with a deadline in a minute, and lets 10 s pass, in which calls that hang time out. */
async function publishSlowly(by: TestWriter) {
  const publishing = by.publish(testSnapshot(markets, clock.now()), clock.now() + MINUTE_MS);
  await clock.advance(10 * SECOND_MS);
  return await publishing;
}

describe('the base', () => {
  it('is written once and used by the snapshots of an hour, of all containers', async () => {
    const full = await publish();
    const difference = await publish();
    expect(baseIds().size).toBe(1);
    expect(difference.bytes).toBeLessThan(full.bytes / 6);
    // Two minutes have passed. A millisecond before the base is an hour old:
    await clock.advance(HOUR_MS - 2 * MINUTE_MS - 1);
    await publish();
    expect(baseIds().size).toBe(1);
    // Ten minutes for clocks that differ and for the run itself.
    expect(manifest().base.expiresAt).toBeGreaterThanOrEqual(manifest().expiresAt + 600);
    await publish();
    expect(baseIds().size).toBe(2);
  });

  it('is replaced for all containers when the difference is half of a full snapshot', async () => {
    const first = writer();
    await publish(markets, first);
    // Another container writes a new base. The first one then uses it.
    const others = withOtherTexts();
    await publish(others);
    const { id } = manifest().base;
    expect(baseIds().size).toBe(2);
    await publish(others, first);
    expect(manifest().base.id).toBe(id);
    const reader = new SnapshotReader({ client: table.client, table: 'table' });
    expect(await reader.read(manifest())).toHaveLength(200);
  });

  it('is replaced within ten minutes when the table has lost it', async () => {
    const first = writer();
    await publish(markets, first);
    for (const key of [...table.items.keys()]) if (key.startsWith('BASE#')) table.items.delete(key);
    // The first publication took a minute, so now ten have passed.
    await clock.advance(9 * MINUTE_MS);
    await publish(markets, first);
    expect(baseIds().size).toBe(1);
    expect(await first.newest()).toBeDefined();
  });

  it('is replaced when the table does not return it within 5 s', async () => {
    await publish();
    const client = failingClient(
      ({ partition, isRead }) => isRead && partition.startsWith('BASE#'),
      never,
    );
    expect((await publishSlowly(writer({ client }))).outcome).toBe('published');
    expect(baseIds().size).toBe(2);
  });
});

describe('with the archive', () => {
  /** Unix seconds. */
  const fiveDaysLater = () => clock.now() / SECOND_MS + 5 * 24 * 3_600;

  it('a published snapshot is listed by its time and its items stay for five days', async () => {
    const snapshot = testSnapshot(testMarkets(2), clock.now());
    await writer({ isArchived: true }).publish(snapshot);
    const expiresAt = { N: String(fiveDaysLater()) };
    expect(itemsOf('PUBLISHED')).toMatchObject([
      { n: { N: String(snapshot.asOf) }, snapshotId: { S: snapshot.id }, expiresAt },
    ]);
    expect(itemsOf('SNAPSHOT#')).toMatchObject([{ expiresAt }]);
    expect(manifest().expiresAt).toBe(clock.now() / SECOND_MS + 3_600);
  });

  it('a snapshot names no base that expires before it', async () => {
    await publish();
    // The base of that snapshot expires too early. A new one stays for five days after its last
    // use: an hour in which snapshots share it, and ten minutes for clocks that differ.
    const expiresAt = fiveDaysLater() + 3_600 + 600;
    await writer({ isArchived: true }).publish(testSnapshot(markets, clock.now()));
    expect(manifest().base.expiresAt).toBe(expiresAt);
  });

  it('a superseded snapshot is not listed', async () => {
    const archiving = writer({ isArchived: true });
    for (const ms of [0, -1]) await archiving.publish(testSnapshot(markets, clock.now() + ms));
    expect(itemsOf('PUBLISHED')).toHaveLength(1);
  });

  it.each([
    { what: 'cannot be written', respond: () => Promise.reject(new Error('throttled')) },
    { what: 'takes too long', respond: never },
  ])('a snapshot is published although the item that lists it $what', async ({ respond }) => {
    const client = failingClient(({ partition }) => partition === 'PUBLISHED', respond);
    expect((await publishSlowly(writer({ isArchived: true, client }))).outcome).toBe('published');
    expect(warnings).toEqual(['The archive will not find this snapshot in its list']);
  });
});
