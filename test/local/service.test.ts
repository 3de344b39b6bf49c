import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LocalService } from '../../local/local-service.ts';
import { startService } from '../../local/service.ts';
import type { LogEvent, RefreshOutcome } from '../../local/service-events.ts';
import { BUNDLES, smallTemplate } from './support/small-service.ts';
import { testAssembly } from './support/test-assembly.ts';

const assembly = testAssembly(smallTemplate(), BUNDLES);
let service: LocalService;
const logs: LogEvent[] = [];
const metrics: unknown[] = [];
let clock = Date.UTC(2026, 10, 21);

beforeAll(async () => {
  service = await startService({
    assembly,
    schedule: false,
    environment: { LIMIT: 'off', NEW: 'x' },
    now: () => clock,
  });
  service.on('log', (event) => logs.push(event)).on('metric', ({ data }) => metrics.push(data));
});
afterAll(async () => {
  await service.close();
  assembly.dispose();
});

async function echo(response: Response): Promise<APIGatewayProxyEvent> {
  expect(response.status).toBe(200);
  return (await response.json()) as APIGatewayProxyEvent;
}

function answering(answer: unknown): string {
  return `${service.url}/things?answer=${encodeURIComponent(JSON.stringify(answer))}`;
}

describe('the event of a request through the front door', () => {
  it('has the shape of payload 1.0', async () => {
    const event = await echo(
      await fetch(`${service.url}/things?a=1&a=2&b=x+y%26z&c`, { method: 'POST', body: 'hé' }),
    );
    expect(event).toMatchObject({
      resource: '/things',
      path: '/things',
      httpMethod: 'POST',
      queryStringParameters: { a: '2', b: 'x y&z', c: '' },
      multiValueQueryStringParameters: { a: ['1', '2'], b: ['x y&z'], c: [''] },
      pathParameters: null,
      stageVariables: null,
      body: 'hé',
      isBase64Encoded: false,
      requestContext: {
        stage: 'dev',
        path: '/dev/things',
        resourcePath: '/things',
        accountId: '111122223333',
      },
    });
  });

  it('has nulls where there is nothing', async () => {
    const event = await echo(await fetch(`${service.url}/things`));
    expect(event).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      body: null,
    });
  });

  it('carries the public key and the viewer, whatever the caller claims', async () => {
    const headers = {
      'X-API-Key': 'mine',
      'cloudfront-viewer-address': '9.9.9.9:1',
      'X-Forwarded-For': '8.8.8.8',
    };
    const event = await echo(await fetch(`${service.url}/things`, { headers }));
    const publicKey = service.apiKeys.get('PublicKey');
    expect(event.multiValueHeaders['x-api-key']).toEqual([publicKey]);
    expect(event.requestContext.identity.apiKey).toBe(publicKey);
    expect(event.multiValueHeaders['CloudFront-Viewer-Address']).toEqual([
      expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    ]);
    expect(event.headers['X-Forwarded-For']).toBe('8.8.8.8, 127.0.0.1, 130.176.0.1');
    expect(event.requestContext.identity.sourceIp).toBe('130.176.0.1');
  });

  it('has the path parameters', async () => {
    expect((await echo(await fetch(`${service.url}/things/a%20b?q=1`))).pathParameters).toEqual({
      id: 'a b',
    });
    expect((await echo(await fetch(`${service.url}/files/a/b.txt`))).pathParameters).toEqual({
      proxy: 'a/b.txt',
    });
  });
});

describe('the inner API', () => {
  const partner = { 'x-api-key': 'partner-key-0123456789' };

  it('wants a key, and answers as the template says without one', async () => {
    const response = await fetch(`${service.apiUrl}/things`);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Forbidden' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await fetch(`${service.apiUrl}/things`, { headers: { 'x-api-key': 'nonsense' } })).status).toBe(
      403,
    );
  });

  it('sees the peer itself and passes on what the caller claims', async () => {
    const headers = { ...partner, 'CloudFront-Viewer-Address': '9.9.9.9:1' };
    const event = await echo(await fetch(`${service.apiUrl}/things`, { headers }));
    expect(event.requestContext.identity).toMatchObject({
      sourceIp: '127.0.0.1',
      apiKey: partner['x-api-key'],
    });
    expect(event.headers['cloudfront-viewer-address'] ?? event.headers['CloudFront-Viewer-Address']).toBe(
      '9.9.9.9:1',
    );
  });

  it('counts the quota of a plan, until the next period', async () => {
    const get = async (): Promise<Response> => fetch(`${service.apiUrl}/things`, { headers: partner });
    clock = Date.UTC(2026, 11, 1);
    for (let call = 0; call < 3; call += 1) expect((await get()).status).toBe(200);
    const refused = await get();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ message: 'Limit Exceeded' });
    clock = Date.UTC(2027, 0, 1);
    expect((await get()).status).toBe(200);
  });

  it('answers another stage as execute-api does', async () => {
    const response = await fetch(`${service.apiUrl.replace(/dev$/, 'prod')}/things`);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Forbidden' });
  });
});

describe('answers', () => {
  it('merge headers and multiValueHeaders', async () => {
    const response = await fetch(`${service.url}/things`);
    expect(response.headers.get('x-one')).toBe('1');
    expect(response.headers.get('x-many')).toBe('a, b');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['no status', { body: '' }],
    ['a status that is text', { statusCode: '200', body: '' }],
    ['a body that is no text', { statusCode: 200, body: {} }],
    ['an unknown key', { statusCode: 200, cookies: [] }],
    ['a header that is an object', { statusCode: 200, headers: { a: {} } }],
    ['a number', 5],
  ])('with %s are an error of the gateway', async (_name, answer) => {
    const response = await fetch(answering(answer));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ code: 'DEFAULT_5XX' });
    expect(logs.at(-1)?.message).toBe('API Gateway answered with an error of its own');
  });

  it('over 6 MB are an error of the gateway', async () => {
    expect((await fetch(`${service.url}/things?size=6300000`)).status).toBe(500);
    expect((await fetch(`${service.url}/things?size=6200000`)).status).toBe(200);
  });

  it('cannot set the headers that the gateway owns', async () => {
    const response = await fetch(
      answering({ statusCode: 200, headers: { Server: 'me', 'Content-Length': '3' }, body: 'abcdef' }),
    );
    expect(response.headers.get('server')).toBeNull();
    expect(response.headers.get('x-amzn-remapped-server')).toBe('me');
    expect(await response.text()).toBe('abcdef');
  });

  it('304 has no body and no length', async () => {
    const response = await fetch(answering({ statusCode: 304, body: '' }));
    expect(response.status).toBe(304);
    expect(response.headers.get('content-length')).toBeNull();
  });

  it('to HEAD have the headers of GET and no body', async () => {
    const get = await fetch(`${service.url}/things?size=900`);
    const head = await fetch(`${service.url}/things?size=900`, { method: 'HEAD' });
    expect(await head.text()).toBe('');
    for (const name of ['content-length', 'etag', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it.each([
    ['gzip', 'gzip'],
    ['deflate', 'deflate'],
    ['gzip;q=0.5, deflate', 'deflate'],
    ['gzip;q=0, br', null],
    ['identity', null],
  ])('asked for as %s come as %s', async (acceptEncoding, coding) => {
    const headers = { 'Accept-Encoding': acceptEncoding };
    const long = await fetch(`${service.url}/things?size=1024`, { headers });
    expect(long.headers.get('content-encoding')).toBe(coding);
    expect(await long.text()).toBe('x'.repeat(1_024));
    const short = await fetch(`${service.url}/things?size=1023`, { headers });
    expect(short.headers.get('content-encoding')).toBeNull();
  });
});

describe('what the gateway answers itself', () => {
  it.each([
    ['GET', '/nowhere'],
    ['GET', '/files'],
    ['POST', '/throttled'],
  ])('%s %s is unknown', async (method, path) => {
    const response = await fetch(`${service.url}${path}`, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: 'Missing Authentication Token',
      requestId: response.headers.get('x-amzn-requestid'),
    });
    expect(response.headers.get('x-request-id')).toBe(response.headers.get('x-amzn-requestid'));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('a preflight needs no key', async () => {
    const response = await fetch(`${service.apiUrl}/things`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each(['', '?q=', '?Q=1'])('a required parameter is missing in "%s"', async (query) => {
    const response = await fetch(`${service.url}/things/1${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: 'Missing required request parameters: [q]' });
  });

  it('a method has its own throttle', async () => {
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await fetch(`${service.url}/throttled`)).status);
    expect(statuses).toEqual([200, 200, 429]);
    clock += 1_000;
    expect((await fetch(`${service.url}/throttled`)).status).toBe(200);
  });

  it('a body over 10 MB is too large', async () => {
    const response = await fetch(`${service.url}/things`, {
      method: 'POST',
      body: Buffer.alloc(10_485_761, 'x'),
    });
    expect(response.status).toBe(413);
  });

  it('a path that cannot be decoded is unknown', async () => {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    httpRequest(`${service.url}/th%zzings`, (response) => resolve(response.resume().statusCode)).end();
    expect(await promise).toBe(404);
  });
});

describe('functions', () => {
  it('get the runtime environment, the template’s variables, overrides of these, and nothing else', async () => {
    process.env.ONLY_HERE = 'yes';
    const invocation = await service.invoke('echo', { invoked: true });
    const { env, context, remaining } = JSON.parse(invocation.ok ? invocation.payload : '{}');
    expect(env).toMatchObject({
      TABLE: 'test-Table',
      LIMIT: 'off',
      AWS_REGION: 'eu-west-1',
      AWS_LAMBDA_FUNCTION_NAME: 'test-Echo',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_ENDPOINT_URL_DYNAMODB: service.dynamodbUrl,
      _HANDLER: 'index.handler',
    });
    expect(env).not.toHaveProperty('NEW');
    expect(env).not.toHaveProperty('ONLY_HERE');
    expect(context).toMatchObject({
      awsRequestId: invocation.requestId,
      functionName: 'test-Echo',
      memoryLimitInMB: '256',
      invokedFunctionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:test-Echo',
    });
    expect(remaining).toBeGreaterThan(500);
    expect(remaining).toBeLessThanOrEqual(1_000);
  });

  it('that run out of time give the gateway’s error', async () => {
    const response = await fetch(`${service.url}/things?sleep=2000`);
    expect(response.status).toBe(500);
    expect(logs.at(-1)?.keys.reason).toBe('Task timed out after 1.00 seconds');
  });
});

describe('the schedule', () => {
  it('runs on demand, with its input, and hands logs and metrics to listeners', async () => {
    const outcome: RefreshOutcome = await service.refresh();
    expect(outcome).toMatchObject({
      ok: true,
      result: { runs: 1, event: { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) } },
    });
    expect(metrics).toContainEqual({ _aws: { Timestamp: 1 }, Markets: 1 });
    expect(logs).toContainEqual(
      expect.objectContaining({
        level: 'INFO',
        message: 'Snapshot published',
        keys: { markets: 1 },
        refresher: true,
      }),
    );
  });

  it('runs at once and again, and tells failures', async () => {
    const failing = await startService({ assembly, schedule: 0.2, environment: { FAIL: 'yes' } });
    const outcomes: RefreshOutcome[] = [];
    const twice = new Promise<void>((resolve) => {
      failing.on('refresh', (outcome) => {
        outcomes.push(outcome);
        if (outcomes.length === 2) resolve();
      });
    });
    expect(await failing.firstRefresh).toMatchObject({ ok: false, error: 'the upstream is down' });
    await twice;
    expect(outcomes).toMatchObject([{ ok: false }, { ok: false }]);
    await failing.close();
  });
});

it('every table of the template is there', async () => {
  const response = await fetch(service.dynamodbUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.ListTables',
      'X-Amz-Date': '20261121T000000Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=local/20261121/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: '{}',
  });
  expect(await response.json()).toEqual({ TableNames: ['test-Table'] });
  expect(service.tables.get('Table')).toBe('test-Table');
});
