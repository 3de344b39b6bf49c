import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { bookAround } from './catalogue-markets.ts';
import { fail, market, previously, priceReaderRig, tokens, withBooks } from './price-reader-rig.ts';

// In each run, the reader of prices asks CLOB for the best bid and ask ("the sides") of all
// markets, and for the last trades of those without a tight book. It repeats a reading of which a
// call failed, for at most 10 s.

describe('the sides of books', () => {
  it('are read in batches of 250 at once, each of one protocol version', async () => {
    const { calls, sizes, readMarkets } = priceReaderRig((batch) => withBooks(batch));
    const markets = tokens(600).map((token, n) => market(token, n % 3 === 0 ? 'v2' : 'v1'));
    const { sides, calls: made, failed, afterMs } = await readMarkets(markets);
    expect(sizes().sort((a, b) => b - a)).toEqual([250, 200, 150]);
    const versions = calls.map(
      (batch) => new Set(batch.map((token) => Number(token) % 3 === 0)).size,
    );
    expect(versions).toEqual([1, 1, 1]);
    expect(sides.size).toBe(600);
    expect(made).toBe(3);
    expect(failed).toBe(0);
    expect(afterMs).toBe(0);
  });

  it('are all read again when a call fails, so that one time holds for all', async () => {
    const { sizes, read } = priceReaderRig((batch, call) =>
      call === 2 ? fail() : withBooks(batch),
    );
    const { sides, afterMs, failed } = await read(tokens(300));
    expect(sizes()).toEqual([250, 50, 250, 50]);
    expect(sides.size).toBe(300);
    expect(afterMs).toBe(1_000);
    expect(failed).toBe(0);
  });

  it('are given up after 10 s when a part of them comes', async () => {
    const { read } = priceReaderRig((batch) => (batch.length === 50 ? fail() : withBooks(batch)));
    const { sides, failed, tookMs } = await read(tokens(300));
    expect(sides.size).toBe(250);
    expect(failed).toBe(1);
    // The last pause may end a little later.
    expect(tookMs).toBeLessThan(11_000);
  });

  it('come from the reading with the fewest failed calls, the latest of these', async () => {
    // A reading has two calls. One of them fails in the first two readings, both in the others.
    const { read } = priceReaderRig((batch, call) =>
      call % 2 === 0 || call > 4 ? fail() : withBooks(batch),
    );
    const { sides, failed, afterMs } = await read(tokens(300), { withinMs: 20_000 });
    expect(sides.size).toBe(250);
    expect(failed).toBe(1);
    // The second reading begins after a pause of 1 s.
    expect(afterMs).toBe(1_000);
  });
});

it('a reading takes at most 10 s', async () => {
  const { clock, prices, read } = priceReaderRig(fail);
  const limits: number[] = [];
  prices.sides = async (_batch, deadline) => {
    limits.push(deadline - clock.now());
    return fail();
  };
  await read(['1'], { withinMs: 12_000 });
  expect(Math.max(...limits)).toBe(10_000);
});

// If the market had a book or a trade before, the token is unread: the response may be incomplete.
// Otherwise the market has none.
describe('a token that a response omits', () => {
  it.each([
    { priceSource: 'book', sides: undefined },
    { priceSource: 'carried', sides: {} },
    { priceSource: 'catalogue', sides: {} },
  ] as const)('after a price from $priceSource has the sides $sides', async (row) => {
    const { readMarkets } = priceReaderRig(() => new Map([['0', bookAround(0.5)]]));
    const previous = new Map([['1', previously({ priceSource: row.priceSource })]]);
    const { sides } = await readMarkets([market('0'), market('1')], { previous });
    expect(sides.get('1')).toEqual(row.sides);
  });

  it.each([
    { priceSource: 'trade', trade: undefined },
    { priceSource: 'catalogue', trade: {} },
  ] as const)('after a price from $priceSource has the last trade $trade', async (row) => {
    const { prices, readMarkets } = priceReaderRig(() => new Map([['1', { bid: 0.4 }]]));
    prices.lastTrades = async () => new Map();
    const previous = new Map([['1', previously({ priceSource: row.priceSource })]]);
    const { lastTrades } = await readMarkets([market('1')], { previous });
    expect(lastTrades.get('1')).toEqual(row.trade);
  });
});

// A response without half of the books that the tokens had is wrong, whatever its status.
it.each([
  { markets: 20, hadBooks: 20, books: 10, failed: 0 },
  { markets: 20, hadBooks: 20, books: 9, failed: 1 },
  // Fewer than 20 markets that had a book prove nothing.
  { markets: 19, hadBooks: 19, books: 9, failed: 0 },
  { markets: 250, hadBooks: 30, books: 15, failed: 0 },
])(
  'a response with status 200 and $books books of $hadBooks known ones is $failed failed calls',
  async ({ markets: size, hadBooks, books, failed }) => {
    const { read } = priceReaderRig((batch) => withBooks(batch, books));
    const reading = await read(tokens(size), { known: tokens(hadBooks), withinMs: 500 });
    expect(reading.failed).toBe(failed);
    expect(reading.sides.size).toBe(failed ? 0 : size);
  },
);

// The same holds for the trades of markets with a volume.
it.each([
  { volume: 1, trades: 10, read: 20 },
  { volume: 1, trades: 9, read: 0 },
  { volume: 0, trades: 0, read: 20 },
])(
  'a response with $trades trades of 20 markets with the volume $volume gives $read last trades',
  async ({ volume, trades, read }) => {
    const { prices, readMarkets } = priceReaderRig((batch) => withBooks(batch, 0));
    prices.lastTrades = async (batch) =>
      new Map(batch.slice(0, trades).map((token) => [token, { price: 0.3 }]));
    const markets = tokens(20).map((token) => ({ ...market(token), volume }));
    expect((await readMarkets(markets)).lastTrades.size).toBe(read);
  },
);

it('last trades delay a run by at most 3 s when their route hangs', async () => {
  const { clock, prices, read } = priceReaderRig(() => new Map([['1', { bid: 0.4, ask: 0.6 }]]));
  prices.lastTrades = async (_batch, deadline) => {
    await sleep(clock, deadline - clock.now());
    return fail();
  };
  const { lastTrades, tookMs } = await read(['1']);
  expect(lastTrades.size).toBe(0);
  expect(tookMs).toBeLessThanOrEqual(3_100);
});
