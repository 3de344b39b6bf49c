import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import type { Item } from '../../../../lambda/platform/dynamodb/item.ts';
import { ClientKeys } from '../../../../lambda/rate-limit/client-key.ts';

const SECRET = new Uint8Array(32).fill(7);
const FRESH = new Uint8Array(32).fill(9);

function unused(): Promise<never> {
  return Promise.reject(new Error('The keys only update'));
}

function rig(update: (input: UpdateItemCommandInput) => Promise<Item | undefined>) {
  const inputs: UpdateItemCommandInput[] = [];
  const asked: number[] = [];
  const client = {
    get: unused,
    put: unused,
    update: (input: UpdateItemCommandInput) => {
      inputs.push(input);
      return update(input);
    },
  };
  const randomBytes = (count: number) => {
    asked.push(count);
    return FRESH;
  };
  return { inputs, asked, keys: new ClientKeys({ client, table: 'rate-limits', randomBytes }) };
}

const stored = () => Promise.resolve<Item>({ secret: { B: SECRET } });

describe('the key of a client', () => {
  it('is 128 bits of a hash of its address under the secret of the table', async () => {
    const { keys } = rig(stored);
    // HMAC-SHA-256 of the text under 32 bytes of 7, its first 16 bytes in base64url (by Python's hmac).
    expect(await keys.keyOf('192.0.2.1')).toBe('XZbASUlHDxjO_azE-msQeQ');
    expect(await keys.keyOf('192.0.2.2')).not.toBe('XZbASUlHDxjO_azE-msQeQ');
  });

  it('is known without the table once the secret is loaded, and not before', async () => {
    const { keys, inputs } = rig(stored);
    expect(keys.knownKeyOf('192.0.2.1')).toBeUndefined();
    expect(await keys.load()).toBe(SECRET);
    expect(keys.knownKeyOf('192.0.2.1')).toBe(await keys.keyOf('192.0.2.1'));
    expect(inputs).toHaveLength(1);
  });
});

describe('the secret of the keys', () => {
  it('is made of 32 random bytes, and is whatever the table had before', async () => {
    const { keys, inputs, asked } = rig(stored);
    await keys.load();
    expect(asked).toEqual([32]);
    expect(inputs).toEqual([
      {
        TableName: 'rate-limits',
        Key: { pk: { S: 'HASH-SECRET' } },
        UpdateExpression: 'SET #secret = if_not_exists(#secret, :fresh)',
        ExpressionAttributeNames: { '#secret': 'secret' },
        ExpressionAttributeValues: { ':fresh': { B: FRESH } },
        ReturnValues: 'ALL_NEW',
      },
    ]);
  });

  it('is asked for once by requests that come at the same time', async () => {
    const { keys, inputs } = rig(stored);
    await Promise.all(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => keys.keyOf(address)));
    expect(inputs).toHaveLength(1);
  });

  it('is asked for again after a failure', async () => {
    let fails = true;
    const { keys } = rig(() => (fails ? Promise.reject(new Error('throttled')) : stored()));
    await expect(keys.keyOf('192.0.2.1')).rejects.toThrow('throttled');
    expect(keys.knownKeyOf('192.0.2.1')).toBeUndefined();
    fails = false;
    expect(await keys.keyOf('192.0.2.1')).toHaveLength(22);
  });

  it.each<[string, Item | undefined]>([
    ['without attributes', undefined],
    ['without a secret', {}],
    ['whose secret is no bytes', { secret: { S: 'text' } }],
  ])('cannot be read from an item %s', async (_name, item) => {
    const { keys } = rig(() => Promise.resolve(item));
    await expect(keys.load()).rejects.toThrow('The hash secret of the rate-limit table cannot be read');
  });
});
