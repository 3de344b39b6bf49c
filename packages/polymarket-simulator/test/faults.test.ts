import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULT_KINDS } from '../src/faults/kinds.ts';
import type { FaultSpec } from '../src/faults/registry.ts';
import {
  AGENT,
  crawl,
  type Json,
  NOW,
  PAGE,
  type Page,
  page,
  type Rig,
  startRig,
  token,
  twoSided,
} from './helpers.ts';

let rig: Rig;
let tokens: string[];
const tried = new Set<string>();
beforeAll(async () => {
  rig = await startRig({ markets: 350 });
  tokens = twoSided((await page(rig)).markets).map((market) => token(market));
});
afterEach(() => {
  rig.clearFaults();
});
afterAll(() => rig.close());

function inject(spec: FaultSpec): string {
  tried.add(spec.kind);
  return rig.addFault(spec);
}

const hits = () => rig.state().faults.map((fault) => fault.hits);
const midpoints = async () =>
  (
    await rig.post(
      '/midpoints',
      tokens.map((token_id) => ({ token_id })),
    )
  ).body as Json;
const ids = (markets: readonly Json[]) => markets.map((market) => market.id);

async function failure(path: string): Promise<string> {
  try {
    await rig.get(path);
    return 'answered';
  } catch (error) {
    // fetch wraps what happened to the connection.
    return String((error as { cause?: { code?: unknown } }).cause?.code);
  }
}

describe('faults that answer in the route’s place', () => {
  it('status: any code, body and headers, as JSON or text', async () => {
    inject({
      route: 'gamma',
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '7' },
      body: { error: 'slow down' },
      times: 1,
    });
    const reply = await rig.get(PAGE);
    expect(reply).toMatchObject({ status: 429, body: { error: 'slow down' } });
    expect(reply.headers.get('retry-after')).toBe('7');
    expect((await rig.get(PAGE)).status).toBe(200);
    inject({ route: 'book', kind: 'status', status: 425, type: 'text', body: 'restarting' });
    expect(await rig.get('/book?token_id=1')).toMatchObject({ status: 425, text: 'restarting' });
  });

  it('status: 500 in upstream’s words when nothing else is said', async () => {
    inject({ route: '*', kind: 'status' });
    const body = { type: 'internal error', error: 'cannot get the information' };
    expect(await rig.get(PAGE)).toMatchObject({ status: 500, body });
  });

  it.each([403, 429, 200])('html: a page with status %d', async (status) => {
    inject({ route: 'clob', kind: 'html', status });
    const reply = await rig.post('/midpoints', []);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toBe('text/html');
    expect(reply.text).toMatch(/^<html>/);
  });

  it('error-200: status 200 with an error', async () => {
    inject({ route: 'prices-history', kind: 'error-200' });
    expect(await rig.get('/prices-history?market=1&interval=1d')).toMatchObject({
      status: 200,
      body: { error: 'Too Many Requests' },
    });
  });
});

describe('faults of the connection', () => {
  it('slow: waits before the good answer', async () => {
    inject({ route: 'markets-keyset', kind: 'slow', ms: 60 });
    const started = performance.now();
    expect((await rig.get(PAGE)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(58);
  });

  it('hang: never answers, and ends with the client’s patience', async () => {
    inject({ route: 'markets-keyset', kind: 'hang' });
    const waiting = fetch(rig.url + PAGE, { headers: AGENT, signal: AbortSignal.timeout(80) });
    await expect(waiting).rejects.toThrow(/timeout/);
    expect(hits()).toEqual([1]);
  });

  it('reset: the connection is reset before an answer', async () => {
    inject({ route: 'markets-keyset', kind: 'reset' });
    expect(await failure(PAGE)).toBe('ECONNRESET');
  });

  it('reset-body: the connection breaks in the middle of the body', async () => {
    inject({ route: 'markets-keyset', kind: 'reset-body' });
    const response = await fetch(rig.url + PAGE, { headers: AGENT });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('truncate: a whole answer that is not whole JSON', async () => {
    inject({ route: 'markets-keyset', kind: 'truncate' });
    const reply = await rig.get(PAGE);
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/^\{"\$schema"/);
    expect(reply.body).toBeUndefined();
  });

  it('date-skew: the Date header is off', async () => {
    inject({ route: '*', kind: 'date-skew', ms: -90_000 });
    const { headers } = await rig.get(PAGE);
    expect(Date.parse(headers.get('date') ?? '')).toBe(Math.floor((NOW - 90_000) / 1_000) * 1_000);
  });
});

describe('faults of the catalogue', () => {
  it('loop-cursor: next_cursor leads back to page 1', async () => {
    const id = inject({ route: 'markets-keyset', kind: 'loop-cursor', after: 1, times: 1 });
    const first = await page(rig);
    const second = await page(rig, `${PAGE}&after_cursor=${first.next_cursor}`);
    expect(ids(second.markets)).not.toEqual(ids(first.markets));
    const third = await page(rig, `${PAGE}&after_cursor=${second.next_cursor}`);
    expect(ids(third.markets)).toEqual(ids(first.markets));
    expect(rig.clearFaults(id)).toBe(true);
  });

  it('duplicates: a page begins with markets of the page before', async () => {
    const whole = await crawl(rig);
    inject({ route: 'markets-keyset', kind: 'duplicates', share: 0.2, after: 1, times: 1 });
    const markets = ids(await crawl(rig));
    expect(markets).toHaveLength(whole.length + 20);
    expect(new Set(markets).size).toBe(whole.length);
    expect(markets.slice(100, 120)).toEqual(markets.slice(80, 100));
  });

  it('missing: a page lacks some of its markets, and the crawl goes on', async () => {
    const whole = await crawl(rig);
    inject({ route: 'gamma', kind: 'missing', share: 0.4, times: 2 });
    const markets = await crawl(rig);
    expect(markets.length).toBeGreaterThan(whole.length - 120);
    expect(markets.length).toBeLessThan(whole.length - 40);
  });

  it('broken-markets: some markets are broken, the page is not', async () => {
    const whole = (await page(rig)).markets;
    inject({ route: 'markets-keyset', kind: 'broken-markets', share: 0.5 });
    const broken = (await page(rig)).markets.filter(
      (market, i) => JSON.stringify(market) !== JSON.stringify(whole[i]),
    );
    expect(broken.length).toBeGreaterThan(30);
    expect(broken.length).toBeLessThan(70);
    expect(broken.some((market) => !('conditionId' in market))).toBe(true);
  });

  it('nonsense: a page of wrong types, in four variants', async () => {
    const values = async (variant?: string) => {
      rig.clearFaults();
      inject({ route: 'markets-keyset', kind: 'nonsense', ...(variant === undefined ? {} : { variant }) });
      return (await rig.get(PAGE)).body;
    };
    const { markets, next_cursor } = (await values()) as Page;
    expect(markets.slice(0, 4)).toEqual([null, 'nonsense', [[expect.anything()]], 42]);
    expect(typeof markets[4]?.question).toBe('number');
    expect(typeof next_cursor).toBe('string');
    expect(await values('not-array')).toMatchObject({ markets: 'nonsense' });
    expect(await values('null')).toBeNull();
    expect(await values('empty')).toEqual({});
  });

  it('nonsense: on CLOB as well', async () => {
    inject({ route: 'clob', kind: 'nonsense' });
    const [id = ''] = tokens;
    expect(typeof (await midpoints())[id]).toBe('number');
    const single = (await rig.get(`/prices-history?market=${id}&interval=1h`)).body as { history: unknown[] };
    expect(single.history.slice(0, 4)).toEqual([null, 'nonsense', [[expect.anything()]], 42]);
    const batch = await rig.post('/batch-prices-history', { markets: [id], interval: '1h' });
    const { history } = batch.body as { history: Record<string, unknown[]> };
    expect(history[id]?.slice(0, 2)).toEqual([null, 'nonsense']);
  });

  it('stale-page: a list that lay in the cache', async () => {
    inject({ route: 'gamma', kind: 'stale-page', age: 290 });
    expect((await rig.get(PAGE)).headers.get('age')).toBe('290');
  });
});

describe('faults of midpoints', () => {
  it('midpoints-missing: a share of them is not there', async () => {
    const whole = Object.keys(await midpoints()).length;
    inject({ route: 'midpoints', kind: 'midpoints-missing', share: 0.5 });
    const left = Object.keys(await midpoints()).length;
    expect(left).toBeGreaterThan(whole * 0.25);
    expect(left).toBeLessThan(whole * 0.75);
  });

  it('midpoints-invalid: none is a decimal string in 0..1', async () => {
    inject({ route: 'clob', kind: 'midpoints-invalid' });
    const values = Object.values(await midpoints());
    expect(values.length).toBeGreaterThan(50);
    expect(values.filter((value) => typeof value === 'string' && /^0?\.\d+$/.test(value))).toEqual([]);
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(5);
  });
});

describe('when a fault acts', () => {
  it('after some, a number of times, then no more', async () => {
    inject({ route: 'markets-keyset', kind: 'status', status: 503, after: 2, times: 3 });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await rig.get(PAGE)).status);
    expect(statuses).toEqual([200, 200, 503, 503, 503, 200, 200]);
    expect(rig.state().faults).toMatchObject([{ seen: 7, hits: 3 }]);
  });

  it('with a probability', async () => {
    inject({ route: 'book', kind: 'status', status: 503, probability: 0.5 });
    let failed = 0;
    for (let i = 0; i < 60; i++) if ((await rig.get('/book?token_id=1')).status === 503) failed += 1;
    expect(failed).toBeGreaterThan(15);
    expect(failed).toBeLessThan(45);
  });

  it('only on the routes it is aimed at, and together with others', async () => {
    inject({ route: 'clob', kind: 'status', status: 500 });
    inject({ route: 'gamma', kind: 'slow', ms: 1 });
    inject({ route: 'markets-keyset', kind: 'missing', share: 1 });
    expect(await rig.get(PAGE)).toMatchObject({ status: 200, body: { markets: [] } });
    expect((await rig.get('/book?token_id=1')).status).toBe(500);
    expect(hits()).toEqual([1, 1, 1]);
  });
});

it('every kind of fault has been injected above', () => {
  expect(Object.keys(FAULT_KINDS).filter((kind) => !tried.has(kind))).toEqual([]);
});
