import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AGENT,
  call,
  crawl,
  held,
  type Json,
  NOW,
  PAGE,
  type Page,
  page,
  type Rig,
  startRig,
  token,
} from '../helpers.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ markets: 350 });
});
afterAll(() => rig.close());

const ids = (markets: readonly Json[]) => markets.map((market) => market.id);

describe('GET /markets/keyset', () => {
  it('walks the whole catalogue with after_cursor and leaves next_cursor out on a page that is not full', async () => {
    const markets = await crawl(rig);
    expect(new Set(ids(markets)).size).toBe(markets.length);
    expect(markets.length).toBeGreaterThan(310);
    const first = await page(rig);
    expect(first.$schema).toMatch(/^https:\/\/gamma-api\.polymarket\.com\/schemas\//);
    expect(first.markets).toHaveLength(100);
    expect(typeof first.next_cursor).toBe('string');
  });

  it.each(['cursor', 'next_cursor', 'after', 'afterCursor'])(
    'ignores the cursor parameter %s: page 1 again',
    async (name) => {
      const first = await page(rig);
      const again = await page(rig, `${PAGE}&${name}=${first.next_cursor}`);
      expect(ids(again.markets)).toEqual(ids(first.markets));
    },
  );

  it('refuses offset, and a cursor that is none or of another order', async () => {
    expect((await rig.get(`${PAGE}&offset=100`)).status).toBe(422);
    expect((await rig.get(`${PAGE}&after_cursor=nonsense`)).status).toBe(422);
    const { next_cursor } = await page(rig);
    const other = await rig.get(`/markets/keyset?limit=100&order=volumeNum&after_cursor=${next_cursor}`);
    expect(other.status).toBe(422);
  });

  it.each([[101], [500], [999_999_999_999]])('clamps limit=%d to 100 without a word', async (limit) => {
    expect((await page(rig, `/markets/keyset?limit=${limit}`)).markets).toHaveLength(100);
  });

  it('sorts by volumeNum descending when told to, and takes ascending only with an order', async () => {
    const volumes = (await crawl(rig)).map((market) => Number(market.volumeNum ?? 0));
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    const plain = await page(rig, '/markets/keyset?limit=5');
    expect(ids((await page(rig, '/markets/keyset?limit=5&ascending=false')).markets)).toEqual(
      ids(plain.markets),
    );
  });

  it.each(['volumeNum', 'liquidityNum', 'volume24hr', 'startDate', 'endDate', 'createdAt', 'id'])(
    'pages by %s without loss or repetition, both ways',
    async (order) => {
      const open = (await crawl(rig)).length;
      for (const ascending of [true, false]) {
        const markets = await crawl(rig, `/markets/keyset?limit=90&order=${order}&ascending=${ascending}`);
        expect(markets).toHaveLength(open);
        expect(new Set(ids(markets)).size).toBe(open);
      }
    },
  );

  it.each(['volume_num', 'end_date', 'volumenum'])('refuses the order field %s with 422', async (order) => {
    const reply = await rig.get(`/markets/keyset?order=${order}`);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ type: 'validation error', error: 'order fields are not valid' });
  });

  it('lists what is open unless closed= says otherwise, and never what is archived or not active', async () => {
    const byDefault = await crawl(rig, '/markets/keyset?limit=100');
    const open = await crawl(rig, '/markets/keyset?limit=100&closed=false&active=false&archived=true');
    const closed = await crawl(rig, '/markets/keyset?limit=100&closed=true');
    expect(ids(open)).toEqual(ids(byDefault));
    expect(closed.length).toBeGreaterThan(0);
    expect(closed.every((market) => market.active === true && market.closed === true)).toBe(true);
    expect(open.every((market) => market.active === true && market.archived === false)).toBe(true);
    expect(open.length + closed.length).toBeLessThan(350);
  });

  it('takes lists of ids as repeated parameters', async () => {
    const [a, , b] = ids((await page(rig)).markets);
    expect(ids((await page(rig, `/markets/keyset?id=${a}&id=${b}`)).markets).sort()).toEqual([a, b].sort());
  });

  it('adds tags only with include_tag=true, and never a category', async () => {
    const plain = await page(rig);
    const tagged = await page(rig, `${PAGE}&include_tag=true`);
    expect(plain.markets.every((market) => !('tags' in market))).toBe(true);
    expect(tagged.markets.every((market) => Array.isArray(market.tags) && !('category' in market))).toBe(
      true,
    );
    const [tag] = (tagged.markets[0]?.tags ?? []) as Json[];
    expect(tag).toMatchObject({
      id: expect.any(String),
      label: expect.any(String),
      slug: expect.stringMatching(/^[a-z0-9-]+$/),
    });
  });
});

describe('the shared cache in front of lists', () => {
  it('announces itself, and pages of one crawl differ in age', async () => {
    const ages = new Set<string | null>();
    for (let limit = 1; limit <= 5; limit++) {
      const { headers } = await rig.get(`/markets/keyset?limit=${limit}`);
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('cf-cache-status')).toMatch(/^(HIT|MISS)$/);
      expect(Number(headers.get('age'))).toBeLessThan(300);
      ages.add(headers.get('age'));
    }
    expect(ages.size).toBeGreaterThan(1);
  });

  it('serves the prices of that age, not of now', async () => {
    const { headers, body } = await rig.get(PAGE);
    const priced = (body as Page).markets.filter(
      (m) => 'bestBid' in m && token(m) !== '' && m.acceptingOrders === true,
    );
    rig.clock.ms = NOW - Number(headers.get('age')) * 1_000;
    try {
      const tokens = priced.map((market) => ({ token_id: token(market) }));
      const midpoints = (await rig.post('/midpoints', tokens)).body as Record<string, string>;
      const twoSided = priced.filter((market) => Number(market.bestAsk) < 1);
      expect(twoSided.length).toBeGreaterThan(50);
      for (const market of twoSided) {
        const middle = (Number(market.bestBid) + Number(market.bestAsk)) / 2;
        expect(Number(midpoints[token(market)])).toBeCloseTo(middle, 9);
        expect(Number(market.spread)).toBeCloseTo(Number(market.bestAsk) - Number(market.bestBid), 9);
        const [price = middle] = held(market, 'outcomePrices');
        expect(Number(price)).toBeCloseTo(middle, 9);
      }
    } finally {
      rig.clock.ms = NOW;
    }
  });

  it('mixes copies with and without CORS: the first reader decides', async () => {
    const url = `${rig.url}/markets/keyset?limit=7`;
    const origin = { ...AGENT, origin: 'https://example.com' };
    expect((await call(url, { headers: AGENT })).headers.has('access-control-allow-origin')).toBe(false);
    expect((await call(url, { headers: origin })).headers.has('access-control-allow-origin')).toBe(false);
    expect((await call(`${url}&x=1`, { headers: origin })).headers.get('access-control-allow-origin')).toBe(
      '*',
    );
    expect((await call(`${url}&x=1`, { headers: AGENT })).headers.get('access-control-allow-origin')).toBe(
      '*',
    );
  });
});

describe('GET /markets, deprecated', () => {
  it('still responds with a bare array, with its headers', async () => {
    const reply = await rig.get('/markets?limit=500&offset=10&closed=false');
    expect(reply.body).toHaveLength(100);
    expect(reply.headers.get('deprecation')).toBe('true');
    expect(reply.headers.get('sunset')).toBe('Fri, 01 May 2026 00:00:00 GMT');
    expect(reply.headers.get('warning')).toBe('299 - "use /markets/keyset"');
  });

  it('refuses an offset above 2000', async () => {
    expect((await rig.get('/markets?offset=2000')).body).toEqual([]);
    const reply = await rig.get('/markets?offset=2001');
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      type: 'validation error',
      error: 'offset too large, use /markets/keyset for deeper pagination',
    });
  });
});
