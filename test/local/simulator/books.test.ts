import { afterAll, describe, expect, it } from '@jest/globals';
import { crawl, type Listed, testSimulator } from './support.ts';

interface Book {
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
  readonly version?: string;
}

const simulator = await testSimulator();
afterAll(() => simulator.stop());
const listed = await crawl(simulator, 'limit=100');

const tokensOf = ({ version, clobTokenIds, positionIds }: Listed): readonly string[] =>
  version === 'v2' ? (positionIds ?? []) : (JSON.parse(clobTokenIds || '[]') as string[]);
const book = async (token: string | undefined): Promise<Book> =>
  (await simulator.get(`/book?token_id=${token}`)).body as unknown as Book;
/** Both sides of each token, as `POST /prices` gives them. */
const prices = async (tokens: readonly unknown[]): Promise<Record<string, Record<string, string>>> => {
  const items = tokens.flatMap((token_id) => ['BUY', 'SELL'].map((side) => ({ token_id, side })));
  return (await simulator.post('/prices', items)).body as Record<string, Record<string, string>>;
};
/** A market with a bid and an ask. */
const usual = (version: string): Listed =>
  listed.find((market) => market.version === version && 'bestBid' in market && tokensOf(market).length === 2) as Listed;

describe('order books', () => {
  it.each(['v1', 'v2'])('put the best level of a %s market last, and mirror the other outcome', async (version) => {
    const [yes, no] = tokensOf(usual(version));
    const [own, other] = [await book(yes), await book(no)];
    const prices = (side: Book['bids']): number[] => side.map(({ price }) => Number(price));
    const mirrored = prices(other.asks).map((price) => Number((1 - price).toFixed(4)));

    expect(prices(own.bids)).toEqual([...prices(own.bids)].sort((a, b) => a - b));
    expect(prices(own.asks)).toEqual([...prices(own.asks)].sort((a, b) => b - a));
    expect(prices(own.bids).at(-1)).toBeLessThan(prices(own.asks).at(-1) ?? 0);
    expect(mirrored).toEqual(prices(own.bids));
    expect(own.version).toBe(version === 'v2' ? 'v2' : undefined);
  });

  it('do not exist for unknown tokens, decoys and markets without an order book', async () => {
    const decoys = listed.find(({ version, positionIds }) => version === 'v1' && positionIds);
    const missing = [decoys?.positionIds?.[0], '123', 'abc'];
    for (const token of missing) expect((await simulator.get(`/book?token_id=${token}`)).status).toBe(404);
    expect((await simulator.get('/book')).body).toEqual({ error: 'Invalid token id' });
  });
});

describe('POST /prices', () => {
  it.each(['v1', 'v2'])('gives the best bid as BUY and the best ask as SELL of a %s market', async (version) => {
    const tokens = tokensOf(usual(version));
    const both = await prices([...tokens, '123']);
    const books = await Promise.all(tokens.map(book));
    const best = books.map(({ bids, asks }) => [bids.at(-1)?.price, asks.at(-1)?.price].map(Number));

    expect(tokens.map((token) => [both[token]?.BUY, both[token]?.SELL].map(Number))).toEqual(best);
    expect(Object.keys(both).sort()).toEqual([...tokens].sort());
  });

  it('gives only the sides that were asked for, and "0" for an empty one', async () => {
    const [token = ''] = tokensOf(usual('v1'));
    const { body } = await simulator.post('/prices', [{ token_id: token, side: 'SELL' }]);
    const withoutBid = listed.find((one) => one.enableOrderBook && !('bestBid' in one) && tokensOf(one).length === 2);
    const [yes = ''] = tokensOf(withoutBid as Listed);

    expect(Object.keys(body[token] as object)).toEqual(['SELL']);
    expect((await prices([yes]))[yes]?.BUY).toBe('0');
  });

  it('refuses more than 500 items', async () => {
    const items = Array.from({ length: 501 }, () => ({ token_id: '1', side: 'BUY' }));
    expect((await simulator.post('/prices', items)).status).toBe(400);
  });
});

describe('POST /last-trades-prices', () => {
  it('gives the last trade between the sides, and none of a market that never traded', async () => {
    const untraded = listed.filter((one) => one.enableOrderBook && one.volumeNum === undefined).flatMap(tokensOf);
    const tokens = [...tokensOf(usual('v1')), ...untraded].slice(0, 500);
    const { body } = await simulator.post(
      '/last-trades-prices',
      tokens.map((token_id) => ({ token_id })),
    );
    const trades = body as unknown as { token_id: string; price: string; side: string }[];
    const byToken = new Map(trades.map((trade) => [trade.token_id, trade]));
    const [yes = '', no = ''] = tokensOf(usual('v1'));

    expect(Number(byToken.get(yes)?.price) + Number(byToken.get(no)?.price)).toBeCloseTo(1, 9);
    expect(untraded.length).toBeGreaterThan(0);
    for (const token of untraded) expect([undefined, '']).toContain(byToken.get(token)?.side);
  });
});
