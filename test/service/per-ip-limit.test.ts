import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REQUESTS_PER_MINUTE } from '../../lambda/contract/constants.ts';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { TestService } from './support/test-service.ts';

const LIST = '/api/markets?limit=1';
const SEARCH = '/api/markets/search?q=market';
/** Few of them go to the live proxies, whose methods have throttles of their own. */
const PATHS = [
  LIST,
  '/api/clob/order-book?token_id=1',
  SEARCH,
  '/api/clob/prices-history?token_id=many',
  ...Array.from({ length: 4 }, () => [LIST, SEARCH]).flat(),
];
const FIRST_REQUESTS = 200;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await service.publish([snapshotEntry(1)]);
}, 60_000);
afterAll(() => service?.close());

describe('one IP', () => {
  it('gets exactly 60 of 200 concurrent first requests served, over all endpoints and their containers', async () => {
    const requests = Array.from({ length: FIRST_REQUESTS }, (_, index) =>
      service.call(PATHS[index % PATHS.length] ?? '', {
        // Names that a caller may write himself, a new one each time.
        headers: {
          'x-forwarded-for': `198.51.100.${index}`,
          forwarded: `for=198.51.100.${index}`,
          'cloudfront-viewer-address': `198.51.100.${index}:443`,
        },
      }),
    );
    const responses = await Promise.all(requests);
    const served = responses.filter(({ status }) => status !== 429);
    expect(served).toHaveLength(REQUESTS_PER_MINUTE);
    expect(responses.every(({ headers }) => headers.get('ratelimit-policy') === '"per-ip";q=60;w=60')).toBe(
      true,
    );
    const left = served.map(({ headers }) =>
      Number(/;r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]),
    );
    expect(left.sort((a, b) => b - a)).toEqual(
      Array.from({ length: REQUESTS_PER_MINUTE }, (_, index) => 59 - index),
    );
  });

  it('is refused in the form of every error then, by every method', async () => {
    const refused = await service.call('/api/markets');
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.headers.get('ratelimit')).toMatch(/^"per-ip";r=0;t=\d+$/);
    for (const method of ['HEAD', 'POST', 'DELETE']) {
      expect((await service.call('/api/markets/search', { method })).status).toBe(429);
    }
  });

  it('still sees what is free', async () => {
    for (const path of ['/api/status', '/openapi.json']) {
      const { status, headers } = await service.call(path);
      expect([status, headers.get('ratelimit-policy')]).toEqual([200, null]);
    }
    const preflight = await fetch(`${service.service.url}/api/markets`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
  });

  it('is named in no log line', () => {
    const lines = JSON.stringify(service.logs);
    expect(lines).toContain('Refused by the per-IP limit');
    expect(lines).not.toMatch(/127\.0\.0\.1|198\.51\.100/);
    expect(lines).not.toContain('unavailable');
  });
});
