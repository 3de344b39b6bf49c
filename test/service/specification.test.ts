import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pipeline } from '../../lambda/app/http/pipeline.ts';
import { ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import { isPageRoute } from '../../lambda/core/contract/route-type.ts';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { gatewayServer } from '../../local/http-server.ts';
import { listen } from '../../local/simulator/listen.ts';
import { only, resources, template } from '../lib/templates.ts';
import { eventually, type Row, startTestService, type TestResponse } from './support.ts';

const MINUTE_MS = 60_000;
const DAY_SECONDS = 86_400;
const SENTENCES = new Map(
  [...readFileSync('docs/specification.md', 'utf8').matchAll(/^(\d+)\. (.+(?:\n {3,4}\S.*)*)/gm)].map(
    ([, number, text = '']) => [Number(number), text.replace(/\s+/g, ' ').split(' _De')[0] ?? ''],
  ),
);
const shown: number[] = [];

/** The test of a sentence of docs/specification.md. A failure prints the sentence. */
function sentence(number: number, check: () => Promise<void> | void): void {
  shown.push(number);
  it(`${number}. ${SENTENCES.get(number)}`, check);
}

/** How far the clocks of the services are ahead. */
let ahead = 0;
/** Where they stand still: data that is read after a slow set-up is as fresh as after a fast one. */
let stopped: number | undefined;
const began = Date.now();
jest.spyOn(systemClock, 'now').mockImplementation(() => (stopped ?? Date.now()) + ahead);
/** More markets than the list holds. Histories of Protocol V2 need a call each, which the limits spread over a minute. */
const large = await startTestService({ markets: 2_100, v2Share: 0, now: () => began + ahead });
const service = await startTestService({ markets: 400, v2Share: 0.05, now: () => began + ahead });
const limited = await startTestService({ markets: 50, rateLimit: 60, refresh: false });
afterAll(() => Promise.all([service.stop(), large.stop(), limited.stop()]));

// The first run publishes before it has read the histories. The upstream's clock stands still, so its prices do not move.
await service.refresh('full');
const first = await eventually(async () => {
  const list = await service.get('/api/markets');
  expect(list.headers.get('x-snapshot-id')).toBe(await service.newestId());
  return list;
});
const all = await service.list('/api/markets?limit=1000');
const top = all.slice(0, 20);
const page = await large.get('/api/markets');
const listed = page.json as Row[];
const whole = [...listed];
for (let offset = 500; offset < 2_500; offset += 500)
  whole.push(...(await large.list(`/api/markets?offset=${offset}`)));
stopped = Date.now();
const routesOfSetUp = Object.keys(service.simulator.calls());
const asOf = Date.parse(first.headers.get('last-modified') ?? '') / 1_000;
const token = String(top.find(({ endDate }) => Date.parse(String(endDate)) > began)?.clobTokenId);

async function upstream(path: string, { simulator } = service): Promise<Record<string, unknown>> {
  return (await (await fetch(`${simulator.url}${path}`, { headers: { 'user-agent': 'test' } })).json()) as Record<
    string,
    unknown
  >;
}

/** The catalogue's record of a market. */
async function recordOf({ id }: Row): Promise<Row> {
  const { markets } = await upstream(`/markets/keyset?condition_ids=${id}&closed=false`);
  return (markets as Row[])[0] as Row;
}

interface Levels {
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
}
const bookOf = async (id: unknown) =>
  (await service.get(`/api/clob/order-book?token_id=${id}`)).json as Levels & Readonly<Record<string, unknown>>;

interface History {
  readonly history: readonly { readonly t: number; readonly p: number }[];
}
const historyOf = async (query: string) =>
  ((await service.get(`/api/clob/prices-history?token_id=${token}${query}`)).json as History).history;

/** Checks that a change is the one from a price that the upstream had around the start of the window. */
async function expectChange({ clobTokenId, midpoint }: Row, days: number, change: unknown): Promise<void> {
  const start = asOf - days * DAY_SECONDS;
  const window = `startTs=${start - 6 * 3_600}&endTs=${start + 0.05 * days * DAY_SECONDS}`;
  const { history } = (await upstream(
    `/prices-history?market=${clobTokenId}&${window}&fidelity=10`,
  )) as never as History;
  const prices = history.map(({ p }) => 100 * p);
  const before = 100 * Number(midpoint) - Number(change);
  expect(before).toBeGreaterThanOrEqual(Math.min(...prices) - 0.001);
  expect(before).toBeLessThanOrEqual(Math.max(...prices) + 0.001);
}

/** Protocol V2 writes 31 of the 32 bytes of a condition id. */
const padded = (id: unknown): string => String(id).padEnd(66, '0');
/** Runs a check with clocks that move, which limits of calls need. */
async function withTime(check: () => Promise<void>): Promise<void> {
  const before = stopped;
  stopped = undefined;
  try {
    await check();
  } finally {
    [ahead, stopped] = [0, before];
  }
}

const codeOf = ({ status, json }: TestResponse): unknown => [status, (json as Row).code];

describe('the service', () => {
  sentence(1, async () => {
    const { json } = await large.get('/api/status');
    expect(json).toMatchObject({ markets: 2_000, maxMarkets: 2_000, isCut: true, skippedByReason: expect.any(Object) });
  });

  sentence(2, async () => {
    const rows = await service.list(
      '/api/markets?limit=20&fields=oneDayPriceChange,sevenDayPriceChange,thirtyDayPriceChange',
    );
    for (const days of ['oneDay', 'sevenDay', 'thirtyDay'])
      expect(rows.filter((row) => typeof row[`${days}PriceChange`] === 'number').length).toBeGreaterThan(10);
    // Without samples of its own, the service can only have them from the upstream's histories.
    expect(routesOfSetUp).toContain('batch-prices-history');
  });

  sentence(3, async () => {
    expect(new Set(whole.map(({ id }) => id)).size).toBe(2_000);
    expect((await service.list('/api/markets/search?q=bitcoin')).length).toBeGreaterThan(0);
  });

  sentence(4, async () => {
    for (const path of ['order-book', 'prices-history']) {
      const url = `/api/clob/${path}?token_id=${token}`;
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await service.get(url, { method, headers: { origin: 'https://example.com' } });
        expect(headers.get('access-control-allow-origin')).toBe('*');
      }
    }
  });

  sentence(5, async () => {
    const [own, theirs] = [await bookOf(token), await upstream(`/book?token_id=${token}`)];
    expect(Object.keys(own)).toEqual(Object.keys(theirs));
    expect(own).toEqual({ ...theirs, bids: (theirs as never as Levels).bids.toReversed(), asks: own.asks });
    expect(own.asks).toEqual((theirs as never as Levels).asks.toReversed());
  });

  sentence(6, async () => {
    for (const market of top) expect((await recordOf(market)).question).toBe(market.question);
    expect(Number(stopped) / 1_000 - asOf).toBeLessThan(120);
    const seen = async () => {
      const [list, status] = [await service.get('/api/markets?limit=1'), await service.get('/api/status')];
      return [list.status, (status.json as Row).status];
    };
    const age = Number(stopped) - asOf * 1_000;
    ahead = 125_000 - age;
    expect(await seen()).toEqual([200, 'stale']);
    ahead = 152_000 - age;
    expect(await seen()).toEqual([502, 'stale']);
    ahead = 0;
  });

  sentence(7, async () => {
    service.simulator.clearCalls();
    for (let n = 0; n < 20; n++) await service.list(`/api/markets?offset=${n}`);
    await service.list('/api/markets/search?q=election');
    expect(service.simulator.calls()).toEqual({});
  });

  sentence(8, async () => {
    for (const { path, core } of Object.values<Route>(ROUTES)) {
      if (!core) continue;
      const query = path.includes('clob') ? `?token_id=${token}` : '?q=bitcoin';
      expect([path, (await service.get(path + query, { method: 'HEAD' })).status]).toEqual([path, 200]);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect(codeOf(await service.get(path + query, { method }))).toEqual([405, 'method_not_allowed']);
    }
  });

  sentence(9, async () => {
    const paths = ['/api/markets', '/api/markets/search?q=tech', `/api/clob/order-book?token_id=${token}`, '/nothing'];
    for (const path of paths)
      expect((await service.get(path)).headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const [format, type] of [
      ['csv', 'text/csv'],
      ['atom', 'application/atom+xml'],
    ])
      expect((await service.get(`/api/markets?format=${format}`)).headers.get('content-type')).toContain(type);
  });

  sentence(10, async () => {
    // No request of this file sends credentials.
    expect((await service.get('/api/markets', { headers: { authorization: 'Bearer wrong' } })).status).toBe(200);
  });
});

describe('a market', () => {
  sentence(11, async () => {
    for (const { id } of all) expect(id).toMatch(/^0x([0-9a-f]{62}|[0-9a-f]{64})$/);
    for (const market of top) expect(padded((await recordOf(market)).conditionId)).toBe(padded(market.id));
  });

  sentence(12, async () => {
    for (const market of top) {
      const { question, slug } = await recordOf(market);
      expect(market).toMatchObject({ question, slug });
    }
  });

  sentence(13, async () => {
    const rows = await service.list(
      '/api/markets?limit=1000&fields=clobTokenId,currentProbability,bestBid,bestAsk,priceSource',
    );
    const books = rows.filter(({ priceSource }) => priceSource === 'book');
    expect(books.length).toBeGreaterThan(300);
    for (const { currentProbability } of rows) {
      expect(currentProbability).toBeGreaterThanOrEqual(0);
      expect(currentProbability).toBeLessThanOrEqual(100);
    }
    for (const { clobTokenId, currentProbability } of books.slice(0, 20)) {
      const { bids, asks } = await bookOf(clobTokenId);
      expect(currentProbability).toBeCloseTo(50 * (Number(bids[0]?.price ?? 0) + Number(asks[0]?.price ?? 1)), 3);
    }
  });

  sentence(14, async () => {
    for (const market of top) {
      const { volumeNum, liquidityNum } = await recordOf(market);
      // A page of the catalogue is up to five minutes old.
      expect(Number(market.volume) / Number(volumeNum)).toBeCloseTo(1, 1);
      expect(Number(market.liquidity) / Number(liquidityNum)).toBeCloseTo(1, 1);
    }
  });

  sentence(15, async () => {
    const rows = await service.list('/api/markets?limit=1000&fields=clobTokenId,oneDayPriceChange,midpoint,spread');
    const known = rows.filter(({ oneDayPriceChange }) => oneDayPriceChange !== null);
    for (const row of known.slice(0, 30)) await expectChange(row, 1, row.oneDayPriceChange);
    const wide = rows.filter(({ spread }) => Number(spread) > 0.101);
    expect(wide.length).toBeGreaterThan(0);
    expect(wide.filter(({ oneDayPriceChange }) => oneDayPriceChange !== null)).toEqual([]);
  });

  sentence(16, async () => {
    const fields = 'fields=clobTokenId,midpoint,sevenDayPriceChange,thirtyDayPriceChange';
    for (const row of await service.list(`/api/markets?limit=20&${fields}`)) {
      if (row.sevenDayPriceChange !== undefined) await expectChange(row, 7, row.sevenDayPriceChange);
      if (row.thirtyDayPriceChange !== undefined) await expectChange(row, 30, row.thirtyDayPriceChange);
    }
    const having = all.flatMap((row, n) => ('sevenDayPriceChange' in row || 'thirtyDayPriceChange' in row ? [n] : []));
    expect(having.length).toBeGreaterThan(10);
    expect(Math.max(...having)).toBeLessThan(20);
    expect(await service.list(`/api/markets?offset=20&limit=1&${fields}`)).toEqual([
      expect.objectContaining({ sevenDayPriceChange: expect.any(Number) }),
    ]);
  });

  sentence(17, async () => {
    for (const market of top) {
      const { endDate } = await recordOf(market);
      expect(market.endDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      expect(Date.parse(String(market.endDate))).toBe(Date.parse(String(endDate)));
    }
  });

  sentence(18, async () => {
    for (const { id, clobTokenId } of top.slice(0, 5))
      expect(padded((await bookOf(clobTokenId)).market)).toBe(padded(id));
  });

  sentence(19, async () => {
    const byId = new Map(all.map((market) => [market.id, market]));
    const found = await service.list('/api/markets/search?q=election');
    expect(found).toHaveLength(20);
    expect(found).toEqual(found.map(({ id }) => byId.get(id)));
  });
});

describe('the list', () => {
  sentence(20, async () => {
    expect(listed).toHaveLength(500);
    expect(await large.list('/api/markets?limit=3')).toEqual(listed.slice(0, 3));
    const byVolume = (a: Row, b: Row) => Number(b.volume) - Number(a.volume) || (String(a.id) < String(b.id) ? -1 : 1);
    expect(whole.map(({ id }) => id)).toEqual(whole.toSorted(byVolume).map(({ id }) => id));
  });

  sentence(21, async () => {
    expect(await large.list('/api/markets?offset=0')).toEqual(listed);
    expect(await large.list('/api/markets?limit=5&offset=7')).toEqual(whole.slice(7, 12));
    expect(await large.list('/api/markets?offset=2000')).toEqual([]);
  });

  sentence(22, async () => {
    expect(page.headers.get('x-total-count')).toBe('2000');
    expect(whole).toHaveLength(2_000);
    const { markets } = await upstream('/markets/keyset?order=volumeNum&ascending=false&closed=false&limit=50', large);
    const ids = new Set(whole.map(({ id }) => padded(id)));
    expect((markets as Row[]).filter(({ conditionId }) => !ids.has(padded(conditionId))).length).toBeLessThan(10);
  });
});

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
    expect(theirs).toEqual(expect.arrayContaining([...history.slice(0, 1_000)]));
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
      const other = await startTestService({ markets: 100, now: () => began + ahead });
      const read = (path: string) => other.get(path);
      const [started, before] = [Date.now(), await other.newestId()];
      other.simulator.addFault({ route: 'gamma', kind: 'status', status: 503 });
      try {
        ahead = 11 * MINUTE_MS;
        await other.refresh('prices');
        const { status, headers } = await eventually(async () => {
          const list = await read('/api/markets?limit=1');
          expect(list.headers.get('x-snapshot-id')).not.toBe(before);
          return list;
        });
        expect([status, Date.parse(headers.get('x-catalogue-as-of') ?? '') <= started]).toEqual([200, true]);
        expect((await read('/api/status')).json).toMatchObject({ status: 'degraded', reason: expect.any(String) });
        ahead = 64 * MINUTE_MS;
        await expect(other.refresh('full', 5_000)).rejects.toThrow();
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
    const handler = pipeline({ route: 'get-status', logger, endpoint: fail });
    const server = gatewayServer(
      (_, event) => handler(event, {} as never),
      () => undefined,
    );
    const response = await fetch(`${await listen(server, 0)}/api/status`);
    const body = await response.text();
    server.close();
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

describe('on AWS', () => {
  const dev = template('dev');
  const typesOf = (service: string) =>
    Object.values(dev.Resources).flatMap(({ Type }) => (Type.startsWith(`AWS::${service}::`) ? [Type] : []));

  sentence(39, () => {
    const { app } = JSON.parse(readFileSync('cdk.json', 'utf8'));
    expect(app).toContain('bin/market-data-proxy.ts');
    expect(dev.Outputs).toHaveProperty('BaseUrl');
  });

  sentence(40, () => {
    const plans = resources(dev, 'AWS::ApiGateway::UsagePlan').map(([, { Properties }]) => Properties.Throttle);
    expect(plans).toContainEqual({ RateLimit: 20, BurstLimit: 200 });
    for (const [, { Properties }] of resources(dev, 'AWS::ApiGateway::Method'))
      expect(Properties.ApiKeyRequired).toBe(true);
  });

  sentence(41, () => {
    const functions = resources(dev, 'AWS::Lambda::Function').map(([id]) => id);
    const names = Object.entries<Route>(ROUTES).flatMap(([name, route]) => (isPageRoute(route) ? [] : [name]));
    for (const name of [...names, 'get-page']) {
      const id = `Read${name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
      expect([name, functions.filter((one) => one.slice(0, -8) === id)]).toEqual([name, [expect.any(String)]]);
    }
  });

  sentence(42, () => {
    const expressions = resources(dev, 'AWS::Scheduler::Schedule').map(([, { Properties }]) =>
      JSON.stringify(Properties),
    );
    const runs = expressions.filter((text) => /\\"kind\\":\\"(full|prices)\\"/.test(text));
    const minutes = runs.flatMap((text) => /cron\(([\d,/*]+) /.exec(text)?.[1]?.split(',') ?? []);
    expect(new Set(minutes).size).toBe(60);
  });

  sentence(43, () => {
    const snapshots = resources(dev, 'AWS::DynamoDB::Table').filter(
      ([id]) => id.startsWith('Snapshot') || id.includes('Snapshot'),
    );
    expect(snapshots).toHaveLength(1);
  });

  sentence(44, () => {
    expect(typesOf('CloudWatch').filter((type) => type === 'AWS::CloudWatch::Alarm').length).toBeGreaterThan(5);
    expect(only(dev, 'AWS::CloudWatch::Dashboard')).toBeDefined();
  });
});

it('shows each sentence of docs/specification.md once', () => {
  expect(shown).toEqual([...SENTENCES.keys()]);
});
