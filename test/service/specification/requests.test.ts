import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { pipeline } from '../../../lambda/app/http/pipeline.ts';
import { gatewayServer } from '../../../local/http-server.ts';
import { listen } from '../../../local/simulator/listen.ts';
import { resources, template } from '../../lib/templates.ts';
import { clock, type Row, startTestService, type TestResponse } from '../support.ts';
import { sentence } from './sentences.ts';
import { began, bookOf, codeOf, type History, service, token, upstream, upstreamNow, withTime } from './service.ts';

const MINUTE_MS = 60_000;
const DAY_SECONDS = 86_400;
const limited = await startTestService({ markets: 50, rateLimit: 60, refresh: false });
afterAll(() => limited.stop());
clock.stopped = Date.now();

const historyOf = async (query: string) =>
  ((await service.get(`/api/clob/prices-history?token_id=${token}${query}`)).json as History).history;
const search = (q: string, rest = '') => service.get(`/api/markets/search?q=${encodeURIComponent(q)}${rest}`);
const rowsOf = ({ json }: TestResponse) => json as readonly Row[];

describe('the search', () => {
  sentence(23, async () => {
    expect(codeOf(await service.get('/api/markets/search'))).toEqual([400, 'missing_parameter']);
    for (const q of ['b', 'b'.repeat(201)]) expect(codeOf(await search(q))).toEqual([400, 'invalid_parameter']);
    for (const q of ['bi', 'b'.repeat(200)]) expect((await search(q)).status).toBe(200);
  });

  sentence(24, async () => {
    const plain = rowsOf(await search('bitcoin'));
    expect(plain.length).toBeGreaterThan(0);
    expect(rowsOf(await search('bit&co=in?#%'))).toEqual(plain);
    expect(rowsOf(await search('BitCoin'))).toEqual(plain);
  });

  sentence(25, async () => {
    const lengths = [rowsOf(await search('sports')), rowsOf(await search('sports', '&limit=51'))].map(
      (rows) => rows.length,
    );
    expect(lengths).toEqual([20, 50]);
  });

  sentence(26, async () => {
    for (const category of ['election', 'crypto', 'sports', 'economics', 'tech']) {
      const response = await search(category, '&limit=50&fields=tags,question');
      expect([category, response.headers.get('x-search-match')]).toEqual([category, 'category']);
      expect(response.headers.get('x-total-count')).toBe(
        (await service.get(`/api/markets?category=${category}&limit=1`)).headers.get('x-total-count'),
      );
    }
  });

  sentence(27, async () => {
    const word = 'december';
    const response = await search(word, '&limit=50');
    expect(response.headers.get('x-search-match')).toBe('all');
    const texts = rowsOf(await search(word, '&limit=50&fields=question,slug,eventTitle')).map((row) =>
      Object.values(row).join(' ').toLowerCase(),
    );
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toContain(word.slice(0, 3));
    expect(rowsOf(await search('bitcon'))[0]?.question).toMatch(/bitcoin/i);
  });
});

describe('order books and price histories', () => {
  sentence(28, async () => {
    const { outcomes } = (await service.get(`/api/markets/${token}`)).json as { outcomes: { tokenId: string }[] };
    for (const { tokenId } of outcomes) expect(await bookOf(tokenId)).toMatchObject({ asset_id: tokenId });
  });

  sentence(29, async () => {
    const { bids, asks } = await bookOf(token);
    const [buy, sell] = [bids, asks].map((levels) => levels.map(({ price }) => Number(price)));
    expect(Math.min(bids.length, asks.length)).toBeGreaterThan(1);
    expect(buy).toEqual(buy?.toSorted((a, b) => b - a));
    expect(sell).toEqual(sell?.toSorted((a, b) => a - b));
  });

  sentence(30, async () => {
    const { bids, asks } = await bookOf(token);
    for (const { price, size } of [...bids, ...asks]) {
      expect(price).toMatch(/^0?\.\d+$/);
      expect(Number(size)).toBeGreaterThan(0);
    }
  });

  sentence(31, async () => {
    const history = await historyOf('&interval=1d');
    const window = `startTs=${history[0]?.t}&endTs=${history.at(-1)?.t}`;
    const { history: theirs } = (await upstream(
      `/prices-history?market=${token}&${window}&fidelity=1`,
    )) as never as History;
    expect(history.length).toBeGreaterThan(1_000);
    const prices = new Map(theirs.map(({ t, p }) => [t, p]));
    for (const { t, p } of history.slice(0, 1_000)) expect([t, p]).toEqual([t, prices.get(t)]);
  });

  sentence(32, async () => {
    for (const [interval, days] of [
      ['1d', 1],
      ['1w', 7],
      ['1m', 30],
      ['3m', 90],
    ] as const) {
      const [from] = await historyOf(`&interval=${interval}`);
      expect(Number(from?.t)).toBeGreaterThanOrEqual(began / 1_000 - (days + 1.1) * DAY_SECONDS);
    }
    expect((await historyOf('')).slice(0, 500)).toEqual((await historyOf('&interval=1d')).slice(0, 500));
    expect(codeOf(await service.get(`/api/clob/prices-history?token_id=${token}&interval=2d`))).toEqual([
      400,
      'invalid_parameter',
    ]);
  });
});

describe('limits and errors', () => {
  let responses: readonly TestResponse[] = [];
  beforeAll(async () => {
    const paths = [
      '/api/markets',
      '/api/markets/search?q=tech',
      '/api/clob/order-book?token_id=1',
      '/api/clob/prices-history?token_id=1',
    ];
    responses = await Promise.all(Array.from({ length: 100 }, (_, n) => limited.get(paths[n % 4] ?? '')));
  });

  sentence(33, () => {
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  sentence(34, () => {
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => '60'));
    const gateway = resources(template('dev'), 'AWS::ApiGateway::GatewayResponse').map(
      ([, { Properties }]) => Properties,
    );
    const quota = gateway.find(({ ResponseType }) => ResponseType === 'QUOTA_EXCEEDED');
    expect(JSON.stringify(quota?.ResponseParameters)).toContain(`"gatewayresponse.header.Retry-After":"'3600'"`);
  });

  sentence(35, () =>
    withTime(async () => {
      const other = await startTestService({ markets: 100, now: upstreamNow });
      const read = (path: string) => other.get(path);
      const [started, before] = [Date.now(), await other.newestId()];
      other.simulator.addFault({ route: 'gamma', kind: 'status', status: 503 });
      try {
        clock.ahead = 11 * MINUTE_MS;
        await other.refresh('prices');
        const { status, headers } = await read('/api/markets?limit=1');
        expect(headers.get('x-snapshot-id')).not.toBe(before);
        expect([status, Date.parse(headers.get('x-catalogue-as-of') ?? '') <= started]).toEqual([200, true]);
        expect((await read('/api/status')).json).toMatchObject({ status: 'degraded', reason: expect.any(String) });
        clock.ahead = 64 * MINUTE_MS;
        await expect(other.refresh('full', 3_000)).rejects.toThrow();
        for (const path of ['/api/markets', '/api/markets/search?q=tech'])
          expect(codeOf(await read(path))).toEqual([502, 'snapshot_stale']);
      } finally {
        await other.stop();
      }
    }),
  );

  sentence(36, () =>
    withTime(async () => {
      service.simulator.addFault({ route: '*', kind: 'status', status: 503 });
      for (const path of ['order-book', 'prices-history'])
        expect(codeOf(await service.get(`/api/clob/${path}?token_id=123${path.length}`))).toEqual([
          502,
          'upstream_unavailable',
        ]);
      service.simulator.clearFaults();
    }),
  );

  sentence(37, async () => {
    const fail = (): never => {
      throw new Error('a secret detail');
    };
    const logger = { error: () => undefined, warn: () => undefined };
    const metrics = { add: () => undefined, flush: () => undefined };
    const rateLimit = { callers: { frontDoor: false, publicKeyIds: [] }, limiter: undefined };
    const handler = pipeline({ route: 'get-status', logger, metrics, rateLimit, endpoint: fail });
    const server = gatewayServer(
      (_, event) => handler(event, {} as never),
      () => undefined,
    );
    const response = await fetch(`${await listen(server, 0)}/api/status`);
    const body = await response.text();
    server.close();
    server.closeAllConnections();
    expect([response.status, JSON.parse(body)]).toEqual([
      500,
      { error: expect.any(String), code: 'internal_error', requestId: expect.any(String) },
    ]);
    expect(body).not.toContain('secret');
  });

  sentence(38, async () => {
    const send = (length: number) => service.get('/mcp', { method: 'POST', body: 'x'.repeat(length) });
    expect(codeOf(await send(20_001))).toEqual([413, 'body_too_large']);
    expect((await send(20_000)).status).not.toBe(413);
  });
});
