import { describe, expect, it } from '@jest/globals';
import { ClobPrices } from '../../../../lambda/io/polymarket/clob-prices.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// `ClobPrices` reads prices of many tokens with one call to CLOB, Polymarket's order books: the
// best bid and ask (`sides`), the price of the last trade, or the best levels with their sizes.

const stub = await startStubUpstream();

/** The tokens "0", "1" and so on. */
const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n));

/** Reads from a server that sends this reply. @returns an object by token, or the error */
async function read(
  method: 'sides' | 'lastTrades' | 'bestLevels',
  requested: readonly string[],
  reply: unknown,
) {
  stub.reply(send(reply));
  const { clock, upstream } = upstreamRig(stub.url);
  const prices = new ClobPrices(upstream('clob'));
  const result = await outcome(prices[method](requested, clock.now() + 100));
  return result instanceof Map ? Object.fromEntries(result) : result;
}

describe('the sides of books', () => {
  it('are read with one call for both, as decimal texts or numbers', async () => {
    const reply = { 2: { BUY: '0.45', SELL: '0.47' }, 1: { SELL: 0.0055 }, 9: { BUY: '0.7' } };
    expect(await read('sides', ['1', '2', '3'], reply)).toEqual({
      1: { ask: 0.0055 },
      2: { bid: 0.45, ask: 0.47 },
    });
    const body = ['1', '2', '3'].flatMap((token_id) =>
      ['BUY', 'SELL'].map((side) => ({ token_id, side })),
    );
    expect(stub.requests).toMatchObject([{ method: 'POST', url: '/prices', body }]);
  });

  it.each(['', '0', '1', '-0.1', '1.01', null])(
    'are absent for a value such as %p',
    async (value) => {
      expect(await read('sides', ['1'], { 1: { BUY: value, SELL: '0.5' } })).toEqual({
        1: { ask: 0.5 },
      });
    },
  );

  it.each([null, [], '"x"', 3])('are not in %j', async (reply) => {
    expect(await read('sides', ['1'], reply)).toMatchObject({
      route: 'prices',
      failure: 'wrong_shape',
    });
  });

  // 20 tokens cannot all be without a book, so such a response is wrong.
  it.each([
    { what: '20 tokens without a book', count: 20, reply: {} },
    // A price of 0 or 1 is no side of a book.
    {
      what: '250 tokens with the prices 0 and 1',
      count: 250,
      reply: { 7: { BUY: '0', SELL: '1' } },
    },
  ])('are a failed call for $what', async ({ count, reply }) => {
    expect(await read('sides', tokens(count), reply)).toMatchObject({ failure: 'wrong_shape' });
  });

  it('can be missing for all of 19 tokens', async () => {
    expect(await read('sides', tokens(19), {})).toEqual({});
  });

  it('can be missing for all of 20 tokens but one', async () => {
    expect(await read('sides', tokens(20), { 7: { BUY: '0.5' } })).toEqual({ 7: { bid: 0.5 } });
  });
});

describe('the last trades', () => {
  // A token that was never traded is missing or has no side.
  it('are read with one call', async () => {
    const reply = [
      { token_id: '1', price: '0.45', side: 'BUY' },
      { token_id: '2', price: '0.5', side: '' },
      { token_id: '9', price: '0.5', side: 'BUY' },
      null,
    ];
    expect(await read('lastTrades', ['1', '2', '3'], reply)).toEqual({ 1: { price: 0.45 }, 2: {} });
    const body = ['1', '2', '3'].map((token_id) => ({ token_id }));
    expect(stub.requests).toMatchObject([{ method: 'POST', url: '/last-trades-prices', body }]);
  });

  it.each(['', '0', '1.01', null])('have no price for a value such as %p', async (price) => {
    expect(await read('lastTrades', ['1'], [{ token_id: '1', price, side: 'SELL' }])).toEqual({
      1: {},
    });
  });

  it('are not in another shape', async () => {
    expect(await read('lastTrades', ['1'], {})).toMatchObject({
      route: 'last-trades-prices',
      failure: 'wrong_shape',
    });
  });
});

describe('the best levels', () => {
  const level = (price: string, size: string) => ({ price, size });
  const book = (asset_id: string, bids: unknown, asks: unknown) => ({ asset_id, bids, asks });

  it('are those with the best prices, in whatever order CLOB sends them', async () => {
    const bids = [level('0.5', '6379.32'), level('0.01', '29758.27'), level('0.49', '1042.97')];
    const asks = [level('0.6', '5'), level('0.510', '5398.79'), level('0.99', '35510.21')];
    const reply = [book('2', [], asks), book('1', bids, asks), book('9', bids, asks)];
    expect(await read('bestLevels', ['1', '2', '3'], reply)).toEqual({
      1: { bestBid: 0.5, bidSize: 6379.32, bestAsk: 0.51, askSize: 5398.79 },
      2: { bestAsk: 0.51, askSize: 5398.79 },
    });
    const body = ['1', '2', '3'].map((token_id) => ({ token_id }));
    expect(stub.requests).toMatchObject([{ method: 'POST', url: '/books', body }]);
  });

  it.each([level('1.5', '7'), level('0.5', '-7'), level('0.5', '0'), { price: '0.5' }, 3, null])(
    'are not a level such as %j',
    async (wrong) => {
      const reply = [book('1', [wrong, level('0.4', '8')], 'none'), null];
      expect(await read('bestLevels', ['1'], reply)).toEqual({ 1: { bestBid: 0.4, bidSize: 8 } });
    },
  );

  it('are not in another shape', async () => {
    expect(await read('bestLevels', ['1'], {})).toMatchObject({
      route: 'books',
      failure: 'wrong_shape',
    });
  });
});
