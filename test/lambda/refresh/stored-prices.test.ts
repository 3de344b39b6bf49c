import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../lambda/platform/clock.ts';
import { SNAPSHOT_KEYS } from '../../../lambda/platform/table-keys.ts';
import {
  decodePrices,
  encodePrices,
  priceKey,
  type StoredPriceItem,
  StoredPrices,
} from '../../../lambda/refresh/stored-prices.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startDynamoDb, type TestDynamoDb } from '../../support/test-table.ts';

let db: TestDynamoDb;
beforeAll(async () => {
  db = await startDynamoDb();
});
afterAll(async () => {
  await db.stop();
});

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
  it('returns the items of a partition between two keys, in order, or only the newest or the oldest', async () => {
    const { stored } = await newTable();
    for (const n of [30, 10, 20]) await stored.put('SAMPLE', { n, data: bytes(`sample ${n}`) }, soon());
    await stored.put('BACKFILL', { n: 15, data: bytes('backfill') }, soon());
    const found = async (query: Parameters<StoredPrices['query']>[1]) =>
      (await all(stored.query('SAMPLE', query, soon()))).map(({ n, data }) => [n, Buffer.from(data).toString()]);
    expect(await found({})).toEqual([10, 20, 30].map((n) => [n, `sample ${n}`]));
    expect(await found({ from: 10, to: 20, only: 'newest' })).toEqual([[20, 'sample 20']]);
    expect(await found({ only: 'oldest' })).toEqual([[10, 'sample 10']]);
    expect(await found({ from: 21, to: 29 })).toEqual([]);
  });

  it('returns all items, also when they do not fit into one response of the table', async () => {
    const { stored } = await newTable();
    const large = Buffer.alloc(300_000, 1);
    for (let n = 0; n < 5; n++) await stored.put('BACKFILL', { n, data: large }, soon());
    expect((await all(stored.query('BACKFILL', {}, soon()))).map(({ n }) => n)).toEqual([0, 1, 2, 3, 4]);
  });

  it('lets items expire after 32 days', async () => {
    const { table } = await newTable();
    const clock = new ManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const stored = new StoredPrices({ client: db.client, table, clock });
    await stored.put('SAMPLE', { n: 1, data: bytes('a') }, clock.now() + 1_000);
    const Key = { pk: { S: 'SAMPLE' }, n: { N: '1' } };
    const { Item } = await db.client.send(new GetItemCommand({ TableName: table, Key }));
    expect(Item?.expiresAt?.N).toBe(String(Date.parse('2026-12-23T12:00:00Z') / 1_000));
  });

  it('gives up at the deadline', async () => {
    const { stored } = await newTable();
    await expect(stored.query('SAMPLE', {}, Date.now() - 1).next()).rejects.toThrow('No response');
    await expect(stored.put('SAMPLE', { n: 1, data: bytes('a') }, Date.now() - 1)).rejects.toThrow('No response');
  });
});

describe('encoded prices', () => {
  it('are smaller than their text, and come back as they were', () => {
    const value = {
      prices: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [priceKey(`0x${n}`), n / 2_000])),
    };
    const data = encodePrices(value);
    expect(data.length).toBeLessThan(20_000);
    expect(decodePrices(data)).toEqual(value);
  });
});

describe('the key of a market', () => {
  const short = `0x02${'ab'.repeat(30)}`;

  it('is the same for both forms of an id and for both cases', () => {
    expect(priceKey(short)).toMatch(/^[0-9a-f]{12}$/);
    expect(priceKey(`${short}00`)).toBe(priceKey(short));
    expect(priceKey(short.replaceAll('a', 'A'))).toBe(priceKey(short));
  });

  it('differs for ids that begin alike', () => {
    expect(priceKey(`${short}01`)).not.toBe(priceKey(`${short}02`));
  });
});
