import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crawl, type Listed, type TestSimulator, testSimulator } from './support.ts';

interface Book {
  readonly asset_id: string;
  readonly market: string;
  readonly hash: string;
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
  readonly version?: string;
}

let simulator: TestSimulator;
let listed: Listed[];
beforeAll(async () => {
  simulator = await testSimulator();
  listed = await crawl(simulator, 'limit=100');
});
afterAll(() => simulator.stop());

const tokensOf = ({ version, clobTokenIds, positionIds }: Listed): readonly string[] =>
  version === 'v2' ? (positionIds ?? []) : (JSON.parse(clobTokenIds || '[]') as string[]);
const book = async (token: string | undefined): Promise<Book> =>
  (await simulator.get(`/book?token_id=${token}`)).body as unknown as Book;
const midpoints = async (tokens: readonly string[]): Promise<Record<string, string>> =>
  (
    await simulator.post(
      '/midpoints',
      tokens.map((token_id) => ({ token_id })),
    )
  ).body as Record<string, string>;
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

  it('carry the hash by upstream’s own rule', async () => {
    const text = await (
      await fetch(`${simulator.url}/book?token_id=${tokensOf(usual('v2'))[0]}`, { headers: { 'user-agent': 'test' } })
    ).text();
    const { hash } = JSON.parse(text) as Book;

    expect(createHash('sha1').update(text.trim().replace(hash, '')).digest('hex')).toBe(hash);
  });

  it('do not exist for unknown tokens, decoys and markets without an order book', async () => {
    const decoys = listed.find(({ version, positionIds }) => version === 'v1' && positionIds);
    const missing = [decoys?.positionIds?.[0], '123', 'abc'];
    for (const token of missing) {
      const { status, body } = await simulator.get(`/book?token_id=${token}`);
      expect({ status, body }).toEqual({
        status: 404,
        body: { error: 'No orderbook exists for the requested token id' },
      });
    }
    expect((await simulator.get('/book')).body).toEqual({ error: 'Invalid token id' });
  });

  it('come in any order from POST /books, without the unknown ones', async () => {
    const tokens = listed.slice(0, 5).flatMap(tokensOf);
    const { body } = await simulator.post(
      '/books',
      [...tokens, '7'].map((token_id) => ({ token_id })),
    );
    const books = body as unknown as Book[];

    expect(books.map(({ asset_id }) => asset_id).sort()).toEqual([...tokens].sort());
  });
});

describe('POST /midpoints', () => {
  it('gives the middle of each book, and the rest to 1 for the other outcome', async () => {
    const tokens = tokensOf(usual('v1'));
    const { bids, asks } = await book(tokens[0]);
    const middle = (Number(bids.at(-1)?.price) + Number(asks.at(-1)?.price)) / 2;
    const [yes, no] = Object.values(await midpoints(tokens)).map(Number);

    expect([yes, no].sort()).toEqual([middle, 1 - middle].map((value) => Number(value.toFixed(6))).sort());
  });

  it('gives 0.5 for an empty book and nothing for a token without a book', async () => {
    const large = await testSimulator({ markets: 3_000, v2Share: 0 });
    const markets = await crawl(large, 'limit=100');
    const empty = markets.find(
      (market) => !('bestBid' in market) && 'bestAsk' in market && 'spread' in market && market.spread === 1,
    );
    const none = markets.find(({ enableOrderBook, clobTokenIds }) => !enableOrderBook && clobTokenIds);
    const ask = [empty, none].map((market) => ({ token_id: tokensOf(market as Listed)[0] }));
    const { body } = await large.post('/midpoints', ask);
    await large.stop();

    expect(body).toEqual({ [String(ask[0]?.token_id)]: '0.5' });
  });

  it.each([
    ['an object', {}, 'Invalid payload'],
    ['entries without a token', [{ token: '1' }], 'Invalid payload'],
    [
      'more than 500 tokens',
      Array.from({ length: 501 }, (_, n) => ({ token_id: String(n) })),
      'Payload exceeds the limit',
    ],
  ])('refuses %s', async (_, body, error) => {
    expect(await simulator.post('/midpoints', body)).toMatchObject({ status: 400, body: { error } });
  });
});
