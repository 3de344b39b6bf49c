import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assetIds, crawl, type Json, type Rig, startRig, token, twoSided } from '../helpers.ts';

let rig: Rig;
let markets: Json[];
let market: Json;
let emptyBook: Json;
beforeAll(async () => {
  rig = await startRig({ markets: 1_200, v2Share: 0.5 });
  markets = await crawl(rig);
  [market = {}] = twoSided(markets);
  emptyBook =
    markets.find(
      (m) => m.acceptingOrders === true && m.bestAsk === 1 && m.bestBid === undefined && token(m) !== '',
    ) ?? {};
});
afterAll(() => rig.close());

const of = async (path: string, id = token(market)) => (await rig.get(`/${path}token_id=${id}`)).body as Json;
const asked = (...list: readonly string[]) => list.map((token_id) => ({ token_id }));

describe('the CLOB’s single price routes', () => {
  it('BUY is the best bid, SELL the best ask, and the spread lies between them', async () => {
    expect(Number((await of('price?side=BUY&')).price)).toBe(market.bestBid);
    expect(Number((await of('price?side=SELL&')).price)).toBe(market.bestAsk);
    expect(Number((await of('spread?')).spread)).toBeCloseTo(Number(market.spread), 9);
    expect(Number((await of('midpoint?')).mid)).toBeCloseTo(
      (Number(market.bestBid) + Number(market.bestAsk)) / 2,
      9,
    );
  });

  it('an empty book has a midpoint of "0.5" and a price of "0", byte for byte', async () => {
    const id = token(emptyBook);
    expect((await rig.get(`/midpoint?token_id=${id}`)).text).toBe('{"mid":"0.5"}\n');
    expect((await rig.get(`/price?token_id=${id}&side=BUY`)).text).toBe('{"price":"0"}\n');
    expect((await rig.post('/midpoints', asked(id))).body).toEqual({ [id]: '0.5' });
    expect(await of('book?', id)).toMatchObject({ bids: [], asks: [] });
  });

  it('tick size, negative risk and fee are a number, a boolean and a number', async () => {
    expect(await of('tick-size?')).toEqual({ minimum_tick_size: market.orderPriceMinTickSize });
    expect(await of('neg-risk?')).toEqual({ neg_risk: market.negRisk });
    expect(await of('fee-rate?')).toEqual({ base_fee: 1_000 });
  });

  it('the last trade is "0.5" without a side where nothing traded, and "" in the book', async () => {
    const untraded = markets.find(
      (m) =>
        m.acceptingOrders === true &&
        m.lastTradePrice === undefined &&
        token(m) !== '' &&
        Number(m.bestAsk) < 1,
    );
    expect(await of('last-trade-price?', token(untraded))).toEqual({ price: '0.5', side: '' });
    expect((await of('book?', token(untraded))).last_trade_price).toBe('');
    expect(await of('last-trade-price?')).toMatchObject({ side: expect.stringMatching(/^(BUY|SELL)$/) });
  });

  it('markets-by-token names both tokens from either of them', async () => {
    const [first = '', second = ''] = assetIds(market);
    for (const id of [first, second]) {
      expect((await rig.get(`/markets-by-token/${id}`)).body).toMatchObject({
        primary_token_id: first,
        secondary_token_id: second,
      });
    }
  });

  it.each(['midpoint', 'price?side=BUY&', 'spread', 'last-trade-price', 'tick-size', 'neg-risk'])(
    '%s: 400 without a token, 404 for an unknown one',
    async (path) => {
      const start = path.includes('?') ? `/${path}` : `/${path}?`;
      expect((await rig.get(start)).status).toBe(400);
      expect((await rig.get(`${start}token_id=123`)).status).toBe(404);
    },
  );

  it('price wants a side', async () => {
    expect((await rig.get(`/price?token_id=${token(market)}&side=UP`)).status).toBe(400);
  });

  it('ok, version and time are there', async () => {
    expect((await rig.get('/ok')).body).toBe('OK');
    expect((await rig.get('/version')).body).toEqual({ version: 2 });
    expect((await rig.get('/time')).body).toBe(Math.floor(rig.clock.ms / 1_000));
  });
});

describe('the CLOB’s batch price routes', () => {
  it('/prices has the sides that were asked for, by token', async () => {
    const id = token(market);
    const body = [
      { token_id: id, side: 'BUY' },
      { token_id: id, side: 'SELL' },
      { token_id: '123', side: 'BUY' },
    ];
    const reply = await rig.post('/prices', body);
    expect(reply.body).toEqual({ [id]: { BUY: String(market.bestBid), SELL: String(market.bestAsk) } });
    expect((await rig.post('/prices', [{ token_id: id }])).status).toBe(400);
  });

  it('/spreads is a map, /last-trades-prices a list without what never traded', async () => {
    const ids = twoSided(markets)
      .slice(0, 60)
      .map((one) => token(one));
    expect(Object.keys((await rig.post('/spreads', asked(...ids, '123'))).body as Json)).toHaveLength(60);
    const rows = (await rig.post('/last-trades-prices', asked(...ids))).body as Json[];
    expect(rows.length).toBeLessThan(60);
    expect(rows.every((row) => row.side !== '' && ids.includes(String(row.token_id)))).toBe(true);
  });

  it.each(['/prices', '/spreads', '/last-trades-prices', '/midpoints', '/books'])(
    '%s takes 500 items and no more',
    async (path) => {
      const items = Array.from({ length: 501 }, (_, n) => ({ token_id: String(n), side: 'BUY' }));
      expect((await rig.post(path, items.slice(1))).status).toBe(200);
      expect(await rig.post(path, items)).toMatchObject({
        status: 400,
        body: { error: 'Payload exceeds the limit' },
      });
    },
  );
});

describe('books', () => {
  it.each(['v1', 'v2'])(
    '%s: the hash is the SHA-1 of the compact JSON with an empty hash',
    async (version) => {
      for (const one of twoSided(markets)
        .filter((m) => m.version === version)
        .slice(0, 10)) {
        const book = await of('book?', token(one));
        const text = JSON.stringify({ ...book, hash: '' });
        expect(book.hash).toBe(createHash('sha1').update(text).digest('hex'));
      }
    },
  );

  it('have fine ticks as strings, prices on them, and midpoints of one digit more', async () => {
    const fine = twoSided(markets).filter((m) =>
      [0.0025, 0.0001, 0.005].includes(Number(m.orderPriceMinTickSize)),
    );
    expect(fine.length).toBeGreaterThan(5);
    for (const one of fine) {
      const tick = Number(one.orderPriceMinTickSize);
      const book = (await of('book?', token(one))) as { tick_size?: string; bids: { price: string }[] };
      if (book.tick_size !== undefined) expect(book.tick_size).toBe(String(tick));
      for (const { price } of book.bids) {
        expect(price).toMatch(/^0\.\d{1,4}$/);
        expect(Number(price) / tick).toBeCloseTo(Math.round(Number(price) / tick), 6);
      }
      expect((await of('midpoint?', token(one))).mid).toMatch(/^0\.\d{1,5}$/);
    }
  });
});
