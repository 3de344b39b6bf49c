/**
 * The service accepts 60 requests a minute of an address. These tests send 1,000 at once, to all
 * endpoints in turn. There is no data yet, so accepted requests get errors other than 429.
 */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startTestService, type TestResponse, type TestService } from './support.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

const LIMIT = 60;
const AT_ONCE = 1_000;
const PATHS = [
  '/api/markets?limit=1',
  '/api/events?limit=1',
  '/api/events/none',
  '/api/markets/search?q=bitcoin',
  '/api/markets/none',
  '/api/tags',
  '/api/clob/order-book?token_id=1',
  '/api/clob/order-books?token_id=1',
  '/api/clob/prices-history?token_id=1',
  '/api/status',
  '/openapi.json',
  '/llms.txt',
];

let service: TestService;
let responses: readonly TestResponse[];
beforeAll(async () => {
  service = await startTestService({ rateLimit: LIMIT, markets: 50, refresh: false });
  await service.load();
  // Half of the requests claim to come from another address.
  const forged = {
    'x-forwarded-for': '1.2.3.4',
    'x-viewer-ip': '1.2.3.4',
    forwarded: 'for=1.2.3.4',
  };
  const requests = Array.from({ length: AT_ONCE }, (_, n) =>
    service.get(PATHS[n % PATHS.length] ?? '/', { headers: n % 2 === 0 ? forged : {} }),
  );
  responses = await Promise.all(requests);
});
afterAll(() => service?.stop());

describe('the limit per client', () => {
  it('accepts exactly 60 of 1,000 simultaneous requests over all endpoints [sentence 33]', () => {
    expect(responses.filter(({ status }) => status === 429).length).toBe(AT_ONCE - LIMIT);
  });

  it('says how many requests are left, if the database counted in time', () => {
    const accepted = responses.filter(({ status }) => status !== 429);
    const left: number[] = [];
    for (const { headers } of accepted) {
      const [, requests] = /r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
      if (requests !== undefined) left.push(Number(requests));
    }
    // The process counts the other ones without the database, and does not say what is left.
    const others = accepted.length - left.length;

    expect(others).toBeLessThan(LIMIT / 2);
    expect(Math.min(...left)).toBeLessThanOrEqual(others);
    expect(Math.max(...left)).toBe(LIMIT - 1);
  });

  it('names the limit in every response', () => {
    for (const { headers } of responses)
      expect(headers.get('ratelimit-policy')).toBe(`"per-ip";q=${LIMIT};w=60`);
  });

  it('counts calls of MCP tools', async () => {
    expect((await service.get('/mcp', { method: 'POST', body: '{}' })).status).toBe(429);
  });

  it('refuses with a 429 that says when to try again [sentence 34]', async () => {
    const refused = await service.get('/api/markets');

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(refused.json).toMatchObject({
      code: 'rate_limited',
      error: expect.stringContaining('60 seconds'),
    });
  });

  it.each(['/', '/docs'])('does not count %s', async (path) => {
    const { status, headers } = await service.get(path);

    expect(status).toBe(200);
    expect(headers.get('ratelimit')).toBeNull();
  });
});
