import { randomBytes } from 'node:crypto';
import { type DynamoDBClient, ScanCommand, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientKeys } from '../../../../lambda/rate-limit/client-key.ts';
import { ENTRIES, itemKey } from '../../../../lambda/rate-limit/dynamodb-items.ts';
import { DynamoDbRateLimiter } from '../../../../lambda/rate-limit/rate-limiter.ts';
import { RequestLog } from '../../../../lambda/rate-limit/request-log.ts';
import { WINDOW_MS } from '../../../../lambda/rate-limit/sliding-window.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { startRateLimitTable } from '../../../support/rate-limit-table.ts';
import type { TestTable } from '../../../support/test-table.ts';

const LIMIT = 60;
let database: TestTable;
let clock: ManualClock;
let address: string;
let addresses = 0;
let writes: string[];

beforeAll(async () => {
  database = await startRateLimitTable();
});
afterAll(() => database.close());
beforeEach(() => {
  clock = new ManualClock();
  addresses += 1;
  address = `192.0.2.${addresses}`;
  writes = [];
});

/** A container: nothing is shared but the table. */
function container(options: { readonly limit?: number; readonly skew?: number } = {}) {
  const client = counting(database.client);
  const store = { client, table: database.table, randomBytes };
  const skew = options.skew ?? 0;
  const failures: unknown[] = [];
  const refusals: { key: string; cached: boolean }[] = [];
  const keys = new ClientKeys(store);
  const limiter = new DynamoDbRateLimiter({
    limit: options.limit ?? LIMIT,
    keys,
    log: new RequestLog(store),
    clock: { now: () => clock.now() + skew, after: (ms, callback) => clock.after(ms, callback) },
    onUnavailable: (error) => failures.push(error),
    onRefused: (key, cached) => refusals.push({ key, cached }),
  });
  return { limiter, keys, failures, refusals };
}

/** The client, with the expression of each write put down. */
function counting(client: DynamoDBClient): DynamoDBClient {
  return {
    send: (command: UpdateItemCommand, options?: object) => {
      writes.push(command.input.UpdateExpression ?? '');
      return client.send(command, options);
    },
  } as unknown as DynamoDBClient;
}

async function allowed(limiter: DynamoDbRateLimiter, times: number): Promise<number> {
  let passed = 0;
  for (let time = 0; time < times; time += 1) {
    if (limiter.cachedRefusal(address) === undefined && (await limiter.check(address))?.allowed) passed += 1;
  }
  return passed;
}

async function storedEntries(keys: ClientKeys): Promise<number> {
  const { Items } = await database.client.send(new ScanCommand({ TableName: database.table }));
  const key = itemKey(await keys.keyOf(address)).pk?.S;
  return Items?.find((item) => item.pk?.S === key)?.[ENTRIES]?.BS?.length ?? 0;
}

describe('one container', () => {
  it('counts down and refuses the 61st request', async () => {
    const { limiter, failures } = container();
    expect(await limiter.check(address)).toEqual({
      allowed: true,
      remaining: 59,
      resetAt: clock.now() + WINDOW_MS,
    });
    expect(await allowed(limiter, LIMIT - 2)).toBe(LIMIT - 2);
    expect(await limiter.check(address)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.check(address)).toMatchObject({ allowed: false, remaining: 0 });
    expect(failures).toEqual([]);
  });

  it('makes one write for a request that it serves', async () => {
    const { limiter, keys } = container();
    await keys.keyOf(address);
    writes = [];
    expect(await allowed(limiter, LIMIT)).toBe(LIMIT);
    expect(writes).toEqual(Array.from({ length: LIMIT }, () => 'ADD #entries :entry SET #ttl = :ttl'));
  });

  it('takes a refused request back, and refuses the next ones without a write', async () => {
    const { limiter, keys, refusals } = container();
    await allowed(limiter, LIMIT + 1);
    expect(await storedEntries(keys)).toBe(LIMIT);
    writes = [];
    expect(limiter.cachedRefusal(address)).toMatchObject({ allowed: false, remaining: 0 });
    expect(await allowed(limiter, 1_000)).toBe(0);
    expect(writes).toEqual([]);
    expect(refusals.slice(0, 3).map(({ cached }) => cached)).toEqual([false, true, true]);
    expect(limiter.cachedRefusal('198.51.100.1')).toBeUndefined();
  });

  it('asks the table again after a few seconds, and when the oldest request leaves the window', async () => {
    const { limiter } = container({ limit: 2 });
    await limiter.check(address);
    await clock.advance(57_000);
    await limiter.check(address);
    await limiter.check(address);
    await clock.advance(2_999);
    expect(limiter.cachedRefusal(address)).toBeDefined();
    await clock.advance(1);
    expect(limiter.cachedRefusal(address)).toBeUndefined();
    expect(await limiter.check(address)).toMatchObject({ allowed: true });
    expect(await limiter.check(address)).toMatchObject({ allowed: false });
    await clock.advance(5_000);
    expect(limiter.cachedRefusal(address)).toBeUndefined();
    expect(await limiter.check(address)).toMatchObject({ allowed: false });
  });

  it('is not kept over its limit by one who goes on asking', async () => {
    const { limiter } = container();
    await allowed(limiter, LIMIT);
    for (let second = 0; second < 59; second += 1) {
      await clock.advance(1_000);
      expect(await allowed(limiter, 5)).toBe(0);
    }
    await clock.advance(1_000);
    expect(await allowed(limiter, LIMIT + 10)).toBe(LIMIT);
  });

  it('keeps the log of a caller who never stops small', async () => {
    const { limiter, keys } = container({ limit: 5 });
    for (let round = 0; round < 60; round += 1) {
      await clock.advance(13_000);
      expect(await limiter.check(address)).toMatchObject({ allowed: true });
      expect(await storedEntries(keys)).toBeLessThanOrEqual(5 + 20);
    }
    expect(writes.filter((write) => write.startsWith('DELETE')).length).toBeLessThanOrEqual(3);
  });
});

describe('several containers', () => {
  it('let exactly 60 of 200 concurrent first requests through', async () => {
    const containers = Array.from({ length: 8 }, () => container());
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) => containers[index % 8]?.limiter.check(address)),
    );
    expect(results.filter((result) => result?.allowed)).toHaveLength(LIMIT);
    expect(results.filter((result) => result === undefined)).toHaveLength(0);
    const remaining = results.flatMap((result) => (result?.allowed ? [result.remaining] : []));
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: LIMIT }, (_, index) => 59 - index));
    expect(containers.flatMap(({ failures }) => failures)).toEqual([]);
    const [first] = containers;
    expect(await storedEntries(first?.keys ?? container().keys)).toBe(LIMIT);
  });

  it('agree whatever their clocks say, within a second', async () => {
    await clock.advance(59_400); // the turn of a minute is near
    const skews = [-500, 500, 0, -250, 250];
    const containers = skews.map((skew) => container({ skew }));
    let passed = 0;
    for (let step = 0; step < 20; step += 1) {
      for (const { limiter } of containers) passed += await allowed(limiter, 2);
      await clock.advance(2_900);
    }
    expect(passed).toBe(LIMIT);
    await clock.advance(WINDOW_MS + 1_000);
    expect(await allowed(containers[0]?.limiter ?? container().limiter, LIMIT)).toBe(LIMIT);
  });

  it('key a client alike, and never by its address', async () => {
    const containers = Array.from({ length: 5 }, () => container());
    const keys = await Promise.all(containers.map((one) => one.keys.keyOf(address)));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{22}$/);
    expect(containers[0]?.keys.knownKeyOf(address)).toBe(keys[0]);
    expect(container().keys.knownKeyOf(address)).toBeUndefined();
    await containers[0]?.limiter.check(address);
    const { Items } = await database.client.send(new ScanCommand({ TableName: database.table }));
    expect(JSON.stringify(Items)).not.toContain('192.0.2.');
    expect(Items?.find((item) => item.pk?.S === keys[0])?.expiresAt?.N).toBe(
      String(Math.ceil(clock.now() / 1_000) + 120),
    );
  });
});
