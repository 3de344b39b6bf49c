import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, jest } from '@jest/globals';
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
  it('returns the items of a partition in a range of times, in either order', async () => {
    const { stored } = await newTable();
    for (const n of [30, 10, 20])
      await stored.put('SAMPLE', { n, data: bytes(`sample ${n}`) }, soon());
    await stored.put('BACKFILL_DAY', { n: 15, data: bytes('backfill') }, soon());
    /** The texts of the items that a query finds. */
    const found = async (query: Parameters<StoredPrices['query']>[1]) => {
      const items = await all(stored.query('SAMPLE', query, soon()));
      return items.map(({ data }) => Buffer.from(data).toString());
    };
    expect(await found({})).toEqual(['sample 10', 'sample 20', 'sample 30']);
    expect(await found({ newestFirst: true })).toEqual(['sample 30', 'sample 20', 'sample 10']);
    expect(await found({ firstOnly: true })).toEqual(['sample 10']);
    const newestTo20 = { from: 10, to: 20, newestFirst: true, firstOnly: true };
    expect(await found(newestTo20)).toEqual(['sample 20']);
    expect(await found({ from: 21, to: 29 })).toEqual([]);
  });

  it('returns all items, even when they do not fit into one response of the table', async () => {
    const { stored } = await newTable();
    // Five items of 300 KB. A response of DynamoDB has at most 1 MB.
    const large = Buffer.alloc(300_000, 1);
    for (let n = 0; n < 5; n++) await stored.put('BACKFILL_MONTH', { n, data: large }, soon());
    const items = await all(stored.query('BACKFILL_MONTH', {}, soon()));
    expect(items.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4]);
  });

  it.each([
    { partition: 'SAMPLE', days: 32 },
    { partition: 'BACKFILL_DAY', days: 2 },
    { partition: 'BACKFILL_MONTH', days: 32 },
  ] as const)('lets items of $partition expire after $days days', async ({ partition, days }) => {
    const { table } = await newTable();
    const clock = new ManualClock();
    const stored = new StoredPrices({ client: db.client, table, clock });
    await stored.put(partition, { n: 1, data: bytes('a') }, clock.now() + 1_000);
    const Key = { pk: { S: partition }, n: { N: '1' } };
    const { Item } = await db.client.send(new GetItemCommand({ TableName: table, Key }));
    expect(Item?.expiresAt?.N).toBe(String(clock.now() / 1_000 + days * 86_400));
  });

  it('reads consistently, so it finds what was just written', async () => {
    const send = jest.fn(async (_command: object) => ({}));
    const client = { send } as unknown as DynamoDBClient;
    const stored = new StoredPrices({ client, table: 'x', clock: systemClock });
    await all(stored.query('SAMPLE', {}, soon()));
    expect(send.mock.calls[0]?.[0]).toMatchObject({ input: { ConsistentRead: true } });
  });

  it('gives up at the deadline', async () => {
    const { stored } = await newTable();
    const past = Date.now() - 1;
    await expect(stored.query('SAMPLE', {}, past).next()).rejects.toThrow('No response');
    const put = stored.put('SAMPLE', { n: 1, data: bytes('a') }, past);
    await expect(put).rejects.toThrow('No response');
  });
});
