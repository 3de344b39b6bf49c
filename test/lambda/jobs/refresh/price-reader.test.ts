import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { bookAround } from './catalogue-markets.ts';
import {
  fail,
  market,
  previousPrices,
  priceReaderRig,
  tokens,
  withBooks,
} from './price-reader-rig.ts';

// In each run, the reader of prices asks CLOB for the best bid and ask ("the sides") of all
// markets, and for the last trades of those whose bid and ask are far apart. A reading is a call for
// each 250 tokens. If one of them fails, the reader repeats the whole reading, for at most 10 s.
// `afterMs` is when the reading began whose sides it returns, `tookMs` the time of all readings.

describe('the sides of books', () => {
  it('are read in batches of 250 at once, each of one protocol version', async () => {
    const { calls, sizes, readMarkets } = priceReaderRig((batch) => withBooks(batch));
    const markets = tokens(600).map((token, n) => market(token, n % 3 === 0 ? 'v2' : 'v1'));
    const { sides, calls: made, failed, afterMs } = await readMarkets(markets);
    // 200 tokens of v2, and 400 of v1.
    expect(sizes().sort((a, b) => b - a)).toEqual([250, 200, 150]);
    const isV2 = (token: string) => Number(token) % 3 === 0;
    for (const batch of calls) expect(batch.every(isV2) || !batch.some(isV2)).toBe(true);
    expect(sides.size).toBe(600);
    expect({ made, failed, afterMs }).toEqual({ made: 3, failed: 0, afterMs: 0 });
  });

  it('are all read again when a call fails, so that one time holds for all', async () => {
    const { sizes, readTokens } = priceReaderRig((batch, call) =>
      call === 2 ? fail() : withBooks(batch),
    );
    const { sides, afterMs, failed } = await readTokens(tokens(300));
    expect(sizes()).toEqual([250, 50, 250, 50]);
    expect(sides.size).toBe(300);
    expect(afterMs).toBe(1_000);
    expect(failed).toBe(0);
  });

  it('are read in part if a call still fails after 10 s', async () => {
    const { readTokens } = priceReaderRig((batch) =>
      batch.length === 50 ? fail() : withBooks(batch),
    );
    const { sides, failed, tookMs } = await readTokens(tokens(300));
    expect(sides.size).toBe(250);
    expect(failed).toBe(1);
    // The last pause may end up to a second later.
    expect(tookMs).toBeLessThan(11_000);
  });

  it('come from the latest of the readings with the fewest failed calls', async () => {
    // A reading has two calls. One of them fails in the first two readings, both in the others.
    const { readTokens } = priceReaderRig((batch, call) =>
      call % 2 === 0 || call > 4 ? fail() : withBooks(batch),
    );
    const { sides, failed, afterMs } = await readTokens(tokens(300), { withinMs: 20_000 });
    expect(sides.size).toBe(250);
    expect(failed).toBe(1);
    // The second reading begins after a pause of 1 s.
    expect(afterMs).toBe(1_000);
  });
});

it('a call has at most 10 s', async () => {
  const { clock, prices, readTokens } = priceReaderRig(fail);
  const timeouts: number[] = [];
  prices.sides = async (_batch, deadline) => {
    timeouts.push(deadline - clock.now());
    return fail();
  };
  await readTokens(['1'], { withinMs: 12_000 });
  expect(Math.max(...timeouts)).toBe(10_000);
});

// If the snapshot before had a price from the market's book, a response without it may be incomplete:
// the sides are unread, `undefined`. Otherwise the market has no book: `{}`. The same holds for its
// last trade.
describe('a token that a response omits', () => {
  it.each([
    { priceSource: 'book', sides: undefined },
    { priceSource: 'carried', sides: {} },
    { priceSource: 'catalogue', sides: {} },
  ] as const)('after a price from $priceSource has the sides $sides', async (row) => {
    const { readMarkets } = priceReaderRig(() => new Map([['0', bookAround(0.5)]]));
    const previous = previousPrices(['1'], row.priceSource);
    const { sides } = await readMarkets([market('0'), market('1')], { previous });
    expect(sides.get('1')).toEqual(row.sides);
  });

  it.each([
    { priceSource: 'trade', trade: undefined },
    { priceSource: 'catalogue', trade: {} },
  ] as const)('after a price from $priceSource has the last trade $trade', async (row) => {
    const { prices, readMarkets } = priceReaderRig(() => new Map([['1', { bid: 0.4 }]]));
    prices.lastTrades = async () => new Map();
    const previous = previousPrices(['1'], row.priceSource);
    const { lastTrades } = await readMarkets([market('1')], { previous });
    expect(lastTrades.get('1')).toEqual(row.trade);
  });
});

// A response with fewer than half of the books that the tokens had counts as a failed call.
it.each([
  { markets: 20, hadBooks: 20, books: 10, failed: 0 },
  { markets: 20, hadBooks: 20, books: 9, failed: 1 },
  // Fewer than 20 known books prove nothing.
  { markets: 19, hadBooks: 19, books: 9, failed: 0 },
  { markets: 250, hadBooks: 30, books: 15, failed: 0 },
])(
  'a response with $books of $hadBooks known books of $markets markets is $failed failed calls',
  async ({ markets: size, hadBooks, books, failed }) => {
    const { readTokens } = priceReaderRig((batch) => withBooks(batch, books));
    const reading = await readTokens(tokens(size), {
      previous: previousPrices(tokens(hadBooks)),
      withinMs: 500,
    });
    expect(reading.failed).toBe(failed);
    expect(reading.sides.size).toBe(failed ? 0 : size);
  },
);

// A response with trades of fewer than half of the markets with a volume does not count.
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
  const { clock, prices, readTokens } = priceReaderRig(
    () => new Map([['1', { bid: 0.4, ask: 0.6 }]]),
  );
  prices.lastTrades = async (_batch, deadline) => {
    await sleep(clock, deadline - clock.now());
    return fail();
  };
  const { lastTrades, tookMs } = await readTokens(['1']);
  expect(lastTrades.size).toBe(0);
  // The clock moves in steps of 100 ms.
  expect(tookMs).toBeLessThanOrEqual(3_000 + 100);
});
