import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tokenOf } from '../../src/dataset/tokens.ts';
import { crawl, type Json, type Rig, startRig, token, twoSided } from '../helpers.ts';

interface Level {
  readonly price: string;
  readonly size: string;
}
interface Book {
  readonly asset_id: string;
  readonly market: string;
  readonly timestamp: string;
  readonly hash: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly tick_size?: string;
  readonly last_trade_price?: string;
}

const UNKNOWN = tokenOf(99, 5, 0);

let rig: Rig;
let markets: Json[];
beforeAll(async () => {
  rig = await startRig({ markets: 400 });
  markets = [
    ...(await crawl(rig, '/markets/keyset?limit=100')),
    ...(await crawl(rig, '/markets/keyset?limit=100&closed=true')),
  ];
});
afterAll(() => rig.close());

const book = async (id: string) => (await rig.get(`/book?token_id=${id}`)).body as Book;
const numbers = (levels: readonly Level[]) => levels.map((level) => Number(level.price));
const asked = (list: readonly string[]) => list.map((token_id) => ({ token_id }));
async function midpoints(list: readonly string[]): Promise<Record<string, string>> {
  return (await rig.post('/midpoints', asked(list))).body as Record<string, string>;
}

describe('GET /book', () => {
  it('sorts bids ascending and asks descending: the best level is the last of each', async () => {
    for (const market of twoSided(markets).slice(0, 30)) {
      const { bids, asks } = await book(token(market));
      expect(numbers(bids)).toEqual(numbers(bids).sort((a, b) => a - b));
      expect(numbers(asks)).toEqual(numbers(asks).sort((a, b) => b - a));
      expect(numbers(bids).at(-1)).toBeLessThan(numbers(asks).at(-1) ?? 0);
    }
  });

  it('has strings for numbers, not all canonical, and the time of the last change', async () => {
    const books = await Promise.all(
      twoSided(markets)
        .slice(0, 30)
        .map((market) => book(token(market))),
    );
    const levels = books.flatMap(({ bids, asks }) => [...bids, ...asks]);
    expect(levels.every(({ price, size }) => /^0\.\d+$/.test(price) && /^\d+(\.\d+)?$/.test(size))).toBe(
      true,
    );
    expect(levels.some(({ size }) => size !== String(Number(size)))).toBe(true);
    expect(
      books.some(({ last_trade_price: p }) => p !== undefined && p !== '' && p !== String(Number(p))),
    ).toBe(true);
    for (const { timestamp, hash, market } of books) {
      expect(Number(timestamp)).toBeLessThanOrEqual(rig.clock.ms);
      expect(rig.clock.ms - Number(timestamp)).toBeLessThan(30_000);
      expect(hash).toMatch(/^[0-9a-f]{40}$/);
      expect(market).toMatch(/^0x[0-9a-f]{64}$/);
    }
  });

  it('leaves the last four keys out of older books', async () => {
    const books = await Promise.all(
      twoSided(markets)
        .filter((market) => market.version === 'v1')
        .slice(0, 150)
        .map((market) => book(token(market))),
    );
    const old = books.filter((one) => one.tick_size === undefined);
    expect(old.length).toBeGreaterThan(0);
    expect(old.length).toBeLessThan(books.length / 4);
    for (const one of old) {
      expect(Object.keys(one)).toEqual(['market', 'asset_id', 'timestamp', 'hash', 'bids', 'asks']);
    }
  });

  it('has empty sides where the catalogue has no best bid or ask', async () => {
    const noBids = markets.find(
      (m) => m.acceptingOrders === true && m.bestBid === undefined && Number(m.bestAsk) < 1,
    );
    const noAsks = markets.find((m) => m.acceptingOrders === true && m.bestAsk === 1);
    expect(await book(token(noBids))).toMatchObject({ bids: [], asks: expect.any(Array) });
    expect(await book(token(noAsks))).toMatchObject({ asks: [], bids: expect.any(Array) });
  });

  it('mirrors the book for the other outcome', async () => {
    const [market] = twoSided(markets);
    const [yes, no] = await Promise.all([book(token(market)), book(token(market, 1))]);
    expect(no.bids.map(({ size }) => size)).toEqual(yes.asks.map(({ size }) => size));
    expect(numbers(no.bids).map((p) => 1 - p)).toEqual(numbers(yes.asks).map((p) => expect.closeTo(p, 9)));
  });

  it.each([
    ['no token', '', 400, 'Invalid token id'],
    ['an empty token', '?token_id=', 400, 'Invalid token id'],
    ['an unknown token', `?token_id=${UNKNOWN}`, 404, 'No orderbook exists for the requested token id'],
    ['a malformed token', '?token_id=abc', 404, 'No orderbook exists for the requested token id'],
  ])('responds to %s with its error', async (_, query, status, error) => {
    expect(await rig.get(`/book${query}`)).toMatchObject({ status, body: { error } });
  });

  it('has no book for a resolved market', async () => {
    const closed = markets.find((market) => market.closed === true && token(market) !== '');
    expect((await rig.get(`/book?token_id=${token(closed)}`)).status).toBe(404);
  });
});

describe('POST /books', () => {
  it('leaves unknown tokens out and keeps no order', async () => {
    const tokens = twoSided(markets)
      .slice(0, 40)
      .map((market) => token(market));
    const reply = await rig.post('/books', asked([UNKNOWN, ...tokens, 'abc']));
    const responded = (reply.body as Book[]).map((one) => one.asset_id);
    expect([...responded].sort()).toEqual([...tokens].sort());
    expect(responded).not.toEqual(tokens);
  });

  it.each(['/books', '/midpoints'])('%s takes 500 tokens and no more', async (path) => {
    const tokens = Array.from({ length: 501 }, (_, index) => tokenOf(1, index, 0));
    expect((await rig.post(path, asked(tokens.slice(1)))).status).toBe(200);
    expect((await rig.post(path, asked(tokens))).status).toBe(400);
  });

  it.each(['{', '{}', '"x"', '[1]', '[{"id":"1"}]', ''])(
    '%s is refused with 400, not a crash',
    async (body) => {
      expect((await rig.post('/books', body)).status).toBe(400);
      expect((await rig.post('/midpoints', body)).status).toBe(400);
    },
  );
});

describe('POST /midpoints', () => {
  it('responds with decimal strings in the middle of the book, and one minus it for the other outcome', async () => {
    const chosen = twoSided(markets).slice(0, 25);
    const mids = await midpoints(chosen.flatMap((market) => [token(market), token(market, 1)]));
    for (const market of chosen) {
      const { bids, asks } = await book(token(market));
      const middle = ((numbers(bids).at(-1) ?? 0) + (numbers(asks).at(-1) ?? 0)) / 2;
      expect(mids[token(market)]).toMatch(/^0\.\d{1,4}$/);
      expect(Number(mids[token(market)])).toBeCloseTo(middle, 9);
      expect(Number(mids[token(market, 1)])).toBeCloseTo(1 - middle, 9);
    }
  });

  it('leaves out unknown tokens and resolved markets, and takes an empty side for 0 or 1', async () => {
    const closed = markets.find((market) => market.closed === true && token(market) !== '');
    const oneSided = markets.find(
      (m) =>
        m.acceptingOrders === true && Number(m.bestAsk) < 1 && m.bestBid === undefined && token(m) !== '',
    );
    const mids = await midpoints([UNKNOWN, 'abc', token(closed), token(oneSided)]);
    expect(mids).toEqual({ [token(oneSided)]: String(Number(oneSided?.bestAsk) / 2) });
  });
});
