import { describe, expect, it } from '@jest/globals';
import type { ChangeWindow } from '../../../../lambda/core/domain/change.ts';
import { DAY_MS, MINUTE_MS, toUnixSeconds } from '../../../../lambda/core/domain/time.ts';
import { encodeText, priceKey } from '../../../../lambda/io/snapshots/stored-prices.ts';
import { Samples } from '../../../../lambda/jobs/refresh/samples.ts';
import { StartPrices } from '../../../../lambda/jobs/refresh/start-prices.ts';
import { testMarket, testMarkets } from '../../../support/markets.ts';
import { bookAround, FakeStore, silent } from './refresh-fakes.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const LATER = Number.MAX_SAFE_INTEGER;
const token = testMarket(0).clobTokenId;
const key = priceKey(token);
const market = (midpoint: number | undefined, n = 0) => testMarket(n, { midpoint });
const HOURS: Readonly<Record<ChangeWindow, number>> = {
  oneHour: 1,
  oneDay: 24,
  sevenDay: 168,
  thirtyDay: 720,
};
const startOf = (window: ChangeWindow) => NOW / 1_000 - HOURS[window] * 3_600;
const kindOf = (window: string) => (window === 'oneHour' || window === 'oneDay' ? 'day' : 'month');

type Prices = Partial<Record<ChangeWindow, number | null>>;

/**
 * @param age of the samples before the starts, in seconds
 * @param historyAge of upstream's prices before the starts
 */
async function setup(samples: Prices, histories: Prices, age = 60, historyAge = 0) {
  const store = new FakeStore();
  const startPrices = new StartPrices(store, silent);
  for (const [window, price] of Object.entries(samples)) {
    const n = startOf(window as ChangeWindow) - age;
    await store.put('SAMPLE', {
      n,
      data: encodeText(JSON.stringify({ prices: { [key]: price } })),
    });
  }
  await startPrices.load(undefined, NOW, LATER);
  const span = { from: toUnixSeconds(NOW - 31 * DAY_MS), until: toUnixSeconds(NOW) };
  const known = Object.entries(histories) as [ChangeWindow, number][];
  for (const [kind, prices] of Map.groupBy(known, ([window]) => kindOf(window))) {
    const points = prices.map(([window, p]) => ({ t: startOf(window) - historyAge, p }));
    startPrices.recordHistory(kind, token, { ...span, points });
  }
  return startPrices;
}

/** By window, of the market `n`. */
const changes = (startPrices: StartPrices, midpoint: number | undefined, n = 0) => {
  const { oneHourPriceChange, oneDayPriceChange, sevenDayPriceChange, thirtyDayPriceChange } =
    startPrices.withChanges(market(midpoint, n), NOW);
  return [oneHourPriceChange, oneDayPriceChange, sevenDayPriceChange, thirtyDayPriceChange];
};
const UNKNOWN = [null, null, undefined, undefined];

describe('a doubtful change', () => {
  const doubtful = (startPrices: StartPrices, midpoint: number) =>
    startPrices.withChanges(market(midpoint), NOW).doubtfulChanges;

  it('exceeds 10 points since an upstream price before a jump of more than 10 points', async () => {
    const jumped = await setup({}, { oneDay: 0.3, oneHour: 0.41 });
    expect(doubtful(jumped, 0.401)).toEqual(['oneDayPriceChange']);
    expect(doubtful(jumped, 0.4)).toBeUndefined();
    const calm = await setup({}, { oneDay: 0.3, oneHour: 0.4 });
    expect(doubtful(calm, 0.6)).toBeUndefined();
    const early = await setup({}, { sevenDay: 0.2, thirtyDay: 0.6 });
    expect(doubtful(early, 0.9)).toEqual(['thirtyDayPriceChange']);
  });

  it("does not begin at the service's own sample", async () => {
    const startPrices = await setup({ oneDay: 0.3 }, { oneDay: 0.3, oneHour: 0.41 });
    expect(doubtful(startPrices, 0.9)).toBeUndefined();
  });
});

describe('the changes of a market', () => {
  it.each<[string, Prices, Prices, number, number | null]>([
    [
      "the service's own sample rather than upstream's history",
      { oneDay: 0.3 },
      { oneDay: 0.4 },
      900,
      20,
    ],
    [
      "upstream's history where the sample is older than 15 minutes",
      { oneDay: 0.3 },
      { oneDay: 0.4 },
      901,
      10,
    ],
    ['the older sample without a history', { oneDay: 0.3 }, {}, 901, 20],
    ['no history where the market had no midpoint', { oneDay: null }, { oneDay: 0.4 }, 60, null],
  ])('over a day compare with %s', async (_what, samples, histories, age, expected) => {
    expect(changes(await setup(samples, histories, age), 0.5)[1]).toBe(expected);
  });

  it.each<[string, Prices, Prices, number, number | null]>([
    ['its own sample of 60 minutes ago', { oneHour: 0.3 }, {}, 0, 20],
    ['its own sample of 75 minutes ago', { oneHour: 0.3 }, {}, 900, 20],
    ['no sample that is older', { oneHour: 0.3 }, {}, 901, null],
    ['no sample without a midpoint', { oneHour: null }, { oneHour: 0.1 }, 0, null],
    ["upstream's price of 60 minutes ago", {}, { oneHour: 0.1 }, 0, 40],
    ["upstream's price of 75 minutes ago", {}, { oneHour: 0.1 }, 900, 40],
    ['no older price of upstream', {}, { oneHour: 0.1 }, 901, null],
    ['no later price of upstream', {}, { oneHour: 0.1 }, -1, null],
  ])('over an hour compare with %s', async (_what, samples, histories, age, expected) => {
    expect(changes(await setup(samples, histories, age, age), 0.5)[0]).toBe(expected);
  });

  it('are unknown without the start or without the end', async () => {
    const startPrices = await setup({ oneDay: 0.3 }, {});
    expect(changes(startPrices, 0.5, 1)).toEqual(UNKNOWN);
    expect(changes(startPrices, undefined)).toEqual(UNKNOWN);
  });
});

it('a table that does not respond delays the first run of a container by 5 s, later ones by 2 s, and none beyond its end', async () => {
  const store = new FakeStore();
  const startPrices = new StartPrices(store, silent);
  for (const runDeadline of [LATER, LATER, NOW + 1_000])
    await startPrices.load([], NOW, runDeadline);
  const waits = Object.entries(Object.groupBy(store.queries, ({ partition }) => partition));
  for (const [partition, queries = []] of waits) {
    const ms = new Set(queries.map(({ deadline }) => deadline - NOW));
    expect([partition, ...ms]).toEqual([partition, 5_000, 2_000, 1_000]);
  }
  expect(waits).toHaveLength(3);
});

describe('a market needs its history', () => {
  const needs = async (...args: Parameters<typeof setup>) => {
    const startPrices = await setup(...args);
    return (['day', 'month'] as const).filter((kind) =>
      startPrices.needsHistory(kind, market(0.5), NOW),
    );
  };

  it.each<[string, Prices, Prices, string[], number?]>([
    ['when nothing is known', {}, {}, ['day', 'month']],
    [
      'of the day when only the hour is known',
      { oneHour: 0.3, sevenDay: 0.3 },
      { thirtyDay: 0.3 },
      ['day'],
    ],
    [
      'of the month when only the week is known',
      { oneHour: 0.3, oneDay: 0.3, sevenDay: 0.3 },
      {},
      ['month'],
    ],
    [
      'no more when all is known',
      { oneHour: 0.3, oneDay: 0.3, sevenDay: 0.3 },
      { thirtyDay: 0.3 },
      [],
    ],
    ['not of a start without a midpoint', { oneHour: null, oneDay: null }, {}, ['month']],
    [
      'no more with samples 15 minutes before the start',
      { oneHour: 0.3, oneDay: 0.3 },
      { thirtyDay: 0.3 },
      [],
      900,
    ],
    [
      'of the day with samples before that',
      { oneHour: 0.3, oneDay: 0.3 },
      { thirtyDay: 0.3 },
      ['day'],
      901,
    ],
  ])('%s', async (_when, samples, histories, expected, age = 60) => {
    expect(await needs(samples, histories, age)).toEqual(expected);
  });

  it('not without a midpoint, and not before the backfill is loaded', async () => {
    expect((await setup({}, {})).needsHistory('day', market(undefined), NOW)).toBe(false);
    expect(new StartPrices(new FakeStore(), silent).needsHistory('day', market(0.5), NOW)).toBe(
      false,
    );
  });
});

describe('the sample of a run', () => {
  const listed = testMarkets(1_050);
  /** The first `lost` books are not tight; the first `unread` markets were not read. */
  const save = async (failed: number, lost: number, unread = 0) => {
    const store = new FakeStore();
    const markets = listed.map((one, n) =>
      n < lost ? testMarket(n, { midpoint: undefined }) : one,
    );
    const sides = new Map(
      markets.slice(unread).map(({ clobTokenId }) => [clobTokenId, bookAround(0.5)]),
    );
    const reading = { asOf: NOW, readUntil: NOW, sides, lastTrades: new Map(), calls: 5, failed };
    const startPrices = new StartPrices(store, silent);
    await startPrices.saveSample(listed, markets, reading, LATER);
    const day = new Samples(store, silent);
    await day.load(NOW + DAY_MS + MINUTE_MS, LATER);
    const prices = listed.map(({ clobTokenId }) =>
      day.find(priceKey(clobTokenId), 'oneDay', NOW + DAY_MS + MINUTE_MS),
    );
    return { count: store.items.get('SAMPLE')?.length ?? 0, prices };
  };

  it.each([
    ['two of five calls fail', 2, 0, 1],
    ['three of five calls fail', 3, 0, 0],
    ['a tenth of the markets lost their midpoint', 0, 105, 1],
    ['more than a tenth of the markets lost their midpoint', 0, 106, 0],
  ])('is stored only of enough books: %s', async (_when, failed, lost, samples) => {
    expect((await save(failed, lost)).count).toBe(samples);
  });

  it('has no midpoint for a book that is not tight, and nothing for a book that was not read [sentence 15]', async () => {
    const { prices } = await save(0, 2, 1);
    expect(prices.slice(0, 3)).toEqual([
      'unknown',
      'no midpoint',
      { price: 0.45, ageMs: MINUTE_MS },
    ]);
  });
});
