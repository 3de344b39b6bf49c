import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '../../../../lambda/platform/clock.ts';
import { ClientKeys } from '../../../../lambda/rate-limit/client-key.ts';
import { encodeEntry } from '../../../../lambda/rate-limit/dynamodb-items.ts';
import { rateLimitReports } from '../../../../lambda/rate-limit/rate-limit-reports.ts';
import { DynamoDbRateLimiter } from '../../../../lambda/rate-limit/rate-limiter.ts';
import { RequestLog } from '../../../../lambda/rate-limit/request-log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const KEY = { Attributes: { secret: { B: new Uint8Array(32) } } };
const ADDRESS = '192.0.2.1';

type Send = (command: UpdateItemCommand, options?: { abortSignal?: AbortSignal }) => Promise<object>;

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function limiterOver(send: Send, clock: ManualClock | typeof systemClock = new ManualClock()) {
  const client = { send: send } as unknown as DynamoDBClient;
  return limiterOn(client, clock);
}

function limiterOn(client: DynamoDBClient, clock: ManualClock | typeof systemClock) {
  const store = { client, table: 'rate-limits', randomBytes };
  const failures: unknown[] = [];
  const limiter = new DynamoDbRateLimiter({
    limit: 1,
    keys: new ClientKeys(store),
    log: new RequestLog(store),
    clock,
    onUnavailable: (error) => failures.push(error),
    onRefused: () => undefined,
  });
  return { limiter, failures };
}

/** The key is there; the requests' own writes are answered by `then`. */
function afterKey(then: Send): Send {
  return (command, options) =>
    command.input.UpdateExpression?.includes('#secret') ? Promise.resolve(KEY) : then(command, options);
}

describe('a table that does not answer', () => {
  it.each([
    ['the key', never],
    ['the count', afterKey(never)],
  ])('within 500 ms with %s lets the request pass uncounted', async (_name, answer) => {
    const clock = new ManualClock();
    const { limiter, failures } = limiterOver(answer, clock);
    let seen: unknown = 'pending';
    const counting = limiter.check(ADDRESS).then((result) => {
      seen = result;
    });
    await clock.advance(499);
    expect(seen).toBe('pending');
    await clock.advance(1);
    await counting;
    expect(seen).toBeUndefined();
    expect(failures).toHaveLength(1);
  });

  it('is told that its answer is no longer wanted', async () => {
    const clock = new ManualClock();
    let signal: AbortSignal | undefined;
    const { limiter } = limiterOver(
      afterKey((_command, options) => {
        signal = options?.abortSignal;
        return never();
      }),
      clock,
    );
    const counting = limiter.check(ADDRESS);
    await clock.advance(500);
    await counting;
    expect(signal?.aborted).toBe(true);
  });

  it('keeps a refusal that it has given although it cannot be taken back', async () => {
    const clock = new ManualClock();
    const { limiter, failures } = limiterOver(
      afterKey((command) => {
        if (command.input.UpdateExpression?.startsWith('DELETE')) return never();
        const other = encodeEntry(clock.now() - 1_000, randomBytes(4));
        return Promise.resolve({ Attributes: { requests: { BS: [other] } } });
      }),
      clock,
    );
    const counting = limiter.check(ADDRESS);
    await clock.advance(500);
    expect(await counting).toMatchObject({ allowed: false });
    expect(failures).toHaveLength(1);
    expect(limiter.cachedRefusal(ADDRESS)).toMatchObject({ allowed: false });
  });

  it('is asked for the key again by the next request', async () => {
    let asked = 0;
    const { limiter, failures } = limiterOver((command) => {
      if (!command.input.UpdateExpression?.includes('#secret')) return Promise.resolve({ Attributes: {} });
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('throttled')) : Promise.resolve(KEY);
    });
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: true });
    expect(await limiter.check(ADDRESS)).toMatchObject({ allowed: true });
    expect([asked, failures.length]).toEqual([2, 1]);
  });
});

describe('a real client whose table', () => {
  const clientOf = (port: number) =>
    new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });

  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  it.each<[string, (server: Server) => void]>([
    ['hangs', () => undefined],
    [
      'throttles',
      (server) =>
        server.on('request', (_request, response) => {
          response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
          response.end(
            '{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"slow down"}',
          );
        }),
    ],
    ['hangs up', (server) => server.on('connection', (socket) => socket.destroy())],
  ])('%s lets the request pass in time', async (_name, behave) => {
    const server = createServer();
    behave(server);
    const client = clientOf(await listen(server));
    const { limiter, failures } = limiterOn(client, systemClock);
    const started = performance.now();
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(900);
    expect(failures).toHaveLength(1);
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('refuses connections lets the request pass in time', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const client = clientOf(port);
    const { limiter, failures } = limiterOn(client, systemClock);
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    expect(failures).toHaveLength(1);
    client.destroy();
  });
});

describe('the operator', () => {
  it('sees every failure as a metric and one line in ten seconds', async () => {
    const clock = new ManualClock();
    const logger = { warn: jest.fn(), info: jest.fn() };
    const metrics = { add: jest.fn(), flush: jest.fn() };
    const { onUnavailable } = rateLimitReports(logger, metrics, clock.now);
    for (let request = 0; request < 30; request += 1) {
      onUnavailable(new Error('down'));
      await clock.advance(500);
    }
    expect(metrics.add).toHaveBeenCalledTimes(30);
    expect(metrics.add).toHaveBeenCalledWith('RateLimitUnavailable', 1);
    expect(metrics.flush).toHaveBeenCalledTimes(30);
    expect(logger.warn).toHaveBeenCalledTimes(2);
  });

  it('sees every refusal as a metric, and a line when the table refused', () => {
    const logger = { warn: jest.fn(), info: jest.fn() };
    const metrics = { add: jest.fn(), flush: jest.fn() };
    const { onRefused } = rateLimitReports(logger, metrics, () => 0);
    onRefused('a-hash', false);
    onRefused('a-hash', true);
    expect(metrics.add.mock.calls).toEqual([
      ['RateLimitRefused', 1],
      ['RateLimitRefused', 1],
    ]);
    expect(logger.info.mock.calls).toEqual([['Refused by the per-IP limit', { caller: 'a-hash' }]]);
  });
});
