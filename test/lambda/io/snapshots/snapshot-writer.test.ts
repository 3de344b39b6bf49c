import { hash } from 'node:crypto';
import { type GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { decodeMarket } from '../../../../lambda/core/domain/market-lines.ts';
import { MAX_CHUNK_BYTES } from '../../../../lambda/io/platform/dynamodb.ts';
import { SNAPSHOT_KEYS } from '../../../../lambda/io/platform/environment.ts';
import { type Item, POINTER_KEY } from '../../../../lambda/io/snapshots/snapshot-items.ts';
import { SnapshotReader } from '../../../../lambda/io/snapshots/snapshot-reader.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testMarkets, testSnapshot } from '../../../support/markets.ts';
import { callOf, never, stubClient } from '../../../support/stub-client.ts';
import { startDynamoDb } from '../../../support/test-table.ts';
import { TestWriter } from '../../../support/test-writer.ts';

// The writer works with DynamoDB Local, in a new table for each test.

let table: string;
let clock: ManualClock;
const database = await startDynamoDb();
beforeEach(async () => {
  table = await database.table(SNAPSHOT_KEYS);
  clock = new ManualClock();
  warnings = [];
});

let warnings: string[];
const newWriter = (client = database.client) => {
  const logger = { warn: (message: string) => void warnings.push(message) };
  return new TestWriter({ client, table, clock, logger });
};
/** A writer whose calls `respond` answers or passes on. */
const writerWith = (
  respond: (partition: string, pass: () => Promise<unknown>, isRead: boolean) => Promise<unknown>,
) => {
  const { client } = stubClient((command) => {
    const { partition, isRead } = callOf(command);
    return respond(partition, () => database.client.send(command as GetItemCommand), isRead);
  });
  return newWriter(client);
};
const newReader = () => new SnapshotReader({ client: database.client, table });
const read = async (): Promise<Market[] | undefined> => {
  const manifest = await newReader().latest();
  return manifest && (await newReader().read(manifest)).map(decodeMarket);
};
const put = (item: Item) =>
  database.client.send(new PutItemCommand({ TableName: table, Item: item }));
const items = async (): Promise<Item[]> =>
  (await database.client.send(new ScanCommand({ TableName: table }))).Items ?? [];

/**
 * Publishes markets as of now; catalogues are read with the prices unless a test says otherwise.
 */
async function publish(
  markets: readonly Market[],
  changes: { catalogueAsOf?: number; asOf?: number } = {},
) {
  const snapshot = { ...testSnapshot(markets, clock.now()), ...changes };
  return { snapshot, ...(await newWriter().publish(snapshot)) };
}

describe('a published snapshot', () => {
  it('names the snapshot before it, even after a retry, which succeeds', async () => {
    const { snapshot: first } = await publish(testMarkets(1));
    expect((await newReader().latest())?.previousId).toBeUndefined();
    await clock.advance(60_000);
    const { snapshot: second } = await publish(testMarkets(2));
    expect((await newWriter().publish(second)).outcome).toBe('published');
    expect(await newReader().latest()).toMatchObject({ id: second.id, previousId: first.id });
  });

  it('is the newest snapshot of the next run, in every container', async () => {
    expect(await newWriter().newest()).toBeUndefined();
    expect(warnings).toEqual([]);
    const writer = newWriter();
    const snapshot = testSnapshot(testMarkets(3), clock.now());
    await writer.publish(snapshot);
    for (const any of [writer, newWriter()]) {
      const newest = await any.newest();
      expect(newest?.markets).toEqual(snapshot.markets);
      expect(newest?.info).toMatchObject({ ...snapshot, markets: 3, shrunkRuns: 0 });
    }
    await clock.advance(60_000);
    const { snapshot: next } = await publish(testMarkets(2));
    expect((await writer.newest())?.info.id).toBe(next.id);
    expect((await writer.newest())?.markets).toEqual(next.markets);
  });

  it('names what its list lacks to the next run, and only the numbers to readers', async () => {
    // So many that they need several items. Hashes as ids keep them from being compressed well.
    const known = testMarkets(8_000).map(({ id, volume }) => ({ id: hash('sha256', id), volume }));
    const markets = known.map((market) => ({ ...market, endsAt: 1_800_000_000_000 }));
    const missing = { since: 1, expected: 10_000, markets };
    const writer = newWriter();
    await writer.publish({ ...testSnapshot(testMarkets(2), clock.now()), missing });
    for (const any of [writer, newWriter()])
      expect((await any.newest())?.info.missing).toEqual(missing);
    const manifest = await newReader().latest();
    expect(manifest?.missing).toEqual({ since: 1, expected: 10_000, markets: 8_000 });
    const stored = (await items()).filter(({ pk }) => pk?.S?.startsWith('MISSING'));
    expect(stored.length).toBeGreaterThan(1);
    const bytes = stored.reduce((sum, { data }) => sum + (data?.B?.length ?? 0), 0);
    expect(bytes / 8_000).toBeLessThan(45);
    expect(stored.map(({ expiresAt }) => Number(expiresAt?.N))).toEqual(
      stored.map(() => manifest?.expiresAt),
    );
  });

  it('is found by its id, and names the end of the hour in which callers can read it', async () => {
    const { snapshot } = await publish(testMarkets(1));
    const newest = await newReader().latest();
    expect(newest).toMatchObject({
      ...snapshot,
      markets: 1,
      expiresAt: clock.now() / 1_000 + 3_600,
    });
    expect(await newReader().manifestOf(snapshot.id)).toEqual(newest);
  });

  it('of any size is cut into items that DynamoDB accepts, each with a time to live', async () => {
    const image = () =>
      Array.from({ length: 800 }, () => Math.random().toString(36).slice(2)).join('');
    const markets = testMarkets(100).map((market) => ({ ...market, image: image() }));
    await publish(markets);
    const data = (await items()).filter((item) => item.data);
    expect(Math.max(...data.map((item) => item.data?.B?.length ?? 0))).toBe(MAX_CHUNK_BYTES);
    expect(data.filter((item) => item.pk?.S?.startsWith('BASE#')).length).toBeGreaterThan(1);
    expect(data.every((item) => Number(item.expiresAt?.N) > clock.now() / 1_000)).toBe(true);
    expect(await read()).toEqual(markets);
  });
});

describe('the pointer', () => {
  it.each([
    ['older prices', -1, 0],
    ['the same prices of another run', 0, 0],
    ['newer prices with an older catalogue', 60_000, -1],
  ])('does not move to %s', async (_, asOf, catalogueAsOf) => {
    const now = clock.now();
    const { snapshot } = await publish(testMarkets(3));
    const times = { asOf: now + asOf, catalogueAsOf: snapshot.catalogueAsOf + catalogueAsOf };
    const loser = await publish(testMarkets(2), times);
    expect(loser.outcome).toBe('superseded');
    expect((await newReader().latest())?.id).toBe(snapshot.id);
  });

  it('is replaced when a clock far ahead wrote it, not when that clock is within its tolerance', async () => {
    const now = clock.now();
    await publish(testMarkets(3), { asOf: now + 30_000, catalogueAsOf: now + 30_000 });
    expect((await publish(testMarkets(2))).outcome).toBe('superseded');
    await publish(testMarkets(3), { asOf: now + 3_600_000, catalogueAsOf: now + 3_600_000 });
    expect((await publish(testMarkets(2))).outcome).toBe('published');
  });

  it('without a manifest and numbers counts as none and is replaced by the next run', async () => {
    await publish(testMarkets(3));
    await put({
      ...POINTER_KEY,
      manifest: { S: '{' },
      asOf: { S: 'x' },
      catalogueAsOf: { S: 'y' },
    });
    expect(await newWriter().newest()).toBeUndefined();
    expect((await publish(testMarkets(2))).outcome).toBe('published');
    expect(await read()).toHaveLength(2);
  });

  it('moves after all items of the snapshot and its base are stored', async () => {
    const events: string[] = [];
    const writer = writerWith(async (partition, pass, isRead) => {
      const [kind = ''] = partition.split('#');
      if (!isRead) events.push(`${kind} begins`);
      const result = await pass();
      if (!isRead) events.push(`${kind} is stored`);
      return result;
    });
    await writer.publish(testSnapshot(testMarkets(3), clock.now()));
    expect(events.slice(0, -2).toSorted()).toEqual(
      ['BASE', 'SNAPSHOT'].flatMap((kind) => [`${kind} begins`, `${kind} is stored`]),
    );
    expect(events.slice(-2)).toEqual(['LATEST begins', 'LATEST is stored']);
  });
});

describe('stored data that is broken', () => {
  it.each(['SNAPSHOT#', 'BASE#'])('counts as none for the writer (%s)', async (prefix) => {
    await publish(testMarkets(3));
    const found = (await items()).find(({ pk }) => pk?.S?.startsWith(prefix));
    await put({ ...found, data: { B: Buffer.from('broken') } });
    expect(await newWriter().newest()).toBeUndefined();
    expect(warnings).toHaveLength(1);
    await clock.advance(60_000);
    expect((await publish(testMarkets(2))).outcome).toBe('published');
    expect(await read()).toHaveLength(2);
  });

  it('differs from a table that does not respond: the newest snapshot is unknown then, and may be good', async () => {
    await publish(testMarkets(3));
    const newest = expect(writerWith(never).newest(clock.now() + 1_000)).rejects.toThrow('1000 ms');
    await clock.advance(1_000);
    await newest;
    const failing = writerWith(() =>
      Promise.reject(new Error('ProvisionedThroughputExceededException')),
    );
    await expect(failing.newest()).rejects.toThrow('ProvisionedThroughputExceededException');
    expect(warnings).toEqual([]);
  });
});

it('a deadline ends publishing when the table does not respond', async () => {
  const publishing = writerWith(never).publish(testSnapshot(testMarkets(1)), clock.now() + 2_000);
  const failed = expect(publishing).rejects.toThrow('2000 ms');
  await clock.advance(2_000);
  await failed;
});

describe('runs that did not publish', () => {
  it('are counted until a new catalogue is published', async () => {
    const catalogueAsOf = clock.now();
    await publish(testMarkets(3), { catalogueAsOf });
    const count = async () => {
      const newest = await newWriter().newest();
      if (newest) await newWriter().recordShrunkRun(newest.info);
      return (await newWriter().newest())?.info.shrunkRuns;
    };
    expect(await count()).toBe(1);
    expect(await count()).toBe(2);
    await clock.advance(60_000);
    await publish(testMarkets(3), { catalogueAsOf });
    expect((await newWriter().newest())?.info.shrunkRuns).toBe(2);
    await clock.advance(60_000);
    await publish(testMarkets(2));
    expect((await newWriter().newest())?.info.shrunkRuns).toBe(0);
  });

  it('never move the pointer back when another run publishes between the read and the write of the count', async () => {
    await publish(testMarkets(2));
    const before = await newWriter().newest();
    await clock.advance(60_000);
    const writer = writerWith(async (_, pass, isRead) => {
      const result = await pass();
      if (isRead) await publish(testMarkets(3));
      return result;
    });
    if (before) await writer.recordShrunkRun(before.info);
    expect((await newWriter().newest())?.info).toMatchObject({ markets: 3, shrunkRuns: 0 });
  });

  it('leave their reason for the status', async () => {
    expect(await newReader().lastFailure()).toBeUndefined();
    const failure = {
      since: clock.now() - 60_000,
      at: clock.now(),
      reason: 'The catalogue did not respond.',
    };
    await newWriter().recordFailure(failure, Number.POSITIVE_INFINITY);
    expect(await newReader().lastFailure()).toEqual(failure);
    await put({ pk: { S: 'FAILURE' }, n: { N: '0' }, failure: { S: '{"since":"x"}' } });
    expect(await newReader().lastFailure()).toBeUndefined();
  });
});
