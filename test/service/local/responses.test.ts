import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LocalService } from '../../../local/local-service.ts';
import { startService } from '../../../local/service.ts';
import type { LogEvent } from '../../../local/service-events.ts';
import { BUNDLES, smallTemplate } from '../../../packages/cdk-local/test/small-service.ts';
import { testAssembly } from '../../../packages/cdk-local/test/test-assembly.ts';

const assembly = testAssembly(smallTemplate(), BUNDLES);
let service: LocalService;
const logs: LogEvent[] = [];

beforeAll(async () => {
  service = await startService({ assembly, schedule: false });
  service.on('log', (event) => logs.push(event));
});
afterAll(async () => {
  await service.close();
  assembly.dispose();
});

function responding(result: unknown): string {
  return `${service.url}/things?response=${encodeURIComponent(JSON.stringify(result))}`;
}

describe('responses', () => {
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
  ])('with %s are an error of the gateway', async (_name, result) => {
    const response = await fetch(responding(result));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ code: 'DEFAULT_5XX' });
    expect(logs.at(-1)?.message).toBe('API Gateway sent an error response of its own');
  });

  it('over 6 MB are an error of the gateway', async () => {
    expect((await fetch(`${service.url}/things?size=6300000`)).status).toBe(500);
    expect((await fetch(`${service.url}/things?size=6200000`)).status).toBe(200);
  });

  it('cannot set the headers that the gateway owns', async () => {
    const response = await fetch(
      responding({ statusCode: 200, headers: { Server: 'me', 'Content-Length': '3' }, body: 'abcdef' }),
    );
    expect(response.headers.get('server')).toBeNull();
    expect(response.headers.get('x-amzn-remapped-server')).toBe('me');
    expect(await response.text()).toBe('abcdef');
  });

  it('304 has no body and no length', async () => {
    const response = await fetch(responding({ statusCode: 304, body: '' }));
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
