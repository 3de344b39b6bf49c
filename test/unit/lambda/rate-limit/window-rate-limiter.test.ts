import { randomBytes } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientCounter } from '../../../../lambda/rate-limit/client-counter.ts';
import { ClientKeys } from '../../../../lambda/rate-limit/client-key.ts';
import { ENTRIES, itemKey } from '../../../../lambda/rate-limit/dynamodb-items.ts';
import { DynamoDbRequestLog } from '../../../../lambda/rate-limit/dynamodb-request-log.ts';
import { NetworkLimit } from '../../../../lambda/rate-limit/network-limit.ts';
import type { ClientAddress } from '../../../../lambda/rate-limit/rate-limiter.ts';
import { WINDOW_MS } from '../../../../lambda/rate-limit/sliding-window.ts';
import { WindowRateLimiter } from '../../../../lambda/rate-limit/window-rate-limiter.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { startRateLimitTable } from '../../../support/rate-limit-table.ts';
import type { TestTable } from '../../../support/test-table.ts';

const LIMIT = 60;
let database: TestTable;
let clock: ManualClock;
let client: ClientAddress;
let addresses = 0;

beforeAll(async () => {
  database = await startRateLimitTable();
});
afterAll(() => database.close());
beforeEach(() => {
  clock = new ManualClock();
  addresses += 1;
  client = { address: `192.0.2.${addresses}` };
});

/** A container: nothing is shared but the table. Of a network every request is sampled. */
function container(limit = LIMIT) {
  const failures: unknown[] = [];
  const refusals: { key: string; cached: boolean }[] = [];
  const keys = new ClientKeys({ ...database, randomBytes });
  const counter = { limit, log: new DynamoDbRequestLog(database), now: clock.now, randomBytes };
  const limiter = new WindowRateLimiter({
    keys,
    addresses: new ClientCounter(counter),
    networks: new NetworkLimit({ samples: new ClientCounter(counter), random: () => 0 }),
    clock,
    onUnavailable: (error) => failures.push(error),
    onRefused: (key, cached) => refusals.push({ key, cached }),
  });
  return { limiter, keys, failures, refusals };
}

async function storedEntries(keys: ClientKeys): Promise<number> {
  const { Items } = await database.sdk.send(new ScanCommand({ TableName: database.table }));
  const key = itemKey(await keys.keyOf(client.address)).pk?.S;
  return Items?.find((item) => item.pk?.S === key)?.[ENTRIES]?.L?.length ?? 0;
}

describe('several containers on one table', () => {
  it('let exactly 60 of 200 concurrent first requests through', async () => {
    const containers = Array.from({ length: 8 }, () => container());
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) => containers[index % 8]?.limiter.check(client)),
    );
    const remaining = results.flatMap((result) => (result?.allowed ? [result.remaining] : []));
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: LIMIT }, (_, index) => 59 - index));
    expect(results.filter((result) => result === undefined)).toHaveLength(0);
    expect(containers.flatMap(({ failures }) => failures)).toEqual([]);
    expect(await storedEntries(containers[0]?.keys ?? container().keys)).toBe(80);
  });

  it('key a client alike, and never by its address', async () => {
    const containers = Array.from({ length: 5 }, () => container());
    const keys = await Promise.all(containers.map((one) => one.keys.keyOf(client.address)));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{22}$/);
    expect(containers[0]?.keys.knownKeyOf(client.address)).toBe(keys[0]);
    expect(container().keys.knownKeyOf(client.address)).toBeUndefined();
    await containers[0]?.limiter.check(client);
    const { Items } = await database.sdk.send(new ScanCommand({ TableName: database.table }));
    expect(JSON.stringify(Items)).not.toContain('192.0.2.');
    expect(Items?.find((item) => item.pk?.S === keys[0])?.expiresAt?.N).toBe(
      String(Math.ceil(clock.now() / 1_000) + 120),
    );
  });
});

describe('a refusal', () => {
  it('is told of, remembered for some seconds, and then checked again', async () => {
    const { limiter, refusals } = container(2);
    await limiter.check(client);
    await clock.advance(57_000);
    await limiter.check(client);
    expect(await limiter.check(client)).toMatchObject({ allowed: false });
    await clock.advance(2_999);
    expect(limiter.cachedRefusal(client)).toMatchObject({ allowed: false, remaining: 0 });
    expect(limiter.cachedRefusal({ address: '198.51.100.1' })).toBeUndefined();
    await clock.advance(1);
    expect(limiter.cachedRefusal(client)).toBeUndefined();
    expect(await limiter.check(client)).toMatchObject({ allowed: true });
    expect(refusals.map(({ cached }) => cached)).toEqual([false, true]);
  });

  it('of a network refuses every address in it, and no address outside', async () => {
    const { limiter, refusals } = container(3);
    const inside = (n: number) => ({
      address: `2001:db8:1:${n}::/64`,
      network: `2001:db8:1::/48 ${addresses}`,
    });
    for (let n = 0; n < 3; n += 1) expect(await limiter.check(inside(n))).toMatchObject({ allowed: true });
    expect(await limiter.check(inside(3))).toMatchObject({ allowed: false });
    expect(limiter.cachedRefusal(inside(4))).toMatchObject({ allowed: false });
    expect(refusals.map(({ cached }) => cached)).toEqual([false, true]);
    const outside = { address: '2001:db8:2:1::/64', network: `2001:db8:2::/48 ${addresses}` };
    expect(limiter.cachedRefusal(outside)).toBeUndefined();
    expect(await limiter.check(outside)).toMatchObject({ allowed: true, remaining: 2 });
    await clock.advance(WINDOW_MS);
    expect(await limiter.check(inside(4))).toMatchObject({ allowed: true });
  });
});
