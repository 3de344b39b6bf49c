import { describe, expect, it } from '@jest/globals';
import type { CatalogueMarket, Market } from '../../../lambda/domain/market.ts';
import { sleep } from '../../../lambda/platform/clock.ts';
import { Backfill } from '../../../lambda/refresh/backfill.ts';
import { countPrices, knownMidpoints, priceMarkets, readMidpoints } from '../../../lambda/refresh/prices.ts';
import { RunReport } from '../../../lambda/refresh/run-report.ts';
import { Samples } from '../../../lambda/refresh/samples.ts';
import { StartPrices } from '../../../lambda/refresh/start-prices.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type MarketOverrides, testMarket } from '../../support/markets.ts';
import { catalogueMarket, FakeStore, silent, whileTimePasses } from './refresh-fakes.ts';

const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n));

function setup(respond: (batch: readonly string[], call: number) => ReadonlyMap<string, number>) {
  const clock = new ManualClock();
  const started = clock.now();
  const calls: number[] = [];
  const prices = {
    midpoints: async (batch: readonly string[]) => {
      calls.push(batch.length);
      return respond(batch, calls.length);
    },
  };
  const read = async (all: readonly string[], known: readonly string[] = [], withinMs = 60_000) => {
    const midpoints = new Map(known.map((token) => [token, { midpoint: 0.5, asOf: started }]));
    const reading = readMidpoints({ prices, clock }, all, midpoints, started + withinMs, new RunReport());
    const result = await whileTimePasses(clock, reading);
    return { ...result, afterMs: result.asOf - started, tookMs: clock.now() - started };
  };
  return { clock, calls, read };
}

const all = (batch: readonly string[]) => new Map(batch.map((token) => [token, 0.5]));
const first = (batch: readonly string[], count: number) => all(batch.slice(0, count));
const fail = () => {
  throw new Error('down');
};

describe('midpoints', () => {
  it('are read in batches of 500 at once', async () => {
    const { calls, read } = setup(all);
    const { midpoints, calls: made, failed, afterMs } = await read(tokens(1_001));
    expect(calls).toEqual([500, 500, 1]);
    expect([midpoints.size, made, failed, afterMs]).toEqual([1_001, 3, 0, 0]);
  });

  it('are all read again when a call fails, so that one time holds for all', async () => {
    const { calls, read } = setup((batch, call) => (call === 2 ? fail() : all(batch)));
    const { midpoints, afterMs, failed } = await read(tokens(600));
    expect(calls).toEqual([500, 100, 500, 100]);
    expect([midpoints.size, afterMs, failed]).toEqual([600, 1_000, 0]);
  });

  it('are given up after some seconds when a part of them comes', async () => {
    const { read } = setup((batch) => (batch.length === 100 ? fail() : all(batch)));
    const { midpoints, failed, tookMs } = await read(tokens(600));
    expect([midpoints.size, failed]).toEqual([500, 1]);
    expect(tookMs).toBeLessThan(11_000);
  });

  it('are tried until the deadline when none comes', async () => {
    const { calls, read } = setup(fail);
    const { failed, afterMs } = await read(tokens(600));
    expect(failed).toBe(2);
    expect(afterMs).toBeGreaterThan(50_000);
    expect(calls.length).toBeLessThan(30);
  });

  it('come from the reading with the fewest failed calls, the latest of these', async () => {
    const { read } = setup((batch, call) => (call % 2 === 0 || call > 4 ? fail() : first(batch, call)));
    const { midpoints, failed, afterMs } = await read(tokens(600), [], 20_000);
    expect([midpoints.size, failed, afterMs]).toEqual([3, 1, 1_000]);
  });

  it('of a call that takes too long are given up with it', async () => {
    const clock = new ManualClock();
    const prices = {
      midpoints: async (batch: readonly string[], deadline: number) => {
        if (batch.length < 500) await sleep(clock, deadline - clock.now());
        if (batch.length < 500) throw new Error('timeout');
        return all(batch);
      },
    };
    const started = clock.now();
    const reading = readMidpoints({ prices, clock }, tokens(600), new Map(), started + 90_000, new RunReport());
    expect((await whileTimePasses(clock, reading)).failed).toBe(1);
    expect(clock.now() - started).toBeLessThanOrEqual(10_100);
  });
});

describe('a response with status 200', () => {
  it.each([
    ['none of 20 markets', 20, 0, 0, 1],
    ['none of 19 markets that had none before either', 19, 0, 0, 0],
    ['none of one market that had one before', 1, 1, 0, 1],
    ['half of 20 markets that had one', 20, 20, 10, 0],
    ['less than half of 20 markets that had one', 20, 20, 9, 1],
    ['less than half of 19 markets that had one', 19, 19, 9, 0],
    ['few of 500 markets, of which few had one', 500, 30, 15, 0],
  ])('with midpoints for %s', async (_what, size, had, has, failed) => {
    const { read } = setup((batch) => first(batch, has));
    const reading = await read(tokens(size), tokens(had), 500);
    expect(reading.failed).toBe(failed);
    expect(reading.midpoints.size).toBe(failed ? 0 : has);
  });
});

const NOW = Date.parse('2026-11-21T12:00:00Z');
const store = new FakeStore();
const startPrices = new StartPrices(new Samples(store, silent), new Backfill(store, silent));

interface Situation {
  readonly market?: CatalogueMarket | Market;
  /** CLOB's midpoint of now. */
  readonly clob?: number;
  /** The market in the newest snapshot, and its age. */
  readonly before?: MarketOverrides;
  readonly age?: number;
  /** Failed calls of two. */
  readonly failed?: number;
}

function priced({ market = catalogueMarket(0), clob, before, age = 60_000, failed = 0 }: Situation) {
  const midpoints = new Map(clob === undefined ? [] : [[market.clobTokenId, clob] as const]);
  const known = before ? knownMidpoints([testMarket(0, before)], NOW - age) : new Map();
  const reading = { asOf: NOW, midpoints, calls: 2, failed };
  return priceMarkets([market], { reading, known }, startPrices)[0];
}

describe('the midpoint of a market', () => {
  it("is CLOB's of this run", () => {
    expect(priced({ clob: 0.62, before: { midpoint: 0.3 } })).toMatchObject({ midpoint: 0.62, currentProbability: 62 });
  });

  it("is CLOB's of the newest snapshot for two minutes, with its own time", () => {
    const before = { midpoint: 0.3 };
    expect(priced({ before, age: 119_999 })).toMatchObject({ midpoint: 0.3, midpointAsOf: NOW - 119_999 });
    expect(priced({ before, age: 120_000 })).toMatchObject({ midpoint: 0.45, midpointSource: 'catalogue' });
    const carried = { midpoint: 0.3, midpointAsOf: NOW - 120_000 };
    expect(priced({ before: carried, age: 1 })).toMatchObject({ midpointSource: 'catalogue' });
  });

  it('is not the one of the newest snapshot when all calls failed, or when that came from the catalogue', () => {
    expect(priced({ before: { midpoint: 0.3 }, failed: 2 })).toMatchObject({ midpointSource: 'catalogue' });
    expect(priced({ before: { midpoint: 0.3, midpointSource: 'catalogue' } })).toMatchObject({ midpoint: 0.45 });
  });

  it("is the middle of the catalogue's bid and ask, up to a spread of 0.10", () => {
    const market = catalogueMarket(0, { bestBid: 0.2, bestAsk: 0.3, cataloguePrice: 0.9 });
    expect(priced({ market })).toMatchObject({ midpoint: 0.25, currentProbability: 25 });
    const wide = priced({ market: { ...market, bestAsk: 0.301 } });
    expect(wide).toMatchObject({ currentProbability: 90 });
    expect(wide).not.toHaveProperty('midpoint');
  });

  it('does not exist when CLOB returns that of an empty book', () => {
    const market = catalogueMarket(0, { bestBid: 0, bestAsk: 1, lastTradePrice: 0.07 });
    const empty = priced({ market, clob: 0.5, before: { midpoint: 0.3 } });
    expect(empty).toMatchObject({ currentProbability: 7, oneDayPriceChange: null });
    expect(empty).not.toHaveProperty('midpoint');
  });
});

describe('priced markets', () => {
  it('have nothing left of their earlier price', () => {
    const market = testMarket(0, { sevenDayPriceChange: 3, midpointAsOf: 1, midpointSource: 'catalogue' });
    expect(priced({ market, clob: 0.62 })).toEqual({
      ...testMarket(0),
      currentProbability: 62,
      oneDayPriceChange: null,
      midpoint: 0.62,
      outcomes: [
        { ...market.outcomes[0], probability: 62 },
        { ...market.outcomes[1], probability: 38 },
      ],
    });
  });

  it('are left out without any price, unless they had one in the snapshot', () => {
    const none = { bestBid: undefined, bestAsk: undefined, cataloguePrice: undefined };
    expect(priced({ market: catalogueMarket(0, none) })).toBeUndefined();
    expect(priced({ market: testMarket(0, { ...none, currentProbability: 12 }) })?.currentProbability).toBe(12);
  });

  it('are in list order', () => {
    const markets = [catalogueMarket(2), catalogueMarket(0), catalogueMarket(1, { volume: 1_000_000 })];
    const reading = { asOf: NOW, midpoints: new Map<string, number>(), calls: 1, failed: 1 };
    const ids = priceMarkets(markets, { reading, known: new Map() }, startPrices).map(({ id }) => Number(id));
    expect(ids).toEqual([1, 2, 3]);
  });

  it('are counted by the source of their price', () => {
    const markets = [
      testMarket(0),
      testMarket(1, { oneDayPriceChange: null, midpoint: undefined }),
      testMarket(2, { oneDayPriceChange: 0, midpointSource: 'catalogue' }),
      testMarket(3, { midpointAsOf: 1 }),
    ];
    expect(countPrices(markets)).toEqual({ withOneDayChange: 3, cataloguePriced: 2 });
  });
});
