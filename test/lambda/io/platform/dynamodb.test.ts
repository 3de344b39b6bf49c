import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dynamoDbClient, isConditionFailed } from '../../../../lambda/io/platform/dynamodb.ts';
import { outcome } from '../../../support/outcome.ts';

type Behaviour = (response: ServerResponse) => void;

const ITEM = JSON.stringify({ Item: { pk: { S: 'a' } } });
const get = new GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } });
const update = new UpdateItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } });

const respondWith =
  (status: number, body: string): Behaviour =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(body);
  };
const failure = (type: string, status = 400): Behaviour =>
  respondWith(status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no' }));
const part: Behaviour = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0', 'Content-Length': ITEM.length });
  response.write(ITEM.slice(0, 5));
};

const good = respondWith(200, ITEM);
const hang: Behaviour = () => undefined;
const cut: Behaviour = (response) => {
  part(response);
  setImmediate(() => response.destroy());
};
const reset: Behaviour = (response) => response.destroy();

let server: Server;
let behaviours: Behaviour[] = [];
let requests: IncomingMessage[] = [];
let client: DynamoDBClient;
let single: DynamoDBClient;
let environment: Record<string, string>;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    request.resume();
    (behaviours.shift() ?? good)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  client = dynamoDbClient(environment);
  single = dynamoDbClient(environment, { maxAttempts: 1 });
});

beforeEach(() => {
  requests = [];
  behaviours = [];
});

afterAll(async () => {
  client.destroy();
  single.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('keeps one client for each number of attempts', () => {
  expect(dynamoDbClient(environment)).toBe(client);
  expect(dynamoDbClient(environment, { maxAttempts: 3 })).toBe(client);
  expect(dynamoDbClient(environment, { maxAttempts: 1 })).toBe(single);
});

it('signs requests for the region, and keeps the connection', async () => {
  const sockets = new Set();
  for (let call = 0; call < 3; call += 1) {
    await client.send(get);
    sockets.add(requests.at(-1)?.socket);
  }
  expect(requests[0]?.headers).toMatchObject({
    authorization: expect.stringMatching(/Credential=key\/\d{8}\/eu-central-1\/dynamodb\//),
    'x-amz-target': 'DynamoDB_20120810.GetItem',
    'user-agent': expect.stringContaining('app/market-data-proxy'),
  });
  expect(sockets.size).toBe(1);
});

describe('a call to a bad server', () => {
  it.each<[string, Behaviour, Behaviour]>([
    ['does not respond, and then stops within the body', hang, part],
    ['resets the connection, or ends it within the body', reset, cut],
    ['responds 500, or 503 with HTML', failure('InternalServerError', 500), respondWith(503, '<html>busy</html>')],
    ['throttles', failure('ThrottlingException'), failure('ProvisionedThroughputExceededException')],
  ])('succeeds with the third attempt of the same invocation when it %s', async (_name, first, second) => {
    behaviours = [first, second];
    expect((await client.send(get)).Item).toEqual({ pk: { S: 'a' } });
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ headers }) => headers['amz-sdk-invocation-id'])).size).toBe(1);
  });

  it('fails after three attempts', async () => {
    behaviours = Array(3).fill(reset);
    await expect(client.send(get)).rejects.toThrow();
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['resets the connection', reset],
    ['throttles', failure('ThrottlingException')],
  ])('is made once by the client without retries when it %s', async (_name, behaviour) => {
    behaviours = [behaviour];
    await expect(single.send(get)).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['does not respond', hang],
    ['stops within the body', part],
  ])('ends with the signal of its caller when it %s', async (_name, behaviour) => {
    behaviours = [behaviour];
    const abort = new AbortController();
    const result = client.send(get, { abortSignal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    await expect(result).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });
});

it('isConditionFailed tells a failed condition, which is not retried, from other errors', async () => {
  behaviours = [failure('ConditionalCheckFailedException'), failure('ResourceNotFoundException')];
  const [failed, missing] = [await outcome(client.send(update)), await outcome(client.send(update))];
  expect(requests).toHaveLength(2);
  expect(missing).toMatchObject({ name: 'ResourceNotFoundException' });
  expect([failed, missing, 'ConditionalCheckFailedException'].map(isConditionFailed)).toEqual([true, false, false]);
});
