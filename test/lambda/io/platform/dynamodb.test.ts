import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from '@jest/globals';
import { dynamoDbClient } from '../../../../lambda/io/platform/dynamodb.ts';
import { isConditionFailed } from '../../../../lambda/io/platform/dynamodb-errors.ts';
import { outcome } from '../../../support/outcome.ts';
import {
  hang,
  hangInBody,
  type Reply,
  reset,
  send,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';

// All functions use the same client of DynamoDB: AWS's, with short time-outs and few attempts. Each
// test lets a local server reply in place of DynamoDB.

const stub = await startStubUpstream();
const environment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  // Nothing listens here: the address of the service has precedence.
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
  AWS_ENDPOINT_URL_DYNAMODB: stub.url,
};
const client = dynamoDbClient(environment);
/** A client that makes one attempt, not three. */
const single = dynamoDbClient(environment, { maxAttempts: 1 });
afterAll(async () => {
  client.destroy();
  single.destroy();
});

const get = new GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } });
const update = new UpdateItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } });
const good = send({ Item: { pk: { S: 'a' } } });
const failure = (type: string, status = 400) =>
  send({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no' }, status);

it('keeps one client for each number of attempts', () => {
  expect(dynamoDbClient(environment)).toBe(client);
  expect(dynamoDbClient(environment, { maxAttempts: 3 })).toBe(client);
  expect(dynamoDbClient(environment, { maxAttempts: 1 })).toBe(single);
});

it('signs requests for the region, and keeps the connection', async () => {
  const ports = new Set();
  stub.reply((response, request) => {
    ports.add(response.socket?.remotePort);
    good(response, request);
  });
  for (let call = 0; call < 3; call += 1) await client.send(get);
  expect(ports.size).toBe(1);
  expect(stub.requests[0]?.headers).toMatchObject({
    authorization: expect.stringMatching(/Credential=key\/\d{8}\/eu-central-1\/dynamodb\//),
    'x-amz-target': 'DynamoDB_20120810.GetItem',
    'user-agent': expect.stringContaining('app/market-data-proxy'),
  });
});

describe('a call to a bad server', () => {
  it.each<{ what: string; first: Reply; second: Reply }>([
    {
      what: 'does not respond, and then stops within the body',
      first: hang,
      second: hangInBody,
    },
    {
      what: 'resets the connection, and then responds 503 with HTML',
      first: reset,
      second: send('<html>busy</html>', 503),
    },
    {
      what: 'responds 500, and then throttles',
      first: failure('InternalServerError', 500),
      second: failure('ThrottlingException'),
    },
  ])('succeeds with the third attempt of one invocation when it $what', async (row) => {
    stub.reply(row.first, row.second, good);
    expect((await client.send(get)).Item).toEqual({ pk: { S: 'a' } });
    expect(stub.requests).toHaveLength(3);
    const invocations = stub.requests.map(({ headers }) => headers['amz-sdk-invocation-id']);
    expect(new Set(invocations).size).toBe(1);
  });

  it('fails after three attempts', async () => {
    stub.reply(reset);
    await expect(client.send(get)).rejects.toThrow();
    expect(stub.requests).toHaveLength(3);
  });

  it('fails after one attempt if only one is allowed', async () => {
    stub.reply(failure('ThrottlingException'));
    await expect(single.send(get)).rejects.toThrow();
    expect(stub.requests).toHaveLength(1);
  });

  it.each([
    { when: 'before the response', reply: hang },
    { when: 'within the body', reply: hangInBody },
  ])('that hangs $when ends with the signal of its caller', async ({ reply }) => {
    stub.reply(reply);
    const abort = new AbortController();
    const result = outcome(client.send(get, { abortSignal: abort.signal }));
    await stub.received(1);
    abort.abort();
    expect(await result).toBeInstanceOf(Error);
    expect(stub.requests).toHaveLength(1);
  });
});

describe('a write whose condition fails', () => {
  const updateAfter = async (type: string) => {
    stub.reply(failure(type));
    return await outcome(client.send(update));
  };

  it('is not retried', async () => {
    await updateAfter('ConditionalCheckFailedException');
    expect(stub.requests).toHaveLength(1);
  });

  it('is recognised among other errors', async () => {
    expect(isConditionFailed(await updateAfter('ConditionalCheckFailedException'))).toBe(true);
    expect(isConditionFailed(await updateAfter('ResourceNotFoundException'))).toBe(false);
    expect(isConditionFailed('ConditionalCheckFailedException')).toBe(false);
  });
});
