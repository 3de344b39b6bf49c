import type { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RATE_LIMIT_KEYS } from '../../../../lambda/io/platform/table-keys.ts';
import { Upstream } from '../../../../lambda/io/upstream/client.ts';
import { UpstreamBudget } from '../../../../lambda/io/upstream/upstream-budget.ts';
import { UPSTREAMS } from '../../../../lambda/io/upstream/upstreams.ts';
import { outcome } from '../../../support/outcome.ts';
import { never, stubClient } from '../../../support/stub-client.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { startDynamoDb } from '../../../support/test-table.ts';
import { WatchedClock } from '../../../support/upstream-rig.ts';

const ROUTE = 'v2-prices-history';
const LIMIT = UPSTREAMS.data.routes[ROUTE].callsPer10Seconds;

let table: string;
let clock: WatchedClock;

const db = await startDynamoDb();
const stub = await startStubUpstream();
afterAll(() => Promise.all([db.stop(), stub.close()]));
beforeEach(async () => {
  clock = new WatchedClock();
  table = await db.table(RATE_LIMIT_KEYS);
});

/** A container: a process with a memory of its own. */
function container(client: Pick<DynamoDBClient, 'send'> = db.client) {
  const logger = { warn: jest.fn() };
  return { budget: new UpstreamBudget({ client, table, clock, logger }), logger };
}

const overTable = () => stubClient((command) => db.client.send(command as GetItemCommand));

/** Takes the entries of calls that begin together. @returns how many were allowed */
async function take(budget: UpstreamBudget, calls: number): Promise<number> {
  const results = await Promise.all(Array.from({ length: calls }, () => outcome(budget.take(ROUTE))));
  return results.filter((result) => result === undefined).length;
}

const refusedFor = (retryAfterMs: number) => ({ route: ROUTE, failure: 'rate_limited', retryAfterMs });

describe('the budget of a route', () => {
  it('takes the entries of calls that begin together with one write', async () => {
    const { client, send: calls } = overTable();
    const { budget } = container(client);
    expect(await take(budget, 20)).toBe(20);
    expect(calls).toHaveBeenCalledTimes(1);
    expect(await take(container().budget, LIMIT - 20)).toBe(LIMIT - 20);
    expect(await take(container().budget, 1)).toBe(0);
  });

  it('is shared by all containers, and grants as many calls as have room', async () => {
    const allowed = await Promise.all(Array.from({ length: 12 }, () => take(container().budget, 9)));
    expect(allowed.reduce((sum, one) => sum + one)).toBe(LIMIT);
  });

  it('counts an entry for the 10 s of upstream and the longest wait for the table, and says when there is room', async () => {
    await take(container().budget, 3);
    await clock.advance(2_000);
    await take(container().budget, LIMIT - 3);
    await clock.advance(1_000);
    const { budget } = container();
    expect(await outcome(budget.take(ROUTE))).toMatchObject(refusedFor(7_500));
    const five = await Promise.all(Array.from({ length: 5 }, () => outcome(container().budget.take(ROUTE))));
    expect(five).toEqual(Array(5).fill(expect.objectContaining(refusedFor(7_500))));
    await clock.advance(7_499);
    expect(await take(budget, 1)).toBe(0);
    await clock.advance(1);
    expect(await take(budget, 3)).toBe(3);
  });

  it('names the time at which all calls of a group have room', async () => {
    await take(container().budget, 3);
    await clock.advance(2_000);
    await take(container().budget, LIMIT - 3);
    const { budget } = container();
    const [first] = await Promise.all(Array.from({ length: 5 }, () => outcome(budget.take(ROUTE))));
    expect(first).toMatchObject(refusedFor(10_500));
    await clock.advance(10_500);
    expect(await take(budget, 5)).toBe(5);
  });

  it('remembers that it is full, without a call to the table', async () => {
    const { client, send: calls } = overTable();
    const { budget } = container(client);
    await take(budget, LIMIT + 1);
    calls.mockClear();
    await clock.advance(10_499);
    expect(() => budget.checkRemembered(ROUTE)).toThrow(expect.objectContaining(refusedFor(1)));
    expect(await take(budget, 20)).toBe(0);
    expect(calls).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(() => budget.checkRemembered(ROUTE)).not.toThrow();
  });

  it('is its own: other routes have room, and those of CLOB take nothing', async () => {
    const { client, send: calls } = overTable();
    const { budget } = container(client);
    await take(budget, LIMIT + 1);
    await budget.take('v2-resolutions');
    await budget.take('markets-keyset');
    calls.mockClear();
    await budget.take('prices-history');
    expect(calls).not.toHaveBeenCalled();
  });
});

describe('a table with problems', () => {
  const named = (name: string, fields: object = {}) => Object.assign(new Error(name), { name, ...fields });

  it('that hangs delays calls for 500 ms, and then for 5 s not at all', async () => {
    const { client, send: calls } = stubClient(never);
    const { budget, logger } = container(client);
    const taken = jest.fn();
    const taking = budget.take(ROUTE).then(taken);
    await clock.advance(499);
    expect(taken).not.toHaveBeenCalled();
    await clock.advance(1);
    await taking;
    expect(taken).toHaveBeenCalledWith(undefined);
    await clock.advance(4_999);
    expect(await take(budget, 8)).toBe(8);
    expect([calls.mock.calls.length, logger.warn.mock.calls.length]).toEqual([1, 1]);
    await clock.advance(1);
    const again = take(budget, 8);
    await clock.advance(500);
    expect([await again, calls.mock.calls.length]).toEqual([8, 2]);
  });

  it('that throttles the key refuses them for a second', async () => {
    const reasons = { ThrottlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }] };
    const { client } = stubClient(() => Promise.reject(named('ProvisionedThroughputExceededException', reasons)));
    expect(await outcome(container(client).budget.take(ROUTE))).toMatchObject(refusedFor(1_000));
  });
});

describe('a client of upstream with a budget', () => {
  it('is refused without using up the limit of its queue', async () => {
    await take(container().budget, LIMIT);
    const { budget } = container();
    const data = new Upstream('data', { baseUrl: stub.url, clock, random: () => 0, budget });
    const request = () =>
      outcome(data.request({ route: ROUTE, path: '/x', parse: String, deadline: clock.now() + 1_000 }));
    stub.reply(send('{}'));
    await clock.advance(9_000);
    for (let n = 0; n < LIMIT; n += 1) expect(await request()).toMatchObject({ failure: 'rate_limited' });
    await clock.advance(1_500);
    expect(await request()).toBe('[object Object]');
  });

  it('takes an entry for each attempt, and makes no call without one', async () => {
    const { client, send: calls } = overTable();
    const { budget } = container(client);
    const data = new Upstream('data', { baseUrl: stub.url, clock, random: () => 0, budget });
    const request = (retries = 0) =>
      data.request({ route: ROUTE, path: '/x', parse: String, deadline: clock.now() + 60_000, retries });
    stub.reply(send('', 500), send('{}'));
    const retried = request(1);
    await clock.passTimer(125);
    await retried;
    expect(calls).toHaveBeenCalledTimes(2);
    await take(budget, LIMIT);
    expect(await outcome(request())).toMatchObject({ failure: 'rate_limited' });
    expect(stub.requests).toHaveLength(2);
  });
});
