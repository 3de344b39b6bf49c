import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, jest } from '@jest/globals';
import {
  type Decision,
  type RateLimiter,
  resetSeconds,
} from '../../../../lambda/io/rate-limit/rate-limiter.ts';
import { stubClient } from '../../../support/stub-client.ts';
import { ADDRESS, awsError, limiterRig } from './limiter-rig.ts';

// A rate limiter allows each client (an address) a number of requests in any 60 s, in all containers
// together. They share a table, which has the times of a client's allowed requests. If the table
// fails, `check` returns undefined, and the request is served. A container then limits only the
// requests that it gets itself.

// Seconds on an idle machine.
jest.setTimeout(120_000);

/** The limit of a container unless a test says otherwise. */
const LIMIT = 60;
const rig = await limiterRig();

/** Stores these times of requests, as if other containers had counted them. */
async function storeTimes(times: readonly number[]): Promise<void> {
  // A request writes the client's item, whose times are then replaced.
  await rig.container().limiter.check(ADDRESS);
  const [item = {}] = await rig.items();
  const list = { L: times.map((time) => ({ N: String(time) })) };
  const Item = { ...item, times: list };
  await rig.client.send(new PutItemCommand({ TableName: rig.table, Item }));
}

describe('a client', () => {
  it('is allowed as many requests as the limit [sentence 33]', async () => {
    const { limiter } = rig.container({ limit: 2 });
    const resetAt = rig.clock.now() + 60_000;
    const decisions = [];
    for (let request = 0; request < 3; request += 1) decisions.push(await limiter.check(ADDRESS));
    expect(decisions).toEqual([
      { allowed: true, remaining: 1, resetAt },
      { allowed: true, remaining: 0, resetAt },
      { allowed: false, remaining: 0, resetAt },
    ]);
  });

  it('is allowed one more request when the oldest is 60 s old [sentence 33]', async () => {
    const limit = 2;
    const { limiter } = rig.container({ limit });
    const start = rig.clock.now();
    await limiter.check(ADDRESS);
    await rig.clock.advance(1_000);
    await limiter.check(ADDRESS);
    await rig.clock.advance(58_999);
    // A container that has not seen the two requests reads them from the table.
    const refused = await rig.container({ limit }).limiter.check(ADDRESS);
    expect(refused).toMatchObject({ allowed: false, resetAt: start + 60_000 });
    await rig.clock.advance(1);
    const resetAt = start + 61_000;
    expect(await limiter.check(ADDRESS)).toEqual({ allowed: true, remaining: 0, resetAt });
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: false, resetAt });
  });

  it('is stored under a pseudonym that differs between tables, with an expiry', async () => {
    const stored = () => ({
      pk: { S: expect.stringMatching(/^[0-9a-f]{32}$/) },
      times: { L: [{ N: String(rig.clock.now()) }] },
      expiresAt: { N: String(rig.clock.now() / 1_000 + 120) },
    });
    const { limiter } = rig.container({ limit: 1 });
    await limiter.check(ADDRESS);
    const [item] = await rig.items();
    expect(item).toEqual(stored());
    await rig.clock.advance(60_000);
    await limiter.check(ADDRESS);
    expect(await rig.items()).toEqual([{ ...stored(), version: { N: '1' } }]);
    await rig.newTable();
    await rig.container().limiter.check(ADDRESS);
    expect((await rig.items())[0]?.pk).not.toEqual(item?.pk);
  });

  // Containers count requests in any order, and their clocks differ. So the oldest of the four
  // stored times is not the first, and one is 2 s ahead.
  it.each([
    { oldestMs: 30_000, allowed: false, resetInMs: 30_000 },
    { oldestMs: 60_000, allowed: true, resetInMs: 40_000 },
  ])(
    'with four requests, the oldest $oldestMs ms ago, gets this for a limit of 4: $allowed',
    async ({ oldestMs, allowed, resetInMs }) => {
      const now = rig.clock.now();
      await storeTimes([now - 10_000, now + 2_000, now - oldestMs, now - 20_000]);
      const decision = await rig.container({ limit: 4 }).limiter.check(ADDRESS);
      expect(decision).toEqual({ allowed, remaining: 0, resetAt: now + resetInMs });
    },
  );

  it('is refused while it has more requests than a limit that was lowered', async () => {
    const now = rig.clock.now();
    await storeTimes([now - 50_000, now - 40_000, now - 30_000, now - 20_000]);
    expect(await rig.container({ limit: 2 }).limiter.check(ADDRESS)).toMatchObject({
      allowed: false,
    });
    await rig.clock.advance(30_000);
    expect(await rig.container({ limit: 2 }).limiter.check(ADDRESS)).toMatchObject({
      allowed: true,
      remaining: 0,
    });
  });
});

it('several containers together never allow more than the limit in any 60 s', async () => {
  const limit = 12;
  const containers = [rig.container({ limit }), rig.container({ limit }), rig.container({ limit })];
  const times: number[] = [];
  // 450 steps of 400 ms are three windows of a minute, each with many more requests than the limit.
  for (let step = 0; step < 450; step += 1) {
    // Now and then all three containers get a request at the same time.
    const requests = step % 7 === 0 ? 3 : 1;
    const decisions = await Promise.all(
      Array.from({ length: requests }, (_, n) =>
        containers[(step + n) % 3]?.limiter.check(ADDRESS),
      ),
    );
    for (const decision of decisions) if (decision?.allowed) times.push(rig.clock.now());
    await rig.clock.advance(400);
  }
  // The allowed requests in the 60 s before each of them.
  const inWindow = times.map(
    (end) => times.filter((time) => time > end - 60_000 && time <= end).length,
  );
  expect(Math.max(...inWindow)).toBe(limit);
  expect(times).toHaveLength(3 * limit);
});

describe('a container', () => {
  it('remembers a refusal until it ends, without a call to the table', async () => {
    const { client, send } = stubClient(rig.pass);
    const { limiter } = rig.container({ limit: 1, client });
    await rig.container({ limit: 1 }).limiter.check(ADDRESS);
    expect(limiter.immediateRefusal(ADDRESS)).toBeUndefined();
    await rig.clock.advance(20_000);
    const refusal = await limiter.check(ADDRESS);
    send.mockClear();
    expect(limiter.immediateRefusal(ADDRESS)).toEqual(refusal);
    expect(limiter.immediateRefusal('198.51.100.11')).toBeUndefined();
    await rig.clock.advance(39_999);
    expect(limiter.immediateRefusal(ADDRESS)).toEqual(refusal);
    await rig.clock.advance(1);
    expect(limiter.immediateRefusal(ADDRESS)).toBeUndefined();
    expect(send).not.toHaveBeenCalled();
    expect(rig.container({ limit: 1 }).limiter.immediateRefusal(ADDRESS)).toBeUndefined();
  });

  it('makes one write for an allowed request, and one consistent read for a refused one', async () => {
    const { client, send } = stubClient(rig.pass);
    const { limiter, logger } = rig.container({ limit: 1, client });
    await rig.container({ limit: 1 }).limiter.check(ADDRESS);
    const [item] = await rig.items();
    await limiter.check('198.51.100.11');
    expect(send).toHaveBeenCalledTimes(1);
    await limiter.check(ADDRESS);
    const reads = send.mock.calls.filter(([command]) => command instanceof GetItemCommand);
    expect(reads).toMatchObject([[{ input: { ConsistentRead: true } }, expect.anything()]]);
    // A refusal is logged without the address, by 24 bits of its pseudonym.
    expect(logger.info.mock.calls).toEqual([
      [expect.any(String), { caller: item?.pk?.S?.slice(0, 6) }],
    ]);
  });
});

describe('a process', () => {
  const unavailable = () => Promise.reject(awsError('InternalServerError'));
  const burst = (limiter: RateLimiter, requests: number) =>
    Promise.all(Array.from({ length: requests }, () => limiter.check(ADDRESS)));
  const refused = (decisions: readonly (Decision | undefined)[]) =>
    decisions.filter((decision) => decision?.allowed === false).length;

  it.each([
    { table: 'responds', respond: rig.pass },
    { table: 'fails', respond: unavailable },
  ])(
    'refuses all but the limit of 8,000 simultaneous requests when the table $table',
    async ({ respond }) => {
      const { client, send } = stubClient(respond);
      const { limiter } = rig.container({ client });
      const decisions = await burst(limiter, 8_000);
      expect(refused(decisions)).toBe(8_000 - LIMIT);
      expect(decisions.at(-1)).toEqual({
        allowed: false,
        remaining: 0,
        resetAt: rig.clock.now() + 60_000,
      });
      expect(send).toHaveBeenCalledTimes(LIMIT);
      expect(refused([await limiter.check('198.51.100.11')])).toBe(0);
    },
  );

  it('serves every request of a client that keeps to the limit while the table fails', async () => {
    const { limiter } = rig.container({ client: stubClient(unavailable).client });
    for (let second = 0; second < 200; second += 1) {
      expect(await limiter.check(ADDRESS)).toBeUndefined();
      await rig.clock.advance(1_000);
    }
    await rig.clock.advance(60_000);
    expect(refused(await burst(limiter, LIMIT))).toBe(0);
    await rig.clock.advance(59_999);
    expect(await limiter.check(ADDRESS)).toMatchObject({
      allowed: false,
      resetAt: rig.clock.now() + 1,
    });
    await rig.clock.advance(1);
    expect(refused(await burst(limiter, LIMIT))).toBe(0);
  });
});

it.each([
  { ms: 29_001, seconds: 30 },
  { ms: 29_000, seconds: 29 },
  { ms: 0, seconds: 1 },
  { ms: 75_000, seconds: 60 },
])('a caller is told to wait whole seconds, from 1 to 60: for $ms ms, $seconds', (row) => {
  const now = 1_000_000;
  const decision = { allowed: true, remaining: 0, resetAt: now + row.ms };
  expect(resetSeconds(decision, now)).toBe(row.seconds);
});
