import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULT_KINDS } from '../../src/faults/kinds.ts';
import type { FaultSpec } from '../../src/faults/registry.ts';
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
} from '../helpers.ts';

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
    return 'responded';
  } catch (error) {
    // fetch wraps what happened to the connection.
    return String((error as { cause?: { code?: unknown } }).cause?.code);
  }
}

describe('faults that respond in the route’s place', () => {
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
  it('slow: waits before the good response', async () => {
    inject({ route: 'markets-keyset', kind: 'slow', ms: 60 });
    const started = performance.now();
    expect((await rig.get(PAGE)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(58);
  });

  it('hang: never responds, and ends with the client’s patience', async () => {
    inject({ route: 'markets-keyset', kind: 'hang' });
    const waiting = fetch(rig.url + PAGE, { headers: AGENT, signal: AbortSignal.timeout(80) });
    await expect(waiting).rejects.toThrow(/timeout/);
    expect(hits()).toEqual([1]);
  });

  it('reset: the connection is reset before a response', async () => {
    inject({ route: 'markets-keyset', kind: 'reset' });
    expect(await failure(PAGE)).toBe('ECONNRESET');
  });

  it('switch-protocol: the connection ends without a response', async () => {
    inject({ route: 'markets-keyset', kind: 'switch-protocol' });
    expect(await failure(PAGE)).toBeDefined();
  });

  it('reset-body: the connection breaks in the middle of the body', async () => {
    inject({ route: 'markets-keyset', kind: 'reset-body' });
    const response = await fetch(rig.url + PAGE, { headers: AGENT });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('truncate: a whole response that is not whole JSON', async () => {
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

describe('faults of a route or an address', () => {
  it.each([404, 405, 410])('gone: %d in the words of each host', async (status) => {
    inject({ route: '*', kind: 'gone', status });
    expect((await rig.post('/batch-prices-history', {})).status).toBe(status);
    const data = await rig.get('/v2/prices-history?token_id=1&interval=1d');
    expect(data).toMatchObject({ status, body: { retryable: false, trace_id: expect.any(String) } });
  });

  it('blocked: 403 or 451, as a page or as text', async () => {
    inject({ route: 'gamma', kind: 'blocked' });
    expect(await rig.get(PAGE)).toMatchObject({ status: 403, text: expect.stringMatching(/^<html>/) });
    inject({ route: 'clob', kind: 'blocked', status: 451, form: 'text' });
    expect(await rig.get('/book?token_id=1')).toMatchObject({ status: 451, text: 'error code: 1009' });
  });

  it('throttled: 429 with Retry-After', async () => {
    inject({ route: '*', kind: 'throttled', seconds: 7 });
    for (const path of [PAGE, '/book?token_id=1', '/v2/prices-history?token_id=1&interval=1d']) {
      const reply = await rig.get(path);
      expect(reply.status).toBe(429);
      expect(reply.headers.get('retry-after')).toBe('7');
    }
  });
});

describe('faults that lie', () => {
  it('malformed: nearly JSON', async () => {
    inject({ route: 'markets-keyset', kind: 'malformed' });
    const reply = await rig.get(PAGE);
    expect(reply).toMatchObject({ status: 200, body: undefined });
    expect(reply.text).toMatch(/,,\}\n$/);
  });

  it('endless: ends when the client hangs up', async () => {
    inject({ route: 'book', kind: 'endless' });
    const response = await fetch(`${rig.url}/book?token_id=${tokens[0]}`, { headers: AGENT });
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += (part as Uint8Array).length;
      if (bytes > 3_000_000) break;
    }
    expect(bytes).toBeGreaterThan(3_000_000);
    while (rig.state().requests.at(-1)?.route !== 'book')
      await new Promise((resolve) => setImmediate(resolve));
    expect(rig.state().requests.at(-1)?.responseBytes).toBeGreaterThan(1_000_000);
  });

  it('huge: a good body of many megabytes', async () => {
    inject({ route: 'midpoints', kind: 'huge', mb: 3 });
    const reply = await rig.post('/midpoints', [{ token_id: tokens[0] }]);
    expect(reply.text.length).toBeGreaterThan(3_000_000);
    expect(Object.keys(reply.body as Json)).toEqual([tokens[0]]);
  });

  it('deep: nested further than a reader may follow', async () => {
    inject({ route: 'book', kind: 'deep', levels: 5_000 });
    expect((await rig.get(`/book?token_id=${tokens[0]}`)).text).toBe(
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    );
  });

  it('dense: megabytes of tiny values', async () => {
    inject({ route: 'book', kind: 'dense', mb: 1 });
    const { text, body } = await rig.get(`/book?token_id=${tokens[0]}`);
    expect(text.length).toBeGreaterThan(990_000);
    expect(body).toHaveLength(333_333);
  });

  it('mislabelled: a good body under a wrong header', async () => {
    inject({ route: 'midpoints', kind: 'mislabelled' });
    const reply = await rig.post('/midpoints', []);
    expect(reply.headers.get('content-type')).toBe('text/html');
    expect(reply.body).toEqual({});
    rig.clearFaults();
    inject({ route: 'midpoints', kind: 'mislabelled', as: 'gzip' });
    await expect(rig.post('/midpoints', [])).rejects.toThrow();
  });

  it('wrong-token: books, midpoints and histories of another token', async () => {
    inject({ route: '*', kind: 'wrong-token' });
    const [id = ''] = tokens;
    expect(((await rig.get(`/book?token_id=${id}`)).body as Json).asset_id).not.toBe(id);
    expect(Object.keys((await midpoints()) as Json)).not.toContain(id);
    const batch = await rig.post('/batch-prices-history', { markets: [id], interval: '1h' });
    expect(Object.keys((batch.body as { history: Json }).history)).not.toContain(id);
  });

  it('broken-texts: long, half a character, or escapes of a terminal', async () => {
    const texts = async (form: string) => {
      rig.clearFaults();
      inject({ route: 'markets-keyset', kind: 'broken-texts', share: 1, form, kb: 20 });
      return (await page(rig, '/markets/keyset?limit=3')).markets.map((market) => String(market.question));
    };
    expect((await texts('long')).every((text) => text.length >= 20_000)).toBe(true);
    expect((await texts('surrogate')).every((text) => !text.isWellFormed())).toBe(true);
    expect((await texts('control')).every((text) => text.includes('\u001b'))).toBe(true);
  });
});

describe('faults of filters and volumes', () => {
  const MIN = '/markets/keyset?limit=100&order=volumeNum&ascending=true&volume_num_min=100000';

  it('filters-ignored: all of them, with what the server forces, or by name', async () => {
    const open = (await crawl(rig)).length;
    const id = inject({ route: 'markets-keyset', kind: 'filters-ignored' });
    expect(await crawl(rig, MIN)).toHaveLength(350);
    rig.clearFaults(id);
    inject({ route: 'markets-keyset', kind: 'filters-ignored', names: 'volume_num_min,tag_id' });
    expect(await crawl(rig, MIN)).toHaveLength(open);
  });

  it('other-bounds: exclusive, or with the markets that have no volume', async () => {
    const [first] = (await page(rig, MIN)).markets;
    const exact = `/markets/keyset?order=volumeNum&volume_num_min=${first?.volume}`;
    expect((await page(rig, exact)).markets[0]?.id).toBe(first?.id);
    inject({ route: 'markets-keyset', kind: 'other-bounds', keepUnknown: true });
    const markets = await crawl(rig, `${exact}&limit=100`);
    expect(ids(markets)).not.toContain(first?.id);
    expect(markets.some((market) => market.volumeNum === undefined)).toBe(true);
  });

  it('moving-volumes: grow while one reads', async () => {
    const own = await startRig({ markets: 200 });
    try {
      const before = await page(own);
      own.addFault({ route: 'markets-keyset', kind: 'moving-volumes', share: 0.5, percent: 100 });
      tried.add('moving-volumes');
      const after = new Map((await page(own)).markets.map((market) => [market.id, market.volumeNum]));
      const grown = before.markets.filter(
        (m) => Number(after.get(m.id) ?? 0) > 1.9 * Number(m.volumeNum ?? 1e99),
      );
      expect(grown.length).toBeGreaterThan(20);
    } finally {
      await own.close();
    }
  });
});

describe('faults of shape', () => {
  it('key-renamed, key-retyped, key-added and schema-moved', async () => {
    inject({ route: 'markets-keyset', kind: 'key-renamed', key: 'volumeNum', to: 'volumeUsd' });
    inject({ route: 'markets-keyset', kind: 'key-retyped', key: 'outcomes' });
    inject({ route: 'markets-keyset', kind: 'key-added', key: 'venue', value: 'x' });
    inject({ route: 'markets-keyset', kind: 'schema-moved', schema: 'https://example.com/v3.json' });
    const { $schema, markets } = await page(rig);
    expect($schema).toBe('https://example.com/v3.json');
    expect(markets.every((m) => !('volumeNum' in m) && 'volumeUsd' in m && m.venue === 'x')).toBe(true);
    expect(markets.some((m) => Array.isArray(m.outcomes))).toBe(true);
  });

  it('key-renamed without a new name leaves the key out', async () => {
    inject({ route: 'book', kind: 'key-renamed', key: 'asset_id' });
    expect((await rig.get(`/book?token_id=${tokens[0]}`)).body).not.toHaveProperty('asset_id');
  });
});

describe('when a fault acts', () => {
  it('for some ms from the first request it acts on: a blip at a given moment', async () => {
    inject({ route: 'book', kind: 'status', status: 503, after: 1, forMs: 200 });
    const status = async () => (await rig.get('/book?token_id=1')).status;
    try {
      expect([await status(), await status()]).toEqual([404, 503]);
      rig.clock.ms = NOW + 199;
      expect(await status()).toBe(503);
      rig.clock.ms = NOW + 200;
      expect(await status()).toBe(404);
    } finally {
      rig.clock.ms = NOW;
    }
  });

  it('some ms after it was set', async () => {
    inject({ route: 'book', kind: 'status', status: 503, startMs: 500 });
    try {
      expect((await rig.get('/book?token_id=1')).status).toBe(404);
      rig.clock.ms = NOW + 500;
      expect((await rig.get('/book?token_id=1')).status).toBe(503);
    } finally {
      rig.clock.ms = NOW;
    }
  });

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
