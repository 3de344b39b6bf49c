import { randomBytes } from 'node:crypto';
import { type DynamoDBClient, ScanCommand, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CallerNames } from '../../../../lambda/rate-limit/client-key.ts';
import { ENTRIES, itemKey } from '../../../../lambda/rate-limit/dynamodb-items.ts';
import { TableLimit } from '../../../../lambda/rate-limit/rate-limiter.ts';
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
  const refusals: { caller: string; known: boolean }[] = [];
  const names = new CallerNames(store);
  const limit = new TableLimit({
    limit: options.limit ?? LIMIT,
    names,
    log: new RequestLog(store),
    clock: { now: () => clock.now() + skew, after: (ms, callback) => clock.after(ms, callback) },
    onUnavailable: (error) => failures.push(error),
    onRefused: (caller, known) => refusals.push({ caller, known }),
  });
  return { limit, names, failures, refusals };
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

async function allowed(limit: TableLimit, times: number): Promise<number> {
  let passed = 0;
  for (let time = 0; time < times; time += 1) {
    if (limit.knownRefusal(address) === undefined && (await limit.count(address))?.allowed) passed += 1;
  }
  return passed;
}

async function storedEntries(names: CallerNames): Promise<number> {
  const { Items } = await database.client.send(new ScanCommand({ TableName: database.table }));
  const key = itemKey(await names.nameOf(address)).pk?.S;
  return Items?.find((item) => item.pk?.S === key)?.[ENTRIES]?.BS?.length ?? 0;
}

describe('one container', () => {
  it('counts down and refuses the 61st request', async () => {
    const { limit, failures } = container();
    expect(await limit.count(address)).toEqual({
      allowed: true,
      remaining: 59,
      resetAt: clock.now() + WINDOW_MS,
    });
    expect(await allowed(limit, LIMIT - 2)).toBe(LIMIT - 2);
    expect(await limit.count(address)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limit.count(address)).toMatchObject({ allowed: false, remaining: 0 });
    expect(failures).toEqual([]);
  });

  it('makes one write for a request that it serves', async () => {
    const { limit, names } = container();
    await names.nameOf(address);
    writes = [];
    expect(await allowed(limit, LIMIT)).toBe(LIMIT);
    expect(writes).toEqual(Array.from({ length: LIMIT }, () => 'ADD #entries :entry SET #ttl = :ttl'));
  });

  it('takes a refused request back, and refuses the next ones without a write', async () => {
    const { limit, names, refusals } = container();
    await allowed(limit, LIMIT + 1);
    expect(await storedEntries(names)).toBe(LIMIT);
    writes = [];
    expect(limit.knownRefusal(address)).toMatchObject({ allowed: false, remaining: 0 });
    expect(await allowed(limit, 1_000)).toBe(0);
    expect(writes).toEqual([]);
    expect(refusals.slice(0, 3).map(({ known }) => known)).toEqual([false, true, true]);
    expect(limit.knownRefusal('198.51.100.1')).toBeUndefined();
  });

  it('asks the table again after a few seconds, and when the oldest request leaves the window', async () => {
    const { limit } = container({ limit: 2 });
    await limit.count(address);
    await clock.advance(57_000);
    await limit.count(address);
    await limit.count(address);
    await clock.advance(2_999);
    expect(limit.knownRefusal(address)).toBeDefined();
    await clock.advance(1);
    expect(limit.knownRefusal(address)).toBeUndefined();
    expect(await limit.count(address)).toMatchObject({ allowed: true });
    expect(await limit.count(address)).toMatchObject({ allowed: false });
    await clock.advance(5_000);
    expect(limit.knownRefusal(address)).toBeUndefined();
    expect(await limit.count(address)).toMatchObject({ allowed: false });
  });

  it('is not kept over its limit by one who goes on asking', async () => {
    const { limit } = container();
    await allowed(limit, LIMIT);
    for (let second = 0; second < 59; second += 1) {
      await clock.advance(1_000);
      expect(await allowed(limit, 5)).toBe(0);
    }
    await clock.advance(1_000);
    expect(await allowed(limit, LIMIT + 10)).toBe(LIMIT);
  });

  it('keeps the log of a caller who never stops small', async () => {
    const { limit, names } = container({ limit: 5 });
    for (let round = 0; round < 60; round += 1) {
      await clock.advance(13_000);
      expect(await limit.count(address)).toMatchObject({ allowed: true });
      expect(await storedEntries(names)).toBeLessThanOrEqual(5 + 20);
    }
    expect(writes.filter((write) => write.startsWith('DELETE')).length).toBeLessThanOrEqual(3);
  });
});

describe('several containers', () => {
  it('let exactly 60 of 200 concurrent first requests through', async () => {
    const containers = Array.from({ length: 8 }, () => container());
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, (_, index) => containers[index % 8]?.limit.count(address)),
    );
    expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(LIMIT);
    expect(verdicts.filter((verdict) => verdict === undefined)).toHaveLength(0);
    const remaining = verdicts.flatMap((verdict) => (verdict?.allowed ? [verdict.remaining] : []));
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: LIMIT }, (_, index) => 59 - index));
    expect(containers.flatMap(({ failures }) => failures)).toEqual([]);
    const [first] = containers;
    expect(await storedEntries(first?.names ?? container().names)).toBe(LIMIT);
  });

  it('agree whatever their clocks say, within a second', async () => {
    await clock.advance(59_400); // the turn of a minute is near
    const skews = [-500, 500, 0, -250, 250];
    const containers = skews.map((skew) => container({ skew }));
    let passed = 0;
    for (let step = 0; step < 20; step += 1) {
      for (const { limit } of containers) passed += await allowed(limit, 2);
      await clock.advance(2_900);
    }
    expect(passed).toBe(LIMIT);
    await clock.advance(WINDOW_MS + 1_000);
    expect(await allowed(containers[0]?.limit ?? container().limit, LIMIT)).toBe(LIMIT);
  });

  it('name a caller alike, and never by its address', async () => {
    const containers = Array.from({ length: 5 }, () => container());
    const names = await Promise.all(containers.map((it) => it.names.nameOf(address)));
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^[\w-]{22}$/);
    expect(containers[0]?.names.knownNameOf(address)).toBe(names[0]);
    expect(container().names.knownNameOf(address)).toBeUndefined();
    await containers[0]?.limit.count(address);
    const { Items } = await database.client.send(new ScanCommand({ TableName: database.table }));
    expect(JSON.stringify(Items)).not.toContain('192.0.2.');
    expect(Items?.find((item) => item.pk?.S === names[0])?.expiresAt?.N).toBe(
      String(Math.ceil(clock.now() / 1_000) + 120),
    );
  });
});
