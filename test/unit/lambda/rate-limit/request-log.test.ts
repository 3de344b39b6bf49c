import { randomBytes } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itemKey } from '../../../../lambda/rate-limit/dynamodb-items.ts';
import { DynamoDbRequestLog } from '../../../../lambda/rate-limit/dynamodb-request-log.ts';
import { encodeEntry, momentOf, type RequestLog } from '../../../../lambda/rate-limit/request-log.ts';
import { MemoryRequestLog } from '../../../support/memory-request-log.ts';
import { startRateLimitTable } from '../../../support/rate-limit-table.ts';
import type { TestTable } from '../../../support/test-table.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const { signal } = new AbortController();
const entryAt = (moment: number) => encodeEntry(moment, randomBytes(4));

let database: TestTable;
beforeAll(async () => {
  database = await startRateLimitTable();
});
afterAll(() => database.close());

const LOGS: readonly (readonly [string, () => RequestLog])[] = [
  ['DynamoDB', () => new DynamoDbRequestLog(database)],
  ['the fake of the tests', () => new MemoryRequestLog({ now: () => NOW })],
];

describe.each(LOGS)('the request log in %s', (_name, create) => {
  const append = (log: RequestLog, key: string, entry: Uint8Array, most = 3) =>
    log.append(key, entry, { most, expiresAt: NOW + 120_000 }, signal);
  const moments = (entries: readonly Uint8Array[]) => entries.map((entry) => momentOf(entry) - NOW);

  it('keeps the entries in the order in which they came, whatever their moments', async () => {
    const log = create();
    const written = [];
    for (const moment of [5, 1, 3]) written.push(await append(log, 'order', entryAt(NOW + moment)));
    expect(written.map((state) => state.written)).toEqual([true, true, true]);
    expect(written.map(({ entries }) => moments(entries))).toEqual([[5], [5, 1], [5, 1, 3]]);
  });

  it('takes no more than it may hold, and tells what it holds then', async () => {
    const log = create();
    for (const moment of [1, 2, 3]) await append(log, 'full', entryAt(NOW + moment));
    const refused = await append(log, 'full', entryAt(NOW + 4));
    expect([refused.written, moments(refused.entries)]).toEqual([false, [1, 2, 3]]);
    expect((await append(log, 'full', entryAt(NOW + 4), 4)).written).toBe(true);
  });

  it('is replaced by one of those who saw the same, and tells the others what it holds then', async () => {
    const log = create();
    const { entries: seen } = await append(log, 'replaced', entryAt(NOW + 1));
    const expiresAt = NOW + 120_000;
    const ends = await Promise.all(
      [7, 8].map((moment) =>
        log.replace('replaced', seen, { entries: [entryAt(NOW + moment)], expiresAt }, signal),
      ),
    );
    expect(ends.map(({ written }) => written).sort()).toEqual([false, true]);
    const [one, other] = ends.map(({ entries }) => moments(entries));
    expect(one).toEqual(other);
  });

  it('keeps clients apart', async () => {
    const log = create();
    await append(log, 'one', entryAt(NOW + 1));
    expect(moments((await append(log, 'other', entryAt(NOW + 2))).entries)).toEqual([2]);
  });

  it('puts each of many simultaneous entries down once, and tells each of exactly those before it', async () => {
    const log = create();
    const states = await Promise.all(
      Array.from({ length: 40 }, (_, n) => append(log, 'many', entryAt(NOW + n), 30)),
    );
    const lengths = states.flatMap(({ written, entries }) => (written ? [entries.length] : []));
    expect(lengths.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(states.filter(({ written }) => !written)).toHaveLength(10);
  });
});

it('the item of a full list is below 1 KB, so that each write costs one unit, and expires', async () => {
  const log = new DynamoDbRequestLog(database);
  const key = 'k'.repeat(22);
  for (let n = 0; n < 80; n += 1) {
    await log.append(key, entryAt(NOW + n), { most: 80, expiresAt: NOW + 120_000 }, signal);
  }
  const { sdk, table } = database;
  const { Item = {} } = await sdk.send(new GetItemCommand({ TableName: table, Key: itemKey(key) }));
  const entries = Item.requests?.L ?? [];
  // As the developer guide counts: names, a list's 3 bytes and 1 for each entry, and at most 21 for a number.
  const bytes =
    'pk'.length + 22 + 'expiresAt'.length + 21 + 'requests'.length + 3 + entries.length * (10 + 1);
  expect([entries.length, bytes < 1_024]).toEqual([80, true]);
  expect(Item.expiresAt?.N).toBe(String((NOW + 120_000) / 1_000));
});
