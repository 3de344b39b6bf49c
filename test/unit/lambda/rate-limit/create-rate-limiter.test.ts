import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, jest } from '@jest/globals';
import { createRateLimiter } from '../../../../lambda/rate-limit/create-rate-limiter.ts';
import { itemKey } from '../../../../lambda/rate-limit/dynamodb-items.ts';

const CLIENT = { address: '192.0.2.1' };

function unused(): Promise<never> {
  return Promise.reject(new Error('The limiter only updates'));
}

/** The table of a first request; `down`: it refuses every other write than that of the secret. */
function rig(limit: number | 'off', down = false) {
  const inputs: UpdateItemCommandInput[] = [];
  const update = (input: UpdateItemCommandInput) => {
    inputs.push(input);
    if (input.UpdateExpression?.includes('#secret')) {
      return Promise.resolve({ secret: { B: new Uint8Array(32) } });
    }
    const entries = input.ExpressionAttributeValues?.[':entry'] ?? { L: [] };
    return down ? Promise.reject(new Error('down')) : Promise.resolve({ requests: entries });
  };
  const logger = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const metrics = { add: jest.fn(), flush: jest.fn() };
  const limiter = createRateLimiter({
    settings: { RATE_LIMIT_TABLE: 'rate-limits', REQUESTS_PER_MINUTE: limit },
    client: { get: unused, put: unused, update },
    logger,
    metrics,
  });
  return { inputs, logger, metrics, limiter };
}

describe('the rate limiter of an endpoint', () => {
  it('is none where the limit is off, and asks nothing of a table', async () => {
    const { limiter, inputs } = rig('off');
    expect(await limiter).toBeUndefined();
    expect(inputs).toEqual([]);
  });

  it('has a connection and the secret when it is there, and counts a request in the table of the settings', async () => {
    const { limiter, inputs } = rig(60);
    const ready = await limiter;
    expect(inputs.map(({ Key }) => Key)).toEqual([itemKey('HASH-SECRET')]);
    expect(ready?.limit).toBe(60);
    expect(await ready?.check(CLIENT)).toMatchObject({ allowed: true, remaining: 59 });
    expect(inputs.map(({ TableName }) => TableName)).toEqual(['rate-limits', 'rate-limits']);
    expect(inputs[1]?.Key?.pk?.S).toMatch(/^[\w-]{22}$/);
    expect(inputs[1]?.ExpressionAttributeValues?.[':most']).toEqual({ N: '80' });
  });

  it('tells the operator of a request that it could not count', async () => {
    const { limiter, logger, metrics } = rig(60, true);
    expect(await (await limiter)?.check(CLIENT)).toBeUndefined();
    expect(metrics.add).toHaveBeenCalledWith('RateLimitUnavailable', 1);
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });

  it('samples the requests of a network by chance', async () => {
    const { limiter, inputs } = rig(60);
    const ready = await limiter;
    for (let n = 0; n < 400; n += 1) await ready?.check({ ...CLIENT, network: '2001:db8::/48' });
    const samples = inputs.length - 1 - 400;
    // One in twenty: 20 of 400 are expected, and none or half of them never occur.
    expect(samples).toBeGreaterThan(0);
    expect(samples).toBeLessThan(200);
  });
});
