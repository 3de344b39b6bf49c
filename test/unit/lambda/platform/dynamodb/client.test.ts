import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../../../lambda/platform/clock.ts';
import { DynamoDbClient } from '../../../../../lambda/platform/dynamodb/client.ts';
import { ConditionFailedError } from '../../../../../lambda/platform/dynamodb/dynamodb-error.ts';

const KEY = { TableName: 'table', Key: { pk: { S: 'one' } } };
const ATTEMPT_MS = 200;
const cleanUps: (() => void)[] = [];

afterEach(() => {
  for (const clean of cleanUps.splice(0)) clean();
});

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

type Reply = (response: ServerResponse, attempt: number) => void;

/** A client before a table that replies as told, and what was asked of it. */
async function clientBefore(reply: Reply, sessionToken?: string) {
  const received: Received[] = [];
  const server: Server = createServer(async (incoming, response) => {
    received.push({ headers: incoming.headers, body: JSON.parse(await text(incoming)) });
    reply(response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new DynamoDbClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKID', secretAccessKey: 'secret', ...(sessionToken && { sessionToken }) },
    clock: systemClock,
    random: () => 0,
    maxAttempts: 3,
    attemptMs: ATTEMPT_MS,
  });
  cleanUps.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { client, received };
}

const json = (status: number, body: object) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
};
const refusal = (type: string, more: object = {}) =>
  json(400, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no', ...more });
const found = json(200, { Item: { pk: { S: 'one' }, data: { B: 'AAEC' } } });

describe('a call', () => {
  it('is signed for the region and the service, the session among it', async () => {
    const { client, received } = await clientBefore(found, 'session');
    await client.get(KEY);
    const [{ headers, body } = { headers: {}, body: undefined }] = received;
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, SignedHeaders=[a-z0-9;-]*x-amz-security-token[a-z0-9;-]*, Signature=[0-9a-f]{64}$/,
    );
    expect(headers).toMatchObject({
      'x-amz-target': 'DynamoDB_20120810.GetItem',
      'x-amz-security-token': 'session',
      'content-type': 'application/x-amz-json-1.0',
    });
    expect(body).toEqual(KEY);
  });

  it('carries bytes both ways', async () => {
    const { client, received } = await clientBefore((response, attempt) =>
      attempt === 1 ? json(200, {})(response) : found(response),
    );
    await client.put({
      TableName: 'table',
      Item: { pk: { S: 'one' }, data: { B: new Uint8Array([0, 1, 2]) } },
    });
    expect(received[0]?.body).toMatchObject({ Item: { data: { B: 'AAEC' } } });
    expect((await client.get(KEY))?.data?.B).toEqual(Buffer.from([0, 1, 2]));
  });

  it('finds nothing where there is nothing', async () => {
    const { client } = await clientBefore(json(200, {}));
    expect(await client.get(KEY)).toBeUndefined();
    expect(await client.update({ ...KEY, UpdateExpression: 'SET a = b' })).toBeUndefined();
  });
});

describe('a call that fails for a reason that passes', () => {
  it.each<[string, Reply]>([
    ['an error of the server', json(500, { __type: 'com.amazon.coral.service#InternalServerError' })],
    ['a proxy that speaks no JSON', (response) => response.writeHead(503).end('<html>')],
    ['a throttled table', refusal('ProvisionedThroughputExceededException')],
    ['a connection that breaks', (response) => response.destroy()],
    ['no response in time', () => undefined],
  ])('is made again under the same id: %s', async (_, trouble) => {
    const { client, received } = await clientBefore((response, attempt) =>
      attempt < 3 ? trouble(response, attempt) : found(response),
    );
    expect(await client.get(KEY)).toMatchObject({ pk: { S: 'one' } });
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ headers }) => headers['amz-sdk-invocation-id'])).size).toBe(1);
  });

  it('ends with the last error after so many attempts', async () => {
    const { client, received } = await clientBefore(refusal('ThrottlingException'));
    await expect(client.get(KEY)).rejects.toMatchObject({ name: 'ThrottlingException', status: 400 });
    expect(received).toHaveLength(3);
  });

  it('is made once where a throttled table says enough', async () => {
    const { client, received } = await clientBefore(refusal('RequestLimitExceeded'));
    await expect(client.update(KEY, { retryThrottled: false })).rejects.toMatchObject({ throttled: true });
    expect(received).toHaveLength(1);
  });
});

describe('a call that is refused', () => {
  it('is not made again, and its error has the name that DynamoDB gives', async () => {
    const { client, received } = await clientBefore(refusal('ResourceNotFoundException'));
    await expect(client.get(KEY)).rejects.toMatchObject({ name: 'ResourceNotFoundException', message: 'no' });
    expect(received).toHaveLength(1);
  });

  it('by its condition tells what stands in its way', async () => {
    const { client, received } = await clientBefore(
      refusal('ConditionalCheckFailedException', { Item: { requests: { L: [{ B: 'AAEC' }] } } }),
    );
    const error = await client.update(KEY).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConditionFailedError);
    expect((error as ConditionFailedError).item?.requests?.L).toEqual([{ B: Buffer.from([0, 1, 2]) }]);
    expect(received).toHaveLength(1);
  });
});

it('a call whose signal aborts ends with its reason and is not made again', async () => {
  const abort = new AbortController();
  const { client, received } = await clientBefore(() => abort.abort(new Error('enough')));
  await expect(client.get(KEY, { signal: abort.signal })).rejects.toThrow('enough');
  await expect(client.get(KEY, { signal: abort.signal })).rejects.toThrow('enough');
  expect(received).toHaveLength(1);
});
