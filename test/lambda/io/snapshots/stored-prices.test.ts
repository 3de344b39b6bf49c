import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../../lambda/io/platform/clock.ts';
import { SNAPSHOT_KEYS } from '../../../../lambda/io/platform/storage-layout.ts';
import {
  type StoredPriceItem,
  StoredPrices,
} from '../../../../lambda/io/snapshots/stored-prices.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { startDynamoDb } from '../../../support/test-table.ts';

// The refresher stores past prices as items of the table of snapshots: samples of its own prices in
// the partition `SAMPLE`, histories of upstream in `BACKFILL_DAY` and `BACKFILL_MONTH`. An item has
// a number `n`, its time, and bytes.

const db = await startDynamoDb();

/** A deadline of a minute. DynamoDB Local needs the real clock. */
const soon = () => Date.now() + 60_000;
const bytes = (text: string) => Buffer.from(text);

async function newTable() {
  const table = await db.table(SNAPSHOT_KEYS);
  return { table, stored: new StoredPrices({ client: db.client, table, clock: systemClock }) };
}

async function all(items: AsyncIterable<StoredPriceItem>): Promise<StoredPriceItem[]> {
  const found: StoredPriceItem[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('stored prices', () => {
  it('returns the items of a partition between two keys, in either order', async () => {
    const { stored } = await newTable();
    for (const n of [30, 10, 20])
      await stored.put('SAMPLE', { n, data: bytes(`sample ${n}`) }, soon());
    await stored.put('BACKFILL_DAY', { n: 15, data: bytes('backfill') }, soon());
    const found = async (query: Parameters<StoredPrices['query']>[1]) =>
      (await all(stored.query('SAMPLE', query, soon()))).map(({ n, data }) => [
        n,
        Buffer.from(data).toString(),
      ]);
    expect(await found({})).toEqual([10, 20, 30].map((n) => [n, `sample ${n}`]));
    expect(await found({ from: 10, to: 20, newestFirst: true, firstOnly: true })).toEqual([
      [20, 'sample 20'],
    ]);
    expect(await found({ firstOnly: true })).toEqual([[10, 'sample 10']]);
    expect((await found({ newestFirst: true })).map(([n]) => n)).toEqual([30, 20, 10]);
    expect(await found({ from: 21, to: 29 })).toEqual([]);
  });

  it('returns all items, even when they do not fit into one response of the table', async () => {
    const { stored } = await newTable();
    // Five items of 300 KB. A response of DynamoDB has at most 1 MB.
    const large = Buffer.alloc(300_000, 1);
    for (let n = 0; n < 5; n++) await stored.put('BACKFILL_MONTH', { n, data: large }, soon());
    expect((await all(stored.query('BACKFILL_MONTH', {}, soon()))).map(({ n }) => n)).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });

  it.each([
    ['SAMPLE', 32],
    ['BACKFILL_DAY', 2],
    ['BACKFILL_MONTH', 32],
  ] as const)('lets items of %s expire after %i days', async (partition, days) => {
    const { table } = await newTable();
    const clock = new ManualClock();
    const stored = new StoredPrices({ client: db.client, table, clock });
    await stored.put(partition, { n: 1, data: bytes('a') }, clock.now() + 1_000);
    const Key = { pk: { S: partition }, n: { N: '1' } };
    const { Item } = await db.client.send(new GetItemCommand({ TableName: table, Key }));
    expect(Item?.expiresAt?.N).toBe(String(clock.now() / 1_000 + days * 86_400));
  });

  it('reads what was just written', async () => {
    const queries: unknown[] = [];
    const client = { send: async ({ input }: { input: unknown }) => queries.push(input) && {} };
    const stored = new StoredPrices({
      client: client as unknown as DynamoDBClient,
      table: 'x',
      clock: systemClock,
    });
    await all(stored.query('SAMPLE', {}, soon()));
    expect(queries).toMatchObject([{ ConsistentRead: true }]);
  });

  it('gives up at the deadline', async () => {
    const { stored } = await newTable();
    await expect(stored.query('SAMPLE', {}, Date.now() - 1).next()).rejects.toThrow('No response');
    await expect(stored.put('SAMPLE', { n: 1, data: bytes('a') }, Date.now() - 1)).rejects.toThrow(
      'No response',
    );
  });
});
