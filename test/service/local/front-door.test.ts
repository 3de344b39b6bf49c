import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LocalService } from '../../../local/local-service.ts';
import { startService } from '../../../local/service.ts';
import { BUNDLES, smallTemplate } from '../../../packages/cdk-local/test/small-service.ts';
import { testAssembly } from '../../../packages/cdk-local/test/test-assembly.ts';

const assembly = testAssembly(smallTemplate(), BUNDLES);
let service: LocalService;
let clock = Date.UTC(2026, 10, 21); // milliseconds, for throttles and quotas

beforeAll(async () => {
  service = await startService({ assembly, schedule: false, now: () => clock });
});
afterAll(async () => {
  await service.close();
  assembly.dispose();
});

async function echo(response: Response): Promise<APIGatewayProxyEvent> {
  expect(response.status).toBe(200);
  return (await response.json()) as APIGatewayProxyEvent;
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

  it('wants a key, and responds as the template says without one', async () => {
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

  it('responds to another stage as execute-api does', async () => {
    const response = await fetch(`${service.apiUrl.replace(/dev$/, 'prod')}/things`);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Forbidden' });
  });
});
