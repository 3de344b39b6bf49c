import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import type { CallOptions } from '../../../../lambda/platform/dynamodb/client.ts';
import { ConditionFailedError, DynamoDbError } from '../../../../lambda/platform/dynamodb/dynamodb-error.ts';
import type { Item } from '../../../../lambda/platform/dynamodb/item.ts';
import { DynamoDbRequestLog } from '../../../../lambda/rate-limit/dynamodb-request-log.ts';
import { ThrottledError } from '../../../../lambda/rate-limit/request-log.ts';

const { signal } = new AbortController();
const [FIRST, SECOND, THIRD] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
const listOf = (...entries: Uint8Array[]) => ({ L: entries.map((entry) => ({ B: entry })) });

function unused(): Promise<never> {
  return Promise.reject(new Error('The log only updates'));
}

/** A log whose table responds to each write as `respond` does. */
function rig(respond: () => Promise<Item | undefined>) {
  const calls: { readonly input: UpdateItemCommandInput; readonly options: CallOptions | undefined }[] = [];
  const client = {
    get: unused,
    put: unused,
    update: (input: UpdateItemCommandInput, options?: CallOptions) => {
      calls.push({ input, options });
      return respond();
    },
  };
  return { calls, log: new DynamoDbRequestLog({ client, table: 'rate-limits' }) };
}

const append = (log: DynamoDbRequestLog) =>
  log.append('client', SECOND, { most: 80, expiresAt: 120_001 }, signal);

/** Of every write. */
const COMMON = {
  TableName: 'rate-limits',
  Key: { pk: { S: 'client' } },
  ExpressionAttributeNames: { '#entries': 'requests', '#ttl': 'expiresAt' },
  ReturnValues: 'ALL_NEW',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};

describe('the log of requests in DynamoDB', () => {
  it('appends to a list that is not full, in one write that is not repeated, and rounds the expiry up', async () => {
    const { log, calls } = rig(() => Promise.resolve({ requests: listOf(FIRST, SECOND) }));
    expect(await append(log)).toEqual({ written: true, entries: [FIRST, SECOND] });
    expect(calls).toEqual([
      {
        input: {
          ...COMMON,
          UpdateExpression:
            'SET #entries = list_append(if_not_exists(#entries, :none), :entry), #ttl = :expiresAt',
          ConditionExpression: 'attribute_not_exists(#entries) OR size(#entries) < :most',
          ExpressionAttributeValues: {
            ':entry': listOf(SECOND),
            ':none': listOf(),
            ':most': { N: '80' },
            ':expiresAt': { N: '121' },
          },
        },
        options: { signal, retryThrottled: false },
      },
    ]);
  });

  it('replaces a list of the same length and the same last entry', async () => {
    const { log, calls } = rig(() => Promise.resolve({ requests: listOf(THIRD) }));
    const replacement = { entries: [THIRD], expiresAt: 120_000 };
    expect(await log.replace('client', [FIRST, SECOND], replacement, signal)).toEqual({
      written: true,
      entries: [THIRD],
    });
    expect(calls[0]?.input).toEqual({
      ...COMMON,
      UpdateExpression: 'SET #entries = :entries, #ttl = :expiresAt',
      ConditionExpression: 'size(#entries) = :length AND #entries[1] = :last',
      ExpressionAttributeValues: {
        ':entries': listOf(THIRD),
        ':expiresAt': { N: '120' },
        ':length': { N: '2' },
        ':last': { B: SECOND },
      },
    });
  });

  it.each<[string, Item | undefined, readonly Uint8Array[]]>([
    ['what the list holds', { requests: listOf(FIRST) }, [FIRST]],
    ['of an empty list where there is no item any more', undefined, []],
    ['of an empty list where the item has none', {}, []],
    ['nothing of entries that are no bytes', { requests: { L: [{ S: 'text' }, { B: FIRST }] } }, [FIRST]],
  ])('tells, when its condition does not hold, %s', async (_name, item, entries) => {
    const { log } = rig(() => Promise.reject(new ConditionFailedError('no', item)));
    expect(await append(log)).toEqual({ written: false, entries });
  });

  it('says that the store takes no more of this client, and what DynamoDB said', async () => {
    const cause = new DynamoDbError('ThrottlingException', 400, 'slow');
    const { log } = rig(() => Promise.reject(cause));
    const error = await append(log).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ThrottledError);
    expect(error).toMatchObject({
      name: 'ThrottledError',
      message: 'The table takes no more writes for this client',
      cause,
    });
  });

  it.each([
    [
      'that the account takes no more, which says nothing of this client',
      new DynamoDbError('RequestLimitExceeded', 400, 'slow'),
    ],
    ['another error of DynamoDB', new DynamoDbError('ValidationException', 400, 'wrong')],
    [
      'an error of the connection that looks like one',
      Object.assign(new Error('reset'), { throttled: true }),
    ],
  ])('hands on %s', async (_name, error) => {
    const { log } = rig(() => Promise.reject(error));
    await expect(append(log)).rejects.toBe(error);
  });
});
