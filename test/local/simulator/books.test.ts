import { afterAll, describe, expect, it } from '@jest/globals';
import { crawl, type Listed, testSimulator } from './support.ts';

interface Book {
  readonly bids: readonly { readonly price: string }[];
  readonly asks: readonly { readonly price: string }[];
}

const simulator = await testSimulator();
afterAll(() => simulator.stop());
const listed = await crawl(simulator, 'limit=100');
const tokensOf = ({ version, clobTokenIds, positionIds }: Listed): readonly string[] =>
  version === 'v2' ? (positionIds ?? []) : (JSON.parse(clobTokenIds || '[]') as string[]);
const bookOf = async (token: string | undefined): Promise<Book> =>
  (await simulator.get(`/book?token_id=${token}`)).body as unknown as Book;
const post = async (path: string, items: readonly object[]) => (await simulator.post(path, items)).body;
/** A market with a bid and an ask. */
const usual = (version: string): Listed =>
  listed.find((market) => market.version === version && 'bestBid' in market && tokensOf(market).length === 2) as Listed;

describe('the simulated CLOB', () => {
  it.each(['v1', 'v2'])('mirrors the books of a %s market, and prices their best levels', async (version) => {
    const [yes = '', no = ''] = tokensOf(usual(version));
    const [own, other] = [await bookOf(yes), await bookOf(no)];
    const prices = (side: Book['bids']): number[] => side.map(({ price }) => Number(price));
    const sides = ['BUY', 'SELL'].map((side) => ({ token_id: yes, side }));
    const best = { BUY: own.bids.at(-1)?.price, SELL: own.asks.at(-1)?.price };

    expect(prices(own.bids)).toEqual(prices(own.bids).toSorted((a, b) => a - b));
    expect(prices(own.asks)).toEqual(prices(own.asks).toSorted((a, b) => b - a));
    expect(prices(other.asks).map((price) => Number((1 - price).toFixed(4)))).toEqual(prices(own.bids));
    expect(await post('/prices', [...sides, { token_id: '123', side: 'BUY' }])).toEqual({ [yes]: best });
  });

  it('has "0" for an empty side, and only the sides that were sent', async () => {
    const withoutBid = listed.find((one) => one.enableOrderBook && !('bestBid' in one) && tokensOf(one).length === 2);
    const [token_id = ''] = tokensOf(withoutBid as Listed);

    expect(await post('/prices', [{ token_id, side: 'BUY' }])).toEqual({ [token_id]: { BUY: '0' } });
  });

  it('has no book of unknown tokens and decoys', async () => {
    const decoys = listed.find(({ version, positionIds }) => version === 'v1' && positionIds);
    for (const token of [decoys?.positionIds?.[0], '123'])
      expect((await simulator.get(`/book?token_id=${token}`)).status).toBe(404);
  });

  it('has last trades that add up to 1, and no side where there was no trade', async () => {
    const untraded = listed.filter((one) => one.enableOrderBook && one.volumeNum === undefined).flatMap(tokensOf);
    const [yes = '', no = ''] = tokensOf(usual('v1'));
    const body = await post(
      '/last-trades-prices',
      [yes, no, ...untraded].slice(0, 500).map((token_id) => ({ token_id })),
    );
    const trades = new Map((body as never as { token_id: string }[]).map((trade) => [trade.token_id, trade])) as Map<
      string,
      { price?: string; side?: string }
    >;

    expect(Number(trades.get(yes)?.price) + Number(trades.get(no)?.price)).toBeCloseTo(1, 9);
    expect(untraded.length).toBeGreaterThan(0);
    for (const token of untraded) expect([undefined, '']).toContain(trades.get(token)?.side);
  });

  it('refuses more than 500 items', async () => {
    const items = Array.from({ length: 501 }, () => ({ token_id: '1', side: 'BUY' }));
    expect((await simulator.post('/prices', items)).status).toBe(400);
  });
});
