import { hash } from 'node:crypto';
import { type GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { decodeMarket } from '../../../../lambda/core/domain/market-lines.ts';
import { DAY_MS } from '../../../../lambda/core/domain/time.ts';
import { SNAPSHOT_KEYS } from '../../../../lambda/io/platform/storage-layout.ts';
import {
  type Item,
  MAX_CHUNK_BYTES,
  POINTER_KEY,
} from '../../../../lambda/io/snapshots/snapshot-items.ts';
import { SnapshotReader } from '../../../../lambda/io/snapshots/snapshot-reader.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testMarkets, testSnapshot } from '../../../support/markets.ts';
import { callOf, never, stubClient } from '../../../support/stub-client.ts';
import { startDynamoDb } from '../../../support/test-table.ts';
import { TestWriter } from '../../../support/test-writer.ts';

// A run of the refresher publishes a snapshot: the writer stores its markets in items of a table
// (SNAPSHOT, and BASE for what snapshots share), then moves the pointer to the newest snapshot
// (LATEST). Each test has a new table in DynamoDB Local.

let table: string;
let clock: ManualClock;
let warnings: string[];
const database = await startDynamoDb();
beforeEach(async () => {
  table = await database.table(SNAPSHOT_KEYS);
  clock = new ManualClock();
  warnings = [];
});

/** The writer of a new container. */
const newWriter = (client = database.client) => {
  const logger = { warn: (message: string) => void warnings.push(message) };
  return new TestWriter({ client, table, clock, logger });
};
/** A call of the writer to the table, which `pass` makes. */
interface Call {
  readonly partition: string;
  readonly isRead: boolean;
  readonly pass: () => Promise<unknown>;
}
/** A writer whose calls get what `respond` returns in place of the table. */
const writerWith = (respond: (call: Call) => Promise<unknown>) => {
  const { client } = stubClient((command) => {
    const pass = () => database.client.send(command as GetItemCommand);
    return respond({ ...callOf(command), pass });
  });
  return newWriter(client);
};
const newReader = () => new SnapshotReader({ client: database.client, table });
/** What readers get. */
const read = async (): Promise<Market[] | undefined> => {
  const manifest = await newReader().latest();
  return manifest && (await newReader().read(manifest)).map(decodeMarket);
};
const put = (item: Item) =>
  database.client.send(new PutItemCommand({ TableName: table, Item: item }));
const items = async (): Promise<Item[]> =>
  (await database.client.send(new ScanCommand({ TableName: table }))).Items ?? [];

/** Publishes markets with prices of now and a catalogue 30 s older, or of the given times. */
async function publish(
  markets: readonly Market[],
  times: { catalogueAsOf?: number; asOf?: number } = {},
) {
  const snapshot = { ...testSnapshot(markets, clock.now()), ...times };
  return { snapshot, ...(await newWriter().publish(snapshot)) };
}

describe('a published snapshot', () => {
  it('names the snapshot before it, even after a retry', async () => {
    const { snapshot: first } = await publish(testMarkets(1));
    expect((await newReader().latest())?.previousId).toBeUndefined();
    await clock.advance(60_000);
    const { snapshot: second } = await publish(testMarkets(2));
    // The same snapshot again, which is no failure.
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

  it('names the markets that its list lacks to the next run, and their number to readers', async () => {
    // So many that they need several items. Hashes as ids keep them from being compressed well.
    const markets = testMarkets(8_000).map(({ id, volume }) => ({
      id: hash('sha256', id),
      volume,
      endsAt: clock.now() + DAY_MS,
    }));
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
    // Each market takes the 32 bytes of its hash, and a few for its volume and end.
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

  it('of several items has items that DynamoDB accepts, each with a time to live', async () => {
    // 6 KB each that cannot be compressed well.
    const imageOf = (id: string) =>
      Array.from({ length: 100 }, (_, n) => hash('sha256', `${id} ${n}`)).join('');
    const markets = testMarkets(100).map((one) => ({ ...one, image: imageOf(one.id) }));
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
    { what: 'older prices', pricesMs: -1, catalogueMs: 0 },
    { what: 'the same prices of another run', pricesMs: 0, catalogueMs: 0 },
    { what: 'newer prices with an older catalogue', pricesMs: 60_000, catalogueMs: -1 },
  ])('does not move to $what', async ({ pricesMs, catalogueMs }) => {
    const now = clock.now();
    const { snapshot } = await publish(testMarkets(3));
    const catalogueAsOf = snapshot.catalogueAsOf + catalogueMs;
    const times = { asOf: now + pricesMs, catalogueAsOf };
    expect((await publish(testMarkets(2), times)).outcome).toBe('superseded');
    expect((await newReader().latest())?.id).toBe(snapshot.id);
  });

  // The clock of a run may be 30 s ahead. A later pointer is an error, so any run may replace it.
  it.each([
    { aheadMs: 30_000, outcome: 'superseded' },
    { aheadMs: 3_600_000, outcome: 'published' },
  ])(
    'from a clock $aheadMs ms ahead leaves the next run $outcome',
    async ({ aheadMs, outcome }) => {
      const ahead = clock.now() + aheadMs;
      await publish(testMarkets(3), { asOf: ahead, catalogueAsOf: ahead });
      expect((await publish(testMarkets(2))).outcome).toBe(outcome);
    },
  );

  it('that cannot be read is replaced by the next run', async () => {
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
    const writer = writerWith(async ({ partition, isRead, pass }) => {
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

describe('the newest snapshot', () => {
  it.each(['SNAPSHOT#', 'BASE#'])('is none for the writer if its %s is broken', async (prefix) => {
    await publish(testMarkets(3));
    const found = (await items()).find(({ pk }) => pk?.S?.startsWith(prefix));
    await put({ ...found, data: { B: Buffer.from('broken') } });
    expect(await newWriter().newest()).toBeUndefined();
    expect(warnings).toHaveLength(1);
    await clock.advance(60_000);
    expect((await publish(testMarkets(2))).outcome).toBe('published');
    expect(await read()).toHaveLength(2);
  });

  it('is unknown, not none, if the table fails', async () => {
    const writer = writerWith(() => Promise.reject(new Error('The table is busy')));
    await expect(writer.newest()).rejects.toThrow('The table is busy');
    expect(warnings).toEqual([]);
  });
});

describe('a deadline', () => {
  /** Checks that work with a deadline in 2 s ends then. */
  async function expectEnd(work: Promise<unknown>): Promise<void> {
    const failed = expect(work).rejects.toThrow('No response within 2000 ms');
    await clock.advance(2_000);
    await failed;
  }

  it('ends the read of the newest snapshot if the table does not respond', async () => {
    await expectEnd(writerWith(never).newest(clock.now() + 2_000));
  });

  it('ends a publication if the table does not respond', async () => {
    const snapshot = testSnapshot(testMarkets(1));
    await expectEnd(writerWith(never).publish(snapshot, clock.now() + 2_000));
  });
});

// A run whose list is much shorter than the last one publishes nothing ("a shrunk run"). The next
// run learns how many there were.
describe('runs that did not publish', () => {
  it('are counted until a new catalogue is published', async () => {
    const catalogueAsOf = clock.now();
    await publish(testMarkets(3), { catalogueAsOf });
    const counted = async () => (await newWriter().newest())?.info.shrunkRuns;
    for (const count of [1, 2]) {
      const newest = await newWriter().newest();
      if (newest) await newWriter().recordShrunkRun(newest.info);
      expect(await counted()).toBe(count);
    }
    await clock.advance(60_000);
    // New prices with the old catalogue.
    await publish(testMarkets(3), { catalogueAsOf });
    expect(await counted()).toBe(2);
    await clock.advance(60_000);
    await publish(testMarkets(2));
    expect(await counted()).toBe(0);
  });

  it('never move the pointer back if another run publishes at the same time', async () => {
    await publish(testMarkets(2));
    const before = await newWriter().newest();
    await clock.advance(60_000);
    // The other run publishes between the read and the write of the count.
    const writer = writerWith(async ({ isRead, pass }) => {
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
    const deadline = Number.POSITIVE_INFINITY;
    await newWriter().recordFailure(failure, deadline);
    expect(await newReader().lastFailure()).toEqual(failure);
    const unreadable = { S: '{"since":"x"}' };
    await put({ pk: { S: 'FAILURE' }, n: { N: '0' }, failure: unreadable });
    expect(await newReader().lastFailure()).toBeUndefined();
  });
});
