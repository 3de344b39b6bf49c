import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

describe('what the gateway responds itself', () => {
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
