import { describe, expect, it } from '@jest/globals';
import { byToken, priceMarkets, pricesToKeep, readPrices } from '../../../../lambda/app/refresh/prices.ts';
import type { CatalogueMarket } from '../../../../lambda/core/domain/market.ts';
import type { BookSides } from '../../../../lambda/core/domain/price.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testMarket } from '../../../support/markets.ts';
import { bookAround, catalogueMarket, whileTimePasses } from './refresh-fakes.ts';

const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n));
const listed = (all: readonly string[]) =>
  byToken(all.map((clobTokenId, n) => testMarket(n, { clobTokenId, bestBid: 0.4 })));

type Sides = ReadonlyMap<string, BookSides>;

function setup(respond: (batch: readonly string[], call: number) => Sides) {
  const clock = new ManualClock();
  const started = clock.now();
  const calls: number[] = [];
  const prices = {
    sides: async (batch: readonly string[]) => {
      calls.push(batch.length);
      return respond(batch, calls.length);
    },
    lastTrades: async (batch: readonly string[]) => new Map(batch.map((token) => [token, { price: 0.3 }])),
  };
  const read = async (all: readonly string[], known: readonly string[] = [], withinMs = 60_000) => {
    const reading = readPrices({ prices, clock }, all, listed(known), started + withinMs);
    const result = await whileTimePasses(clock, reading);
    return { ...result, afterMs: result.asOf - started, tookMs: clock.now() - started };
  };
  return { clock, prices, calls, read };
}

const withBooks = (batch: readonly string[], count = batch.length): Sides =>
  new Map(batch.map((token, n) => [token, n < count ? bookAround(0.5) : {}]));
const fail = () => {
  throw new Error('down');
};

describe('the sides of books', () => {
  it('are read in batches of 250 at once', async () => {
    const { calls, read } = setup(withBooks);
    const { sides, calls: made, failed, afterMs } = await read(tokens(501));
    expect(calls).toEqual([250, 250, 1]);
    expect([sides.size, made, failed, afterMs]).toEqual([501, 3, 0, 0]);
  });

  it('are all read again when a call fails, so that one time holds for all', async () => {
    const { calls, read } = setup((batch, call) => (call === 2 ? fail() : withBooks(batch)));
    const { sides, afterMs, failed } = await read(tokens(300));
    expect(calls).toEqual([250, 50, 250, 50]);
    expect([sides.size, afterMs, failed]).toEqual([300, 1_000, 0]);
  });

  it('are given up after some seconds when a part of them comes', async () => {
    const { read } = setup((batch) => (batch.length === 50 ? fail() : withBooks(batch)));
    const { sides, failed, tookMs } = await read(tokens(300));
    expect([sides.size, failed]).toEqual([250, 1]);
    expect(tookMs).toBeLessThan(11_000);
  });

  it('come from the reading with the fewest failed calls, the latest of these', async () => {
    const { read } = setup((batch, call) => (call % 2 === 0 || call > 4 ? fail() : withBooks(batch)));
    const { sides, failed, afterMs } = await read(tokens(300), [], 20_000);
    expect([sides.size, failed, afterMs]).toEqual([250, 1, 1_000]);
  });

  it('of a call that takes too long are given up with it', async () => {
    const { clock, prices } = setup(withBooks);
    const sides = async (batch: readonly string[], deadline: number) => {
      if (batch.length === 250) return withBooks(batch);
      await sleep(clock, deadline - clock.now());
      return fail();
    };
    const started = clock.now();
    const reading = readPrices({ prices: { ...prices, sides }, clock }, tokens(300), byToken([]), started + 90_000);
    expect((await whileTimePasses(clock, reading)).failed).toBe(1);
    expect(clock.now() - started).toBeLessThanOrEqual(10_100);
  });
});

describe('a response with status 200', () => {
  it.each([
    ['half of 20 markets that had a book', 20, 20, 10, 0],
    ['less than half of 20 markets that had a book', 20, 20, 9, 1],
    ['less than half of 19 markets that had a book', 19, 19, 9, 0],
    ['few of 250 markets, of which few had a book', 250, 30, 15, 0],
  ])('with books of %s', async (_what, size, had, has, failed) => {
    const { read } = setup((batch) => withBooks(batch, has));
    const reading = await read(tokens(size), tokens(had), 500);
    expect(reading.failed).toBe(failed);
    expect(reading.sides.size).toBe(failed ? 0 : size);
  });
});

describe('the last trades', () => {
  const books = { tight: { bid: 0.4, ask: 0.5 }, wide: { bid: 0.4, ask: 0.6 }, empty: {} };

  it('are read of the markets whose book is wide or empty', async () => {
    const { read } = setup(() => new Map(Object.entries(books)));
    const { lastTrades } = await read(['tight', 'wide', 'empty']);
    expect(lastTrades).toEqual(new Map(['wide', 'empty'].map((token) => [token, { price: 0.3 }])));
  });

  it('delay a run by at most 3 s when the route hangs', async () => {
    const { clock, prices } = setup(() => new Map(Object.entries(books)));
    const lastTrades = async (_batch: unknown, deadline: number) => {
      await sleep(clock, deadline - clock.now());
      return fail();
    };
    const started = clock.now();
    const reading = readPrices({ prices: { ...prices, lastTrades }, clock }, ['wide'], byToken([]), started + 60_000);
    expect((await whileTimePasses(clock, reading)).lastTrades.size).toBe(0);
    expect(clock.now() - started).toBeLessThanOrEqual(3_100);
  });
});

describe('markets with prices', () => {
  const price = (market: CatalogueMarket, sides: BookSides | undefined, previous = byToken([])) =>
    priceMarkets(
      [market],
      { sides: new Map(sides && [[market.clobTokenId, sides]]), lastTrades: new Map() },
      previous,
    )[0];

  it('have the probability in percent with three decimals, for both outcomes', () => {
    const market = price(catalogueMarket(0), { bid: 0.1234, ask: 0.1235 });
    expect(market).toMatchObject({ currentProbability: 12.345, midpoint: 0.12345, bestBid: 0.1234, spread: 0.0001 });
    expect(market?.outcomes.map(({ probability }) => probability)).toEqual([12.345, 87.655]);
  });

  it('are listed by volume, without those that have no price', () => {
    const markets = [1, 2, 3].map((volume, n) => catalogueMarket(n, { volume }));
    const sides = withBooks(markets.map(({ clobTokenId }) => clobTokenId).toReversed(), 2);
    const priced = priceMarkets(markets, { sides, lastTrades: new Map() }, byToken([]));
    expect(priced.map(({ volume }) => volume)).toEqual([3, 2]);
  });

  it('keep the price of the newest snapshot once, unless that is too old to be served', () => {
    const newest = { info: { asOf: 0 }, markets: [testMarket(0, { midpoint: 0.9, currentProbability: 90 })] };
    const at = (asOf: number) => price(catalogueMarket(0), undefined, pricesToKeep(newest, asOf));
    expect(at(150_000)).toMatchObject({ currentProbability: 90, midpoint: 0.9, priceSource: 'carried' });
    expect(at(150_001)).toMatchObject({ currentProbability: 45, priceSource: 'catalogue' });
    expect(pricesToKeep(undefined, 0).size).toBe(0);
  });
});
