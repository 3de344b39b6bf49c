import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REQUESTS_PER_MINUTE } from '../../lambda/contract/constants.ts';
import { projectAssembly } from '../../local/assembly.ts';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { TestService } from './support/test-service.ts';

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  const assembly = await projectAssembly({ edge: 'false' });
  service = await TestService.start({ service: { assembly } });
  await service.publish(Array.from({ length: 25 }, (_, n) => snapshotEntry(n)));
  headers = { 'x-api-key': service.service.publicKey ?? '' };
}, 180_000);
afterAll(async () => {
  await service?.close();
});

describe('the API without a front door', () => {
  it('is where callers begin, wants its public key, and responds to preflights without one', async () => {
    expect(service.service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dev$/);
    expect(service.service.url).toBe(service.service.apiUrl);
    expect((await service.call('/api/status')).status).toBe(403);
    expect((await service.call('/api/status', { headers })).status).toBe(200);
    const preflight = await fetch(`${service.service.url}/api/markets`, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, '*']);
  });

  it('has links that lead on', async () => {
    const first = await service.call('/api/markets?limit=20', { headers });
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect(next).toMatch(/^\/dev\/api\/markets\?/);
    const second = await fetch(new URL(next, service.service.url), { headers });
    expect(second.status).toBe(200);
    expect(await second.json()).toHaveLength(5);
  });

  it('has documents whose addresses lead to it', async () => {
    const openApiUrl = `${service.service.url}/openapi.json`;
    const { servers, paths } = (await service.call('/openapi.json', { headers })).json;
    // A path is appended to the server's URL, which is relative to that of the document (OpenAPI 3.1).
    const server = new URL(servers[0].url, openApiUrl).href.replace(/\/$/, '');
    expect(server).toBe(service.service.url);
    expect((await fetch(`${server}/api/status`, { headers })).status).toBe(200);

    const { text } = await service.call('/llms.txt', { headers });
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(
      ([, target = '']) => new URL(target, `${service.service.url}/llms.txt`).href,
    );
    const described = Object.keys(paths).filter((path) => path !== '/llms.txt');
    expect(new Set(targets.map(decodeURI))).toEqual(new Set(described.map((path) => server + path)));
    const status = targets.find((target) => target.endsWith('/api/status')) ?? '';
    expect((await fetch(status, { headers })).status).toBe(200);
  });

  it('lets nobody choose the address they are counted by', async () => {
    const requests = Array.from({ length: 120 }, (_, n) =>
      service.call('/api/markets?limit=1', {
        headers: { ...headers, 'CloudFront-Viewer-Address': `198.51.100.${n}:443` },
      }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    // Two requests went before.
    expect(statuses.filter((status) => status === 200)).toHaveLength(REQUESTS_PER_MINUTE - 2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(120 - REQUESTS_PER_MINUTE + 2);
  });
});
