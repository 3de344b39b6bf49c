import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RATE_LIMIT_KEYS } from '../../../../lambda/io/platform/environment.ts';
import {
  type Decision,
  RateLimiter,
  resetSeconds,
} from '../../../../lambda/io/rate-limit/rate-limiter.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { stubClient } from '../../../support/stub-client.ts';
import { startDynamoDb } from '../../../support/test-table.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

// A limiter allows an address so many requests in any 60 s. It keeps the times of the requests in
// DynamoDB, here in DynamoDB Local. Containers share the table and nothing else.

const ADDRESS = '198.51.100.10';
const LIMIT = 60;
const TIMEOUT_MS = 2_000;

let table: string;
let clock: ManualClock;

const db = await startDynamoDb();
beforeEach(async () => {
  clock = new ManualClock();
  table = await db.table(RATE_LIMIT_KEYS);
});

/** A container: a process with a memory of its own. */
function container(limit = LIMIT, client: Pick<DynamoDBClient, 'send'> = db.client) {
  const logger = { info: jest.fn(), warn: jest.fn() };
  const metrics = { add: jest.fn(), flush: jest.fn() };
  const limiter = new RateLimiter({
    client,
    table,
    limit,
    clock,
    logger,
    metrics,
    timeoutMs: TIMEOUT_MS,
  });
  return { limiter, logger, metrics };
}

const items = async () => (await db.client.send(new ScanCommand({ TableName: table }))).Items ?? [];

/** What the table itself responds. */
const pass = (command: unknown) => db.client.send(command as GetItemCommand);

const named = (name: string, fields: object = {}) =>
  Object.assign(new Error(name), { name, ...fields });

/** Stores a full list directly. */
async function store(times: readonly number[]): Promise<void> {
  const { limiter } = container(times.length);
  await limiter.check(ADDRESS);
  const [item = {}] = await items();
  const list = { L: times.map((time) => ({ N: String(time) })) };
  await db.client.send(new PutItemCommand({ TableName: table, Item: { ...item, times: list } }));
}

describe('a client', () => {
  it('is allowed as many requests as the limit, and then waits for the oldest to be 60 s old [sentence 33]', async () => {
    const { limiter } = container(3);
    const start = clock.now();
    for (const remaining of [2, 1, 0, -1]) {
      const expected = {
        allowed: remaining >= 0,
        remaining: Math.max(0, remaining),
        resetAt: start + 60_000,
      };
      expect(await limiter.check(ADDRESS)).toEqual(expected);
      await clock.advance(1_000);
    }
    // Four seconds have passed since the first request. A millisecond before it is 60 s old:
    await clock.advance(60_000 - 4_000 - 1);
    expect(await container(3).limiter.check(ADDRESS)).toMatchObject({ allowed: false });
    await clock.advance(1);
    expect(await limiter.check(ADDRESS)).toEqual({
      allowed: true,
      remaining: 0,
      resetAt: start + 61_000,
    });
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: false, resetAt: start + 61_000 });
  });

  it('is stored under a pseudonym that differs between tables, with a list that expires', async () => {
    const stored = () => ({
      pk: { S: expect.stringMatching(/^[0-9a-f]{32}$/) },
      times: { L: [{ N: String(clock.now()) }] },
      expiresAt: { N: String(clock.now() / 1_000 + 120) },
    });
    const { limiter } = container(1);
    await limiter.check(ADDRESS);
    const [item] = await items();
    expect(item).toEqual(stored());
    await clock.advance(60_000);
    await limiter.check(ADDRESS);
    expect(await items()).toEqual([{ ...stored(), version: { N: '1' } }]);
    table = await db.table(RATE_LIMIT_KEYS);
    await container().limiter.check(ADDRESS);
    expect((await items())[0]?.pk).not.toEqual(item?.pk);
  });

  it.each([
    ['refused', -30_000, { allowed: false, remaining: 0, resetAt: 30_000 }],
    ['allowed', -60_000, { allowed: true, remaining: 0, resetAt: 40_000 }],
  ])(
    'is %s by the whole list in any order, with entries of clocks that are ahead',
    async (_, oldest, expected) => {
      const now = clock.now();
      await store([-10_000, 2_000, oldest, -20_000].map((age) => now + age));
      expect(await container(4).limiter.check(ADDRESS)).toEqual({
        ...expected,
        resetAt: now + expected.resetAt,
      });
    },
  );

  it('is refused while its list is longer than a limit that was lowered', async () => {
    const now = clock.now();
    await store([now - 50_000, now - 40_000, now - 30_000, now - 20_000]);
    expect(await container(2).limiter.check(ADDRESS)).toMatchObject({ allowed: false });
    await clock.advance(30_000);
    expect(await container(2).limiter.check(ADDRESS)).toMatchObject({
      allowed: true,
      remaining: 0,
    });
  });
});

it('simultaneous requests to several containers never get more than the limit in any window of a steady stream', async () => {
  const limit = 12;
  const containers = [container(limit), container(limit), container(limit)];
  const times: number[] = [];
  // 450 steps of 400 ms are three windows of a minute, each with many more requests than the limit.
  for (let step = 0; step < 450; step += 1) {
    const bursts = step % 7 === 0 ? 3 : 1;
    const decisions = await Promise.all(
      Array.from({ length: bursts }, (_, n) => containers[(step + n) % 3]?.limiter.check(ADDRESS)),
    );
    for (const decision of decisions) if (decision?.allowed) times.push(clock.now());
    await clock.advance(400);
  }
  const busiest = times.map(
    (end) => times.filter((time) => time > end - 60_000 && time <= end).length,
  );
  expect(Math.max(...busiest)).toBe(limit);
  expect(times).toHaveLength(3 * limit);
});

describe('a container', () => {
  it('remembers a refusal until it ends, without a call to the table', async () => {
    const { client, send } = stubClient(pass);
    const { limiter } = container(1, client);
    await container(1).limiter.check(ADDRESS);
    expect(limiter.immediateRefusal(ADDRESS)).toBeUndefined();
    await clock.advance(20_000);
    const refusal = await limiter.check(ADDRESS);
    send.mockClear();
    expect(limiter.immediateRefusal(ADDRESS)).toEqual(refusal);
    expect(limiter.immediateRefusal('198.51.100.11')).toBeUndefined();
    await clock.advance(39_999);
    expect(limiter.immediateRefusal(ADDRESS)).toEqual(refusal);
    await clock.advance(1);
    expect(limiter.immediateRefusal(ADDRESS)).toBeUndefined();
    expect(send).not.toHaveBeenCalled();
    expect(container(1).limiter.immediateRefusal(ADDRESS)).toBeUndefined();
  });

  it('makes one write for an allowed request, and reads consistently for a refused one', async () => {
    const { client, send } = stubClient(pass);
    const { limiter, logger } = container(1, client);
    await container(1).limiter.check(ADDRESS);
    const [item] = await items();
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
  const unavailable = () => Promise.reject(named('InternalServerError'));
  const burst = (limiter: RateLimiter, requests: number) =>
    Promise.all(Array.from({ length: requests }, () => limiter.check(ADDRESS)));
  const refused = (decisions: readonly (Decision | undefined)[]) =>
    decisions.filter((decision) => decision?.allowed === false).length;

  it.each([
    ['decides', pass],
    ['fails', unavailable],
  ])(
    'refuses all but the limit of 8,000 simultaneous requests when the table %s',
    async (_, answer) => {
      const { client, send } = stubClient(answer);
      const { limiter } = container(LIMIT, client);
      const decisions = await burst(limiter, 8_000);
      expect(refused(decisions)).toBe(8_000 - LIMIT);
      expect(decisions.at(-1)).toEqual({
        allowed: false,
        remaining: 0,
        resetAt: clock.now() + 60_000,
      });
      expect(send).toHaveBeenCalledTimes(LIMIT);
      expect(refused([await limiter.check('198.51.100.11')])).toBe(0);
    },
  );

  it('serves every request of a client that keeps to the limit while the table fails', async () => {
    const { limiter } = container(LIMIT, stubClient(unavailable).client);
    for (let second = 0; second < 200; second += 1) {
      expect(await limiter.check(ADDRESS)).toBeUndefined();
      await clock.advance(1_000);
    }
    await clock.advance(60_000);
    expect(refused(await burst(limiter, LIMIT))).toBe(0);
    await clock.advance(59_999);
    expect(await limiter.check(ADDRESS)).toMatchObject({
      allowed: false,
      resetAt: clock.now() + 1,
    });
    await clock.advance(1);
    expect(refused(await burst(limiter, LIMIT))).toBe(0);
  });
});

describe('a table with problems', () => {
  /** DynamoDB's reason when one address alone makes too many calls. */
  const HOT_KEY = [{ reason: 'TableWriteKeyRangeThroughputExceeded' }];
  const [first, second, third] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'] as const;

  it.each([
    ['ProvisionedThroughputExceededException', { ThrottlingReasons: HOT_KEY }],
    ['ThrottlingException', { throttlingReasons: HOT_KEY }],
    ['ThrottlingException', {}],
  ])('refuses for a second when DynamoDB throttles the key: %s %j', async (name, reasons) => {
    const { client, send } = stubClient(() => Promise.reject(named(name, reasons)));
    const { limiter, metrics } = container(LIMIT, client);
    const refusal = { allowed: false, remaining: 0, resetAt: clock.now() + 60_000 };
    for (let request = 0; request < 4; request += 1)
      expect(await limiter.check(ADDRESS)).toEqual(refusal);
    expect(send).toHaveBeenCalledTimes(1);
    await clock.advance(1_000);
    expect(limiter.immediateRefusal(ADDRESS)).toBeUndefined();
    expect(metrics.add).not.toHaveBeenCalled();
  });

  it('refuses each of several keys that DynamoDB throttles', async () => {
    const { client } = stubClient(() =>
      Promise.reject(named('ThrottlingException', { throttlingReasons: HOT_KEY })),
    );
    const { limiter } = container(LIMIT, client);
    for (const address of [first, second, third, ADDRESS]) {
      expect(await limiter.check(address)).toMatchObject({ allowed: false });
    }
  });

  it('takes three throttled clients in a row for the whole table if DynamoDB gives no reason', async () => {
    let throttles = true;
    const { client } = stubClient((command) =>
      throttles ? Promise.reject(named('ThrottlingException')) : pass(command),
    );
    const { limiter } = container(LIMIT, client);
    const isAllowed = async (address: string) => (await limiter.check(address))?.allowed;
    expect(await isAllowed(first)).toBe(false);
    expect(await isAllowed(second)).toBe(false);
    throttles = false;
    expect(await isAllowed(ADDRESS)).toBe(true);
    throttles = true;
    await clock.advance(1_000);
    const allowed = [
      await isAllowed(first),
      await isAllowed(second),
      await isAllowed(third),
      await isAllowed(ADDRESS),
    ];
    expect(allowed).toEqual([false, false, undefined, undefined]);
  });

  it('refuses a request that loses every race for the list of its client', async () => {
    const { client, send } = stubClient(async (command) => {
      if (command instanceof GetItemCommand) return { Item: { times: { L: [{ N: '1' }] } } };
      throw named('ConditionalCheckFailedException');
    });
    expect(await container(1, client).limiter.check(ADDRESS)).toMatchObject({ allowed: false });
    expect(send).toHaveBeenCalledTimes(15);
  });

  it.each([
    ['RequestLimitExceeded', [{ reason: 'TableWriteAccountLimitExceeded' }]],
    ['ThrottlingException', [...HOT_KEY, { reason: 'TableWriteMaxOnDemandThroughputExceeded' }]],
    ['TimeoutError', []],
  ])('serves the request when it fails: %s, %j', async (name, ThrottlingReasons) => {
    const { client } = stubClient(() => Promise.reject(named(name, { ThrottlingReasons })));
    const { limiter, metrics, logger } = container(LIMIT, client);
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    expect(metrics.add.mock.calls).toEqual([['RateLimitUnavailable', 1]]);
    expect(metrics.flush).toHaveBeenCalledTimes(1);
    expect(logger.warn.mock.calls).toEqual([
      [expect.any(String), { error: expect.objectContaining({ name }) }],
    ]);
  });

  it.each(['ECONNRESET', 'EPIPE'])(
    'gets a second call when the connection was closed: %s',
    async (code) => {
      const { client, send } = stubClient((command) =>
        send.mock.calls.length === 1 ? Promise.reject(named('Error', { code })) : pass(command),
      );
      expect(await container(LIMIT, client).limiter.check(ADDRESS)).toMatchObject({
        allowed: true,
      });
      expect(send).toHaveBeenCalledTimes(2);
    },
  );

  /** A limiter over a table that hangs while `afterTimeout` waits for it. */
  function hangingTable() {
    let hangs = false;
    const { client, send } = stubClient((command, signal) => {
      if (!hangs) return pass(command);
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    const rig = container(LIMIT, client);
    const afterTimeout = async (address: string) => {
      hangs = true;
      const checked = rig.limiter.check(address);
      await clock.advance(TIMEOUT_MS);
      hangs = false;
      return await checked;
    };
    return { ...rig, send, afterTimeout };
  }

  it('is not asked for 5 s after three clients in a row have waited 2 s for it', async () => {
    const { limiter, metrics, logger, send, afterTimeout } = hangingTable();
    // The same client twice: one client never pauses the limit.
    for (const address of [first, first, second, third])
      expect(await afterTimeout(address)).toBeUndefined();
    expect(send.mock.calls.map(([, options]) => options?.abortSignal?.aborted)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    await clock.advance(4_999);
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    expect(send).toHaveBeenCalledTimes(4);
    expect(metrics.add).toHaveBeenCalledTimes(6);
    // 11 s: one line per 10 s.
    expect(logger.warn).toHaveBeenCalledTimes(2);
    await clock.advance(1);
    // The next failure begins the pause again, and a decision ends the row.
    expect(await afterTimeout('203.0.113.4')).toBeUndefined();
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    await clock.advance(5_000);
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: true });
    expect(await afterTimeout(ADDRESS)).toBeUndefined();
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: true });
  });
});

it.each([
  [29_001, 30],
  [29_000, 29],
  [0, 1],
  [75_000, 60],
])('resetSeconds is from 1 to 60: %i ms are %i s', (ms, seconds) => {
  expect(resetSeconds({ allowed: true, remaining: 0, resetAt: 1_000_000 + ms }, 1_000_000)).toBe(
    seconds,
  );
});
