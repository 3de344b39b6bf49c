import { describe, expect, it } from '@jest/globals';
import type { BookSides, LastTrade, PreviousPrice } from '../../../../lambda/core/domain/price.ts';
import { HOUR_MS } from '../../../../lambda/core/domain/time.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { PriceReader } from '../../../../lambda/jobs/refresh/price-reader.ts';
import { RejectedTokens } from '../../../../lambda/jobs/refresh/rejected-tokens.ts';
import { ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { bookAround } from './catalogue-markets.ts';

type Sides = ReadonlyMap<string, BookSides>;
type Version = 'v1' | 'v2';

/** The tokens "0", "1" and so on. */
const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n));
const market = (clobTokenId: string, protocolVersion: Version = 'v1') => ({
  clobTokenId,
  protocolVersion,
  volume: 1,
});
const previously = (fields: Partial<PreviousPrice>): PreviousPrice => ({
  currentProbability: 50,
  priceSource: 'book',
  bestBid: 0.4,
  pricedAt: 0,
  ...fields,
});

/** A response with all tokens, of which the first ones have a book. The other books are empty. */
const withBooks = (batch: readonly string[], count = batch.length): Sides =>
  new Map(batch.map((token, n) => [token, n < count ? bookAround(0.5) : {}]));
const fail = () => {
  throw new Error('down');
};
/** As CLOB rejects a call because of one of its tokens. */
const reject = () => {
  throw new UpstreamError({
    route: 'prices',
    failure: 'status',
    status: 400,
    excerpt: '{"error":"Invalid payload"}',
  });
};

/** @param respond what CLOB returns for a batch of tokens; calls are counted from 1 */
function setup(respond: (batch: readonly string[], call: number) => Sides) {
  const clock = new ManualClock();
  const started = clock.now();
  const calls: (readonly string[])[] = [];
  const prices = {
    sides: async (batch: readonly string[], _deadline: number) => {
      calls.push(batch);
      return respond(batch, calls.length);
    },
    lastTrades: async (
      batch: readonly string[],
      _deadline: number,
    ): Promise<ReadonlyMap<string, LastTrade>> =>
      new Map(batch.map((token) => [token, { price: 0.3 }])),
  };
  const deps = { prices, clock, rejectedTokens: new RejectedTokens() };
  const readMarkets = async (
    markets: readonly ReturnType<typeof market>[],
    previous: ReadonlyMap<string, PreviousPrice> = new Map(),
    withinMs = 60_000,
  ) => {
    const reading = new PriceReader(deps).read(markets, previous, clock.now() + withinMs);
    const result = await whileTimePasses(clock, reading);
    return { ...result, afterMs: result.asOf - started, tookMs: clock.now() - started };
  };
  const read = (all: readonly string[], known: readonly string[] = [], withinMs?: number) =>
    readMarkets(
      all.map((token) => market(token)),
      new Map(known.map((token) => [token, previously({})])),
      withinMs,
    );
  /** A run over 300 markets, and its calls with the token 123. */
  const run = async () => {
    calls.length = 0;
    const { sides } = await read(tokens(300));
    return { read: sides.size, calls: calls.filter((batch) => batch.includes('123')) };
  };
  return {
    clock,
    prices,
    deps,
    calls,
    read,
    run,
    readMarkets,
    sizes: () => calls.map(({ length }) => length),
  };
}

describe('the sides of books', () => {
  it('are read in batches of 250 at once, each of one protocol version', async () => {
    const { calls, sizes, readMarkets } = setup((batch) => withBooks(batch));
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
    const { sizes, read } = setup((batch, call) => (call === 2 ? fail() : withBooks(batch)));
    const { sides, afterMs, failed } = await read(tokens(300));
    expect(sizes()).toEqual([250, 50, 250, 50]);
    expect(sides.size).toBe(300);
    expect(afterMs).toBe(1_000);
    expect(failed).toBe(0);
  });

  it('are given up after some seconds when a part of them comes', async () => {
    const { read } = setup((batch) => (batch.length === 50 ? fail() : withBooks(batch)));
    const { sides, failed, tookMs } = await read(tokens(300));
    expect(sides.size).toBe(250);
    expect(failed).toBe(1);
    expect(tookMs).toBeLessThan(11_000);
  });

  it('come from the reading with the fewest failed calls, the latest of these', async () => {
    const { read } = setup((batch, call) =>
      call % 2 === 0 || call > 4 ? fail() : withBooks(batch),
    );
    const { sides, failed, afterMs } = await read(tokens(300), [], 20_000);
    expect(sides.size).toBe(250);
    expect(failed).toBe(1);
    expect(afterMs).toBe(1_000);
  });
});

it('a reading takes at most 10 s', async () => {
  const { clock, prices, read } = setup(fail);
  const limits: number[] = [];
  prices.sides = async (_batch, deadline) => {
    limits.push(deadline - clock.now());
    return fail();
  };
  await read(['1'], [], 12_000);
  expect(Math.max(...limits)).toBe(10_000);
});

describe('a token that a response omits', () => {
  it.each([
    ['book', undefined],
    ['carried', {}],
    ['catalogue', {}],
  ] as const)('after a price from %s has the sides %j', async (priceSource, expected) => {
    const { readMarkets } = setup(() => new Map([['0', bookAround(0.5)]]));
    const previous = new Map([['1', previously({ priceSource })]]);
    const { sides } = await readMarkets([market('0'), market('1')], previous);
    expect(sides.get('1')).toEqual(expected);
  });

  it.each([
    ['trade', undefined],
    ['catalogue', {}],
  ] as const)('after a price from %s has the last trade %j', async (priceSource, expected) => {
    const { prices, readMarkets } = setup(() => new Map([['1', { bid: 0.4 }]]));
    prices.lastTrades = async () => new Map();
    const previous = new Map([['1', previously({ priceSource })]]);
    const { lastTrades } = await readMarkets([market('1')], previous);
    expect(lastTrades.get('1')).toEqual(expected);
  });
});

describe('a rejected token', () => {
  const rejecting = (bad: readonly string[]) =>
    setup((batch) => (batch.some((token) => bad.includes(token)) ? reject() : withBooks(batch)));

  it('is found by halving, and the others of its call are read', async () => {
    const { read, sizes } = rejecting(['123']);
    const { sides, failed } = await read(tokens(300));
    expect(sides.size).toBe(299);
    expect(sides.has('123')).toBe(false);
    expect(failed).toBe(0);
    // Two calls, then two for each halving of 250 tokens: 2^8 is 256.
    expect(sizes().length).toBeLessThanOrEqual(2 + 16);
  });

  it('rests for an hour. Then it is called alone until it is accepted', async () => {
    const bad = ['123'];
    const { run, clock } = rejecting(bad);
    await run();
    expect(await run()).toEqual({ read: 299, calls: [] });
    await clock.advance(HOUR_MS);
    expect(await run()).toEqual({ read: 299, calls: [['123']] });
    await clock.advance(HOUR_MS);
    bad.length = 0;
    expect(await run()).toEqual({ read: 300, calls: [['123']] });
    expect((await run()).calls).toEqual([tokens(250)]);
  });

  it('stays unread and alone when its own call returns no token', async () => {
    let isRejected = true;
    const { run, clock } = setup((batch) => {
      if (!batch.includes('123')) return withBooks(batch);
      return isRejected || batch.length > 1 ? reject() : new Map();
    });
    await run();
    isRejected = false;
    await clock.advance(HOUR_MS);
    expect((await run()).read).toBe(299);
    expect((await run()).calls).toEqual([['123']]);
  });

  it.each([
    [50, 20],
    [200, 80],
  ])(
    'costs at most 64 calls in a run. The next run goes on where this one stopped: %i tokens',
    async (count, runs) => {
      const bad = tokens(2_000).filter((_, n) => n % (2_000 / count) === 7);
      const { read, calls } = rejecting(bad);
      const sizes: number[] = [];
      for (let run = 0; run < runs; run++) {
        calls.length = 0;
        sizes.push((await read(tokens(2_000))).sides.size);
        expect(calls.length).toBeLessThanOrEqual(9 + 64);
      }
      expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
      expect(sizes.at(-1)).toBe(2_000 - count);
    },
  );

  it('stays in a separate call while the calls of its part fail', async () => {
    let isDown = true;
    const respond = (batch: readonly string[]) => {
      if (!batch.includes('123')) return withBooks(batch);
      return isDown ? fail() : reject();
    };
    const { run, deps, clock } = setup(respond);
    deps.rejectedTokens.record(
      { accepted: ['0'], rejected: [], suspects: [['122', '123']] },
      clock.now(),
    );
    expect((await run()).read).toBe(298);
    isDown = false;
    expect(await run()).toEqual({ read: 299, calls: [['122', '123'], ['123']] });
  });

  it('costs at most 64 calls in a run, even if separate calls fail', async () => {
    const rejected = tokens(400).slice(300);
    const { read, calls, deps, clock } = setup((batch) =>
      batch.length <= 2 ? fail() : withBooks(batch),
    );
    deps.rejectedTokens.record({ accepted: ['0'], rejected, suspects: [['1', '2']] }, clock.now());
    await clock.advance(HOUR_MS);
    await read(tokens(400));
    expect(calls.filter(({ length }) => length === 1)).toHaveLength(63);
  });

  it('is not the reason when the route rejects everything', async () => {
    const { read, calls, deps } = setup(reject);
    const reading = await read(tokens(300), [], 500);
    expect(reading.sides.size).toBe(0);
    expect(reading.failed).toEqual(reading.calls);
    expect(calls.length).toBeLessThanOrEqual(4 + 64);
    const unchanged = { batches: [['0']], suspects: [], due: [] };
    expect(deps.rejectedTokens.batches([market('0')], Date.now(), 64)).toEqual(unchanged);
  });
});

it.each([
  // A response without half of the books that the tokens had is wrong, whatever its status.
  { markets: 20, hadBooks: 20, books: 10, failed: 0 },
  { markets: 20, hadBooks: 20, books: 9, failed: 1 },
  // Fewer than 20 markets that had a book prove nothing.
  { markets: 19, hadBooks: 19, books: 9, failed: 0 },
  { markets: 250, hadBooks: 30, books: 15, failed: 0 },
])(
  'a response with status 200 and $books books of $hadBooks known ones is $failed failed calls',
  async ({ markets: size, hadBooks, books, failed }) => {
    const { read } = setup((batch) => withBooks(batch, books));
    const reading = await read(tokens(size), tokens(hadBooks), 500);
    expect(reading.failed).toBe(failed);
    expect(reading.sides.size).toBe(failed ? 0 : size);
  },
);

it.each([
  // The same holds for the trades of markets with a volume.
  { volume: 1, trades: 10, read: 20 },
  { volume: 1, trades: 9, read: 0 },
  { volume: 0, trades: 0, read: 20 },
])(
  '$trades last trades of 20 markets with the volume $volume are $read read ones',
  async ({ volume, trades, read }) => {
    const { prices, readMarkets } = setup((batch) => withBooks(batch, 0));
    prices.lastTrades = async (batch) =>
      new Map(batch.slice(0, trades).map((token) => [token, { price: 0.3 }]));
    const markets = tokens(20).map((token) => ({ ...market(token), volume }));
    expect((await readMarkets(markets)).lastTrades.size).toBe(read);
  },
);

it('last trades delay a run by at most 3 s when their route hangs', async () => {
  const { clock, prices, read } = setup(() => new Map([['1', { bid: 0.4, ask: 0.6 }]]));
  prices.lastTrades = async (_batch, deadline) => {
    await sleep(clock, deadline - clock.now());
    return fail();
  };
  const { lastTrades, tookMs } = await read(['1']);
  expect(lastTrades.size).toBe(0);
  expect(tookMs).toBeLessThanOrEqual(3_100);
});
