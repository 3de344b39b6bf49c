import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startUpstream } from '../src/server.ts';
import { call, crawl, type Json, PAGE, page, type Rig, startRig, token } from './helpers.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ markets: 300 });
});
afterAll(() => rig.close());

/** Without a User-Agent of our own: the control API does not ask for one. */
function control(method: string, path: string, body?: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return call(`${rig.url}/_control${path}`, { method, ...(text === undefined ? {} : { body: text }) });
}

/** `fetch` lets nobody choose these headers. */
function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${rig.url}/_control`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

describe('the control API', () => {
  // A web page in the browser of who runs it must not set faults.
  it.each([
    ['its address', { host: '127.0.0.1:4100' }, 200],
    ['its name', { host: 'localhost' }, 200],
    ['another name that points here', { host: 'attacker.example:4100' }, 403],
    ['a web page', { host: '127.0.0.1:4100', origin: 'https://attacker.example' }, 403],
  ])('asked by %s (%j) responds with %i', async (_, headers, status) => {
    expect(await statusWith(headers)).toBe(status);
  });

  it('sets, shows and clears faults', async () => {
    const set = await control('POST', '/faults', { route: 'gamma', kind: 'status', status: 503, times: 1 });
    expect(set.status).toBe(201);
    const { id } = set.body as { id: string };
    expect((await rig.get(PAGE)).status).toBe(503);
    expect((await control('GET', '')).body).toMatchObject({
      faults: [{ id, hits: 1, seen: 1, spec: { route: 'gamma', kind: 'status', status: 503, times: 1 } }],
    });
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(200);
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(404);
    await control('POST', '/faults', { route: '*', kind: 'hang' });
    expect((await control('DELETE', '/faults')).status).toBe(200);
    expect(rig.state().faults).toEqual([]);
  });

  it('explains every kind', async () => {
    const { kinds } = (await control('GET', '/faults')).body as { kinds: Json };
    expect(kinds).toMatchObject({ hang: expect.any(String), 'midpoints-invalid': expect.any(String) });
  });

  it.each([
    [{ route: 'gamma', kind: 'explode' }, /"kind" must be one of status, html/],
    [{ route: 'nowhere', kind: 'hang' }, /"route" must be one of \*, gamma, clob/],
    [{ kind: 'hang' }, /"route" is missing/],
    [{ route: 'gamma' }, /"kind" is missing/],
    [{ route: 'gamma', kind: 'slow', ms: -1 }, /"ms" must be a whole number/],
    [{ route: 'gamma', kind: 'slow', ms: '5' }, /"ms" must be a whole number/],
    [{ route: 'gamma', kind: 'hang', ms: 5 }, /"ms" means nothing here/],
    [{ route: 'gamma', kind: 'hang', times: 0 }, /"times" must be/],
    [{ route: 'gamma', kind: 'hang', probability: 2 }, /"probability" must be a number from 0 to 1/],
    [{ route: 'gamma', kind: 'status', headers: { a: 'b\nc' } }, /"headers" must be an object of strings/],
    [{ route: 'gamma', kind: 'nonsense', variant: 'toString' }, /"variant" must be one of/],
    [{ route: 'book', kind: 'loop-cursor' }, /"loop-cursor" acts only on markets-keyset/],
    ['{', /The body must be a JSON object/],
    [[], /The body must be a JSON object/],
  ])('refuses %j with 400 and a sentence', async (body, sentence) => {
    const reply = await control('POST', '/faults', body);
    expect(reply.status).toBe(400);
    expect((reply.body as Json).error).toMatch(sentence);
    expect(rig.state().faults).toEqual([]);
  });

  it('counts requests by route, with the last ones and their sizes, and does not count itself', async () => {
    const before = rig.state().routes;
    await rig.post('/midpoints', [{ token_id: '1' }]);
    await control('GET', '');
    const { routes, requests } = rig.state();
    expect(routes.midpoints?.requests).toBe((before.midpoints?.requests ?? 0) + 1);
    expect(Object.keys(routes)).not.toContain('_control');
    expect(requests.at(-1)).toMatchObject({
      route: 'midpoints',
      method: 'POST',
      requestBytes: 18,
      responseBytes: 3,
      status: 200,
      userAgent: 'market-data-proxy-test/1',
    });
  });

  it('halves, empties and resizes the dataset', async () => {
    const whole = await crawl(rig, '/markets/keyset?limit=100');
    const half = (await control('POST', '/dataset', { share: 0.5 })).body as { markets: number };
    expect(half.markets).toBeGreaterThan(110);
    expect(half.markets).toBeLessThan(190);
    const listed = await crawl(rig, '/markets/keyset?limit=100');
    const closed = await crawl(rig, '/markets/keyset?limit=100&closed=true');
    expect(listed.length + closed.length).toBeGreaterThan(half.markets * 0.9);
    expect(listed.length + closed.length).toBeLessThanOrEqual(half.markets);
    const [market] = whole.filter((one) => one.acceptingOrders === true);
    await control('POST', '/dataset', { share: 0 });
    expect(await page(rig)).toEqual({ $schema: expect.any(String), markets: [] });
    expect((await rig.get(`/book?token_id=${token(market)}`)).status).toBe(200);
    await control('POST', '/dataset', { share: 1, markets: 120 });
    const small = await crawl(rig, '/markets/keyset?limit=100');
    expect(small.map((one) => one.id)).toEqual(whole.slice(0, small.length).map((one) => one.id));
    expect(small.length).toBeLessThanOrEqual(120);
    expect((await control('POST', '/dataset', { share: 2 })).status).toBe(400);
    expect((await control('POST', '/dataset', { markets: 160_000 })).status).toBe(400);
    expect((await control('POST', '/dataset', { size: 3 })).status).toBe(400);
    rig.changeDataset({ markets: 300 });
  });

  it('changes latency and rate limits', async () => {
    expect((await control('POST', '/latency', { latency: 'realistic' })).status).toBe(200);
    expect(rig.state().latency).toBe('realistic');
    const started = performance.now();
    await rig.get('/book?token_id=1');
    expect(performance.now() - started).toBeGreaterThan(100);
    rig.setLatency('none');
    expect((await control('POST', '/latency', { latency: 'slow' })).status).toBe(400);
    expect((await control('POST', '/latency', {})).status).toBe(400);
    expect((await control('POST', '/rate-limits', { enabled: false })).status).toBe(200);
    expect(rig.state().rateLimits).toBe(false);
    rig.setRateLimits(true);
    expect((await control('POST', '/rate-limits', { enabled: 'no' })).status).toBe(400);
    expect((await control('GET', '/nothing')).status).toBe(404);
  });
});

describe('startUpstream', () => {
  it('says in a sentence what is wrong with an option', async () => {
    await expect(startUpstream({ markets: 0 })).rejects.toThrow(/from 1 to 100000, not 0/);
    await expect(startUpstream({ recordings: '/nowhere' })).rejects.toThrow(/\/nowhere\/gamma-markets\.json/);
    const port = Number(new URL(rig.url).port);
    await expect(startUpstream({ port })).rejects.toThrow(`Port ${port} is in use`);
  });

  it('closes at once, hanging requests and all', async () => {
    const other = await startRig({ markets: 1 });
    other.addFault({ route: '*', kind: 'hang' });
    const hanging = other.get('/book?token_id=1').then(
      () => 'responded',
      () => 'ended',
    );
    while (other.state().routes.book === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    await other.close();
    expect(await hanging).toBe('ended');
  });
});
