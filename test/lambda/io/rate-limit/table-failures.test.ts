import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, jest } from '@jest/globals';
import { stubClient } from '../../../support/stub-client.ts';
import { ADDRESS, awsError, limiterRig, TIMEOUT_MS } from './limiter-rig.ts';

// A rate limiter keeps the times of the requests of each client (an address) in a table, in an item
// for each ("key"). If the table fails as a whole, `check` returns undefined, and the request is
// served. If DynamoDB throttles one key only, that client makes too many calls, and is refused.

// Seconds on an idle machine.
jest.setTimeout(120_000);

const rig = await limiterRig();

describe('a limiter whose table has problems', () => {
  /** DynamoDB's reason when one address alone makes too many calls. */
  const HOT_KEY = [{ reason: 'TableWriteKeyRangeThroughputExceeded' }];
  const [first, second, third] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'] as const;

  // The SDK spells the field of the reasons in two ways.
  it.each([
    { name: 'ProvisionedThroughputExceededException', fields: { ThrottlingReasons: HOT_KEY } },
    { name: 'ThrottlingException', fields: { throttlingReasons: HOT_KEY } },
    { name: 'ThrottlingException', fields: {} },
  ])(
    'refuses for a second, without another call, if DynamoDB throttles the key: $name $fields',
    async (row) => {
      const { client, send } = stubClient(() => Promise.reject(awsError(row.name, row.fields)));
      const { limiter, metrics } = rig.container({ client });
      const refusal = { allowed: false, remaining: 0, resetAt: rig.clock.now() + 60_000 };
      for (let request = 0; request < 4; request += 1)
        expect(await limiter.check(ADDRESS)).toEqual(refusal);
      expect(send).toHaveBeenCalledTimes(1);
      await rig.clock.advance(1_000);
      expect(limiter.immediateRefusal(ADDRESS)).toBeUndefined();
      expect(metrics.add).not.toHaveBeenCalled();
    },
  );

  it('refuses each of several keys that DynamoDB throttles', async () => {
    const { client } = stubClient(() =>
      Promise.reject(awsError('ThrottlingException', { throttlingReasons: HOT_KEY })),
    );
    const { limiter } = rig.container({ client });
    for (const address of [first, second, third, ADDRESS]) {
      expect(await limiter.check(address)).toMatchObject({ allowed: false });
    }
  });

  it('serves from the third throttled client in a row on if DynamoDB gives no reason', async () => {
    let throttles = true;
    const { client } = stubClient((command) =>
      throttles ? Promise.reject(awsError('ThrottlingException')) : rig.pass(command),
    );
    const { limiter } = rig.container({ client });
    const isAllowed = async (address: string) => (await limiter.check(address))?.allowed;
    expect(await isAllowed(first)).toBe(false);
    expect(await isAllowed(second)).toBe(false);
    throttles = false;
    // A client that is not throttled ends the row.
    expect(await isAllowed(ADDRESS)).toBe(true);
    throttles = true;
    await rig.clock.advance(1_000);
    const allowed = [
      await isAllowed(first),
      await isAllowed(second),
      await isAllowed(third),
      await isAllowed(ADDRESS),
    ];
    expect(allowed).toEqual([false, false, undefined, undefined]);
  });

  // A write fails if another container has changed the item since the read.
  it('refuses a request after 15 calls if other containers always change the item first', async () => {
    const { client, send } = stubClient(async (command) => {
      if (command instanceof GetItemCommand) return { Item: { times: { L: [{ N: '1' }] } } };
      throw awsError('ConditionalCheckFailedException');
    });
    expect(await rig.container({ limit: 1, client }).limiter.check(ADDRESS)).toMatchObject({
      allowed: false,
    });
    expect(send).toHaveBeenCalledTimes(15);
  });

  it.each([
    { name: 'RequestLimitExceeded', reasons: [{ reason: 'TableWriteAccountLimitExceeded' }] },
    {
      name: 'ThrottlingException',
      reasons: [...HOT_KEY, { reason: 'TableWriteMaxOnDemandThroughputExceeded' }],
    },
    { name: 'TimeoutError', reasons: [] },
  ])('serves the request when the table fails: $name, $reasons', async ({ name, reasons }) => {
    const failure = awsError(name, { ThrottlingReasons: reasons });
    const { client } = stubClient(() => Promise.reject(failure));
    const { limiter, metrics, logger } = rig.container({ client });
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    expect(metrics.add.mock.calls).toEqual([['RateLimitUnavailable', 1]]);
    expect(metrics.flush).toHaveBeenCalledTimes(1);
    expect(logger.warn.mock.calls).toEqual([
      [expect.any(String), { error: expect.objectContaining({ name }) }],
    ]);
  });

  it.each(['ECONNRESET', 'EPIPE'])(
    'calls a second time when the connection was closed: %s',
    async (code) => {
      const { client, send } = stubClient((command) =>
        send.mock.calls.length === 1
          ? Promise.reject(awsError('Error', { code }))
          : rig.pass(command),
      );
      expect(await rig.container({ client }).limiter.check(ADDRESS)).toMatchObject({
        allowed: true,
      });
      expect(send).toHaveBeenCalledTimes(2);
    },
  );

  /** A limiter over a table that hangs during each `afterTimeout`, and otherwise responds. */
  function hangingTable() {
    let hangs = false;
    const { client, send } = stubClient((command, signal) => {
      if (!hangs) return rig.pass(command);
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    const container = rig.container({ client });
    const afterTimeout = async (address: string) => {
      hangs = true;
      const checked = container.limiter.check(address);
      await rig.clock.advance(TIMEOUT_MS);
      hangs = false;
      return await checked;
    };
    return { ...container, send, afterTimeout };
  }

  it('gives up a call after 2 s and serves the request', async () => {
    const { send, afterTimeout } = hangingTable();
    expect(await afterTimeout(ADDRESS)).toBeUndefined();
    expect(send.mock.calls[0]?.[1]?.abortSignal?.aborted).toBe(true);
  });

  it('makes no call for 5 s after three clients in a row have waited in vain', async () => {
    const { limiter, metrics, logger, send, afterTimeout } = hangingTable();
    // One client alone never pauses the limit, so the first one counts once.
    for (const address of [first, first, second, third]) await afterTimeout(address);
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    await rig.clock.advance(4_999);
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    expect(send).toHaveBeenCalledTimes(4);
    expect(metrics.add).toHaveBeenCalledTimes(6);
    // The six requests took 13 s, and each container logs one line in 10 s.
    expect(logger.warn).toHaveBeenCalledTimes(2);
    await rig.clock.advance(1);
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: true });
  });

  it('pauses again after one more failure, until the table responds', async () => {
    const { limiter, afterTimeout } = hangingTable();
    for (const address of [first, second, third]) await afterTimeout(address);
    await rig.clock.advance(5_000);
    await afterTimeout(first);
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    await rig.clock.advance(5_000);
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: true });
    await afterTimeout(first);
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: true });
  });
});
