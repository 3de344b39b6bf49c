import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../../lambda/platform/clock.ts';
import type { CallOptions, DynamoDb } from '../../../../lambda/platform/dynamodb/client.ts';
import { DynamoDbError } from '../../../../lambda/platform/dynamodb/dynamodb-error.ts';
import type { Item } from '../../../../lambda/platform/dynamodb/item.ts';
import { ClientCounter } from '../../../../lambda/rate-limit/client-counter.ts';
import { ClientKeys } from '../../../../lambda/rate-limit/client-key.ts';
import { DynamoDbRequestLog } from '../../../../lambda/rate-limit/dynamodb-request-log.ts';
import { NetworkLimit } from '../../../../lambda/rate-limit/network-limit.ts';
import { WindowRateLimiter } from '../../../../lambda/rate-limit/window-rate-limiter.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testClient } from '../../../support/test-table.ts';

const KEY: Item = { secret: { B: new Uint8Array(32) } };
const CLIENT = { address: '192.0.2.1' };

type Update = (input: UpdateItemCommandInput, options?: CallOptions) => Promise<Item | undefined>;

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function limiterOver(update: Update, clock: ManualClock | typeof systemClock = new ManualClock()) {
  return limiterOn({ get: never, put: never, update }, clock);
}

function limiterOn(client: DynamoDb, clock: ManualClock | typeof systemClock) {
  const store = { client, table: 'rate-limits' };
  const failures: unknown[] = [];
  const counter = { limit: 1, log: new DynamoDbRequestLog(store), now: clock.now, randomBytes };
  const limiter = new WindowRateLimiter({
    keys: new ClientKeys({ ...store, randomBytes }),
    addresses: new ClientCounter(counter),
    networks: new NetworkLimit({ samples: new ClientCounter(counter), random: () => 0 }),
    clock,
    onUnavailable: (error) => failures.push(error),
    onRefused: () => undefined,
  });
  return { limiter, failures };
}

/** What the table gives back for a first request. */
function appended({ ExpressionAttributeValues: values }: UpdateItemCommandInput): Promise<Item> {
  return Promise.resolve({ requests: values?.[':entry'] ?? { L: [] } });
}

/** The key is there; the requests' own writes are what `then` makes of them. */
function afterKey(then: Update): Update {
  return (input, options) =>
    input.UpdateExpression?.includes('#secret') ? Promise.resolve(KEY) : then(input, options);
}

describe('a container that starts', () => {
  it('is ready although the table refuses', async () => {
    const refuse = () => Promise.reject(new Error('no table'));
    const { limiter, failures } = limiterOn({ get: refuse, put: refuse, update: refuse }, new ManualClock());
    await expect(limiter.prepare()).resolves.toBeUndefined();
    expect(failures).toEqual([]);
  });

  it('is ready after half a second although the table says nothing', async () => {
    const clock = new ManualClock();
    const { limiter } = limiterOver(never, clock);
    let ready = false;
    const preparing = limiter.prepare().then(() => {
      ready = true;
    });
    await clock.advance(499);
    expect(ready).toBe(false);
    await clock.advance(1);
    await preparing;
    expect(ready).toBe(true);
  });
});

describe('a table that does not respond', () => {
  it.each([
    ['the key', never],
    ['the count', afterKey(never)],
  ])('within 500 ms with %s lets the request pass uncounted', async (_name, response) => {
    const clock = new ManualClock();
    const { limiter, failures } = limiterOver(response, clock);
    let seen: unknown = 'pending';
    const counting = limiter.check(CLIENT).then((result) => {
      seen = result;
    });
    await clock.advance(499);
    expect(seen).toBe('pending');
    await clock.advance(1);
    await counting;
    expect(seen).toBeUndefined();
    expect(failures).toHaveLength(1);
  });

  it('is told that its response is no longer wanted', async () => {
    const clock = new ManualClock();
    let signal: AbortSignal | undefined;
    const { limiter } = limiterOver(
      afterKey((_input, options) => {
        signal = options?.signal;
        return never();
      }),
      clock,
    );
    const counting = limiter.check(CLIENT);
    await clock.advance(500);
    await counting;
    expect(signal?.aborted).toBe(true);
  });

  it('is asked for the key again by the next request', async () => {
    let asked = 0;
    const { limiter, failures } = limiterOver((input) => {
      if (!input.UpdateExpression?.includes('#secret')) return appended(input);
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('throttled')) : Promise.resolve(KEY);
    });
    expect(await limiter.check(CLIENT)).toBeUndefined();
    expect(await limiter.check(CLIENT)).toMatchObject({ allowed: true });
    expect(await limiter.check(CLIENT)).toMatchObject({ allowed: true });
    expect([asked, failures.length]).toEqual([2, 1]);
  });
});

describe('a real client whose table', () => {
  const clientOf = (port: number) => testClient(`http://127.0.0.1:${port}`);

  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  it.each<[string, (server: Server) => void]>([
    ['hangs', () => undefined],
    ['hangs up', (server) => server.on('connection', (socket) => socket.destroy())],
  ])('%s lets the request pass in time', async (_name, behave) => {
    const server = createServer();
    behave(server);
    const client = clientOf(await listen(server));
    const { limiter, failures } = limiterOn(client, systemClock);
    const started = performance.now();
    expect(await limiter.check(CLIENT)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(900);
    expect(failures).toHaveLength(1);
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  it.each(['ProvisionedThroughputExceededException', 'ThrottlingException'])(
    'throttles the writes for this client (%s) refuses it at once, and does not repeat the write',
    async (type) => {
      let writes = 0;
      const server = createServer(async (request, response) => {
        const body = await text(request);
        response.writeHead(body.includes('#secret') ? 200 : 400, {
          'content-type': 'application/x-amz-json-1.0',
        });
        if (body.includes('#secret')) {
          response.end(
            JSON.stringify({ Attributes: { secret: { B: Buffer.alloc(32).toString('base64') } } }),
          );
          return;
        }
        writes += 1;
        response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'slow' }));
      });
      const client = clientOf(await listen(server));
      const { limiter, failures } = limiterOn(client, systemClock);
      expect(await limiter.check(CLIENT)).toMatchObject({ allowed: false, remaining: 0 });
      expect([writes, failures]).toEqual([1, []]);
      expect(limiter.cachedRefusal(CLIENT)).toMatchObject({ allowed: false });
      client.destroy();
      server.closeAllConnections();
      server.close();
    },
  );

  it('is beyond the limit of the account lets the request pass: that is no evidence against it', async () => {
    const { limiter, failures } = limiterOver(
      afterKey(() => Promise.reject(new DynamoDbError('RequestLimitExceeded', 400, 'slow'))),
    );
    expect(await limiter.check(CLIENT)).toBeUndefined();
    expect(failures).toHaveLength(1);
  });

  it('throttles the secret of all clients lets the request pass: that is no evidence against it', async () => {
    const { limiter, failures } = limiterOver(() =>
      Promise.reject(new DynamoDbError('ThrottlingException', 400, 'slow')),
    );
    expect(await limiter.check(CLIENT)).toBeUndefined();
    expect(failures).toHaveLength(1);
  });

  it('refuses connections lets the request pass in time', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const client = clientOf(port);
    const { limiter, failures } = limiterOn(client, systemClock);
    expect(await limiter.check(CLIENT)).toBeUndefined();
    expect(failures).toHaveLength(1);
    client.destroy();
  });
});
