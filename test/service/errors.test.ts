import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALLOWED_METHODS, EXPOSED_HEADERS } from '../../lambda/contract/headers.ts';
import { examplePath, GET_ROUTES } from '../../lambda/contract/routes.ts';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { TestService } from './support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ environment: { REQUESTS_PER_MINUTE: 'off' } });
  await service.publish([snapshotEntry(1)]);
}, 60_000);
afterAll(() => service?.close());

const PATHS = GET_ROUTES.map(examplePath);

describe('an unknown path', () => {
  it.each(['/api', '/api/market', '/favicon.ico', '/api/markets/search/x', '/%2e%2e/etc'])(
    'is a JSON 404: %s',
    async (path) => {
      expect(await service.call(path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
    },
  );
});

describe.each(PATHS)('%s', (path) => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'responds to %s with 405 and what is allowed',
    async (method) => {
      const { status, json, headers } = await service.call(path, { method });
      expect([status, json.code, headers.get('allow')]).toEqual([
        405,
        'method_not_allowed',
        'GET, HEAD, OPTIONS',
      ]);
    },
  );

  it('refuses a POST of more than 20,000 characters with 413, whatever their bytes', async () => {
    const post = (body: string) => service.call(path, { method: 'POST', body });
    expect((await post('é'.repeat(20_000))).status).toBe(405);
    expect(await post('é'.repeat(20_001))).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
  });

  it('lets a preflight of any page pass without a key', async () => {
    const response = await fetch(`${service.service.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'GET' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')?.split(/, ?/).sort()).toEqual(
      [...ALLOWED_METHODS].sort(),
    );
  });

  it('is not there around the front door without a key', async () => {
    const response = await fetch(`${service.service.apiUrl}${path}`);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      403,
      'missing_api_key',
    ]);
    const wrong = await fetch(`${service.service.apiUrl}${path}`, { headers: { 'x-api-key': 'guess' } });
    expect(wrong.status).toBe(403);
  });

  it('responds to HEAD without a body', async () => {
    const { text } = await service.call(path, { method: 'HEAD' });
    expect(text).toBe('');
  });
});

describe('every response', () => {
  it.each(['/api/markets', '/api/markets?limit=0', '/nope', '/api/status'])(
    'of %s can be read by any page',
    async (path) => {
      const { headers } = await service.call(path, { headers: { origin: 'https://example.org' } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe(EXPOSED_HEADERS.join(', '));
      expect(headers.get('x-request-id')).toBeTruthy();
    },
  );

  it('that is an error names its request, and says nothing of what is inside', async () => {
    for (const path of ['/api/markets?limit=0', '/api/markets/search', '/nope']) {
      const { json, headers } = await service.call(path);
      expect(json.requestId).toBe(headers.get('x-request-id'));
      expect(headers.get('cache-control')).toBe('no-store');
      expect(JSON.stringify(json)).not.toMatch(/node_modules|\.ts|dynamodb|Table|stack/i);
    }
  });
});

describe('a request that is no HTTP', () => {
  it.each(['GET /api/markets/search?q=mbapp\u00e9 HTTP/1.1', 'FOO /api/markets HTTP/1.1'])(
    'is a JSON 400 all the same: %s',
    async (line) => {
      const { hostname, port } = new URL(service.service.url);
      const socket = connect(Number(port), hostname);
      socket.end(`${line}\r\nHost: ${hostname}\r\n\r\n`);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk);
      const response = Buffer.concat(chunks).toString();
      expect(response).toMatch(/^HTTP\/1.1 400 /);
      expect(response).toContain('Access-Control-Allow-Origin: *');
      expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'bad_request' });
    },
  );
});

describe('a table that cannot be read', () => {
  it('is a 502 without its cause, which goes to the log, on every route that reads it', async () => {
    const broken = await TestService.start({ environment: { SNAPSHOT_TABLE: 'no-such-table' } });
    const snapshot = '20261121T120000000Z-00000000';
    try {
      for (const path of ['/api/status', '/api/markets', `/api/markets?snapshot=${snapshot}`]) {
        const { status, json } = await broken.call(path);
        expect([path, status, json.code]).toEqual([path, 502, 'snapshot_missing']);
        expect(json.error).not.toContain('table');
      }
      const lines = broken.logs.filter(({ message }) => message === 'Responded with an error');
      expect(lines).toHaveLength(2); // one a container in ten seconds
      for (const { level, keys } of lines) {
        expect(level).toBe('WARN');
        expect(String(keys.cause)).toContain('ResourceNotFoundException');
      }
    } finally {
      await broken.close();
    }
  }, 60_000);
});
