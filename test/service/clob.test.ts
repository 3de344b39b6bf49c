import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultSpec } from 'polymarket-simulator';
import { TestService } from './support/test-service.ts';

const BOOK = '/api/clob/order-book';
const HISTORY = '/api/clob/prices-history';

let service: TestService;
let tokens: string[];

beforeAll(async () => {
  service = await TestService.start({ environment: { REQUESTS_PER_MINUTE: 'off' } });
  await service.service.refresh();
  const markets: { clobTokenId: string }[] = (await service.call('/api/markets')).json;
  tokens = markets.map(({ clobTokenId }) => clobTokenId);
}, 60_000);
afterEach(() => {
  service.upstream.clearFaults();
});
afterAll(() => service?.close());

/** A token that no test has asked for, so that nothing of it is in a cache. */
const freshToken = (): string => tokens.pop() ?? '';

describe('the order book', () => {
  it("is the upstream's object with both sides best first", async () => {
    const token = freshToken();
    const { status, json, headers } = await service.call(`${BOOK}?token_id=${token}`);
    const upstream = await fetch(`${service.upstream.url}/book?token_id=${token}`, {
      headers: { 'user-agent': 'test/1' },
    });
    const book = (await upstream.json()) as { bids: unknown[]; asks: unknown[] };
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(Object.keys(book));
    expect(json.bids).toEqual([...book.bids].reverse());
    expect(json.asks).toEqual([...book.asks].reverse());
    expect(headers.get('cache-control')).toMatch(/^public, max-age=[01], s-maxage=0/);
  });

  it('is cut to a depth, under either name of the token', async () => {
    const token = freshToken();
    const whole = (await service.call(`${BOOK}?tokenId=${token}`)).json;
    const cut = (await service.call(`${BOOK}?token_id=${token}&depth=2`)).json;
    expect([cut.bids, cut.asks]).toEqual([whole.bids.slice(0, 2), whole.asks.slice(0, 2)]);
  });

  it('of a token that the upstream has none for is 404', async () => {
    expect(await service.call(`${BOOK}?token_id=12345`)).toMatchObject({
      status: 404,
      json: { code: 'no_order_book' },
    });
  });

  it.each([
    '',
    '?token_id=',
    '?token_id=abc',
    '?token_id=-1',
    `?token_id=${'9'.repeat(78)}`,
    '?token_id=1&depth=0',
  ])('of a malformed request is 400, and nothing leaves: %s', async (query) => {
    const calls = service.upstream.state().routes.book;
    expect((await service.call(`${BOOK}${query}`)).status).toBe(400);
    expect(service.upstream.state().routes.book).toEqual(calls);
  });
});

describe('the price history', () => {
  it.each([
    ['1d', 86_400],
    ['1w', 7 * 86_400],
    ['1m', 30 * 86_400],
    ['3m', 90 * 86_400],
  ])('of %s is ascending, without a time twice, about 300 points', async (interval, seconds) => {
    const { json } = await service.call(`${HISTORY}?token_id=${tokens[0]}&interval=${interval}`);
    const times: number[] = json.history.map(({ t }: { t: number }) => t);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(times.length).toBeGreaterThan(100);
    expect(times.length).toBeLessThan(500);
    const [first = 0] = times;
    expect(Date.now() / 1_000 - first).toBeLessThan(seconds * 1.1 + 86_400);
  });

  it('raises a fidelity below the floor of the upstream', async () => {
    for (const interval of ['1w', '1m', '3m']) {
      expect(
        (await service.call(`${HISTORY}?market=${tokens[1]}&interval=${interval}&fidelity=1`)).status,
      ).toBe(200);
    }
  });

  it('of an unknown token is empty', async () => {
    expect((await service.call(`${HISTORY}?token_id=12345`)).json).toEqual({ history: [] });
  });
});

describe('a bad upstream', () => {
  const FAULTS: readonly [string, Omit<FaultSpec, 'route'>][] = [
    ['is reset', { kind: 'reset' }],
    ['is reset while it responds', { kind: 'reset-body' }],
    ['responds with 500', { kind: 'status', status: 500 }],
    ['responds with 400', { kind: 'status', status: 400 }],
    ['responds with 425', { kind: 'status', status: 425 }],
    ['responds with 429', { kind: 'status', status: 429 }],
    ['responds with HTML and 403', { kind: 'html', status: 403 }],
    ['responds with HTML and 200', { kind: 'html', status: 200 }],
    ['cuts its JSON short', { kind: 'truncate' }],
    ['responds with an error and 200', { kind: 'error-200' }],
    ['responds in another shape', { kind: 'nonsense', variant: 'values' }],
    ['never responds', { kind: 'hang' }],
  ];
  const ENDPOINTS = [
    [BOOK, 'book'],
    [HISTORY, '*'],
  ] as const;

  for (const [path, route] of ENDPOINTS) {
    it.each(FAULTS)(`${path} is 502 in our words within five seconds when it %s`, async (_, fault) => {
      service.upstream.addFault({ ...fault, route } as FaultSpec);
      const began = performance.now();
      const { status, json, headers, text } = await service.call(`${path}?token_id=${freshToken()}`);
      expect([status, json.code]).toEqual([502, 'upstream_unavailable']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).not.toMatch(/html|Too Many|cloudflare|fetch failed/i);
      expect(performance.now() - began).toBeLessThan(5_000);
    });
  }

  it('leaves the history that the service itself remembers when all routes are gone', async () => {
    const token = freshToken();
    const prices = Array.from({ length: 20 }, (_, n) => (n + 1) / 100);
    await service.remember(token, prices);
    for (const route of ['prices-history', 'batch-prices-history', 'data-prices-history'] as const) {
      service.upstream.addFault({ route, kind: 'status', status: 502 });
    }
    for (const interval of ['1d', '1m']) {
      const { status, headers, json } = await service.call(
        `${HISTORY}?token_id=${token}&interval=${interval}`,
      );
      expect([status, headers.get('x-data-source')]).toEqual([200, 'memory']);
      expect(headers.get('access-control-expose-headers')).toContain('X-Data-Source');
      expect(headers.get('cache-control')).toMatch(/^public, max-age=(60|59|58)/);
      const remembered: number[] = json.history.map(({ p }: { p: number }) => p);
      expect(remembered.slice(0, prices.length)).toEqual(prices);
    }
    expect((await service.call(`${HISTORY}?token_id=${freshToken()}`)).status).toBe(502);
    expect((await service.call(`${HISTORY}?token_id=abc`)).status).toBe(400);
  });

  it('costs a price history nothing while one of its routes is well', async () => {
    service.upstream.addFault({ route: 'prices-history', kind: 'status', status: 410 });
    for (const interval of ['1d', '1w', '1m', '3m']) {
      const { status, json } = await service.call(`${HISTORY}?token_id=${freshToken()}&interval=${interval}`);
      expect(status).toBe(200);
      expect(json.history.length).toBeGreaterThan(0);
    }
  });

  it('says when to come back when the limit of upstream is reached', async () => {
    service.upstream.addFault({ route: 'book', kind: 'status', status: 429 });
    const { status, headers } = await service.call(`${BOOK}?token_id=${freshToken()}`);
    expect([status, headers.get('retry-after')]).toEqual([502, '10']);
  });

  it('is asked once for many callers at once', async () => {
    service.upstream.addFault({ route: 'book', kind: 'slow', ms: 300 });
    const token = freshToken();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => service.call(`${BOOK}?token_id=${token}`)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
