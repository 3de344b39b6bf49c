import { describe, expect, it } from '@jest/globals';
import { Backfill } from '../../../../lambda/app/refresh/backfill.ts';
import { Samples } from '../../../../lambda/app/refresh/samples.ts';
import { StartPrices } from '../../../../lambda/app/refresh/start-prices.ts';
import { encodeText, priceKey } from '../../../../lambda/app/refresh/stored-prices.ts';
import { CHANGE_WINDOWS_MS, type ChangeWindow, type PricePoint } from '../../../../lambda/core/domain/change.ts';
import { testMarket } from '../../../support/markets.ts';
import { FakeStore, silent } from './refresh-fakes.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SECONDS = NOW / 1_000;
const LATER = Number.MAX_SAFE_INTEGER;
const key = priceKey(testMarket(0).clobTokenId);
const KIND_OF = { oneHour: 'day', oneDay: 'day', sevenDay: 'month', thirtyDay: 'month' } as const;
const market = (midpoint: number | undefined, n = 0) => testMarket(n, { midpoint });
/** The changes of a market at a midpoint. */
const changes = (startPrices: StartPrices, midpoint: number | undefined, asOf = NOW, n = 0) => {
  const { oneDayPriceChange, sevenDayPriceChange, thirtyDayPriceChange } = startPrices.withChanges(
    market(midpoint, n),
    asOf,
  );
  return [oneDayPriceChange, sevenDayPriceChange, thirtyDayPriceChange];
};

type Prices = Partial<Record<ChangeWindow, number | null>>;

/** @param age of the samples before the starts, in seconds */
async function setup(samples: Prices, histories: Prices, age = 60) {
  const store = new FakeStore();
  const startPrices = new StartPrices(new Samples(store, silent), new Backfill(store, silent));
  for (const [window, price] of Object.entries(samples)) {
    const n = SECONDS - CHANGE_WINDOWS_MS[window as ChangeWindow] / 1_000 - age;
    await store.put('SAMPLE', { n, data: encodeText(JSON.stringify({ prices: { [key]: price } })) });
  }
  await startPrices.load(undefined, NOW, LATER);
  const points = { day: [] as PricePoint[], month: [] as PricePoint[] };
  for (const [window, p] of Object.entries(histories)) {
    const t = SECONDS - CHANGE_WINDOWS_MS[window as ChangeWindow] / 1_000;
    points[KIND_OF[window as ChangeWindow]].push({ t, p: p ?? 0 });
  }
  for (const kind of ['day', 'month'] as const) {
    if (points[kind].length > 0)
      startPrices.backfill.recordHistory(kind, key, {
        from: SECONDS - 31 * 86_400,
        until: SECONDS,
        points: points[kind],
      });
  }
  return startPrices;
}

describe('the changes of a market', () => {
  it('compare two midpoints, in percentage points with three decimals', async () => {
    const startPrices = await setup({ oneDay: 0.31234, sevenDay: 0.9 }, { thirtyDay: 0.5 });
    expect(changes(startPrices, 0.5, NOW + 800_000)).toEqual([18.766, -40, 0]);
  });

  it("compare with the service's own sample rather than with upstream's history", async () => {
    expect(changes(await setup({ oneDay: 0.3 }, { oneDay: 0.4 }), 0.5)[0]).toBe(20);
  });

  it("compare with upstream's history where the sample is more than 15 minutes older than the start", async () => {
    expect(changes(await setup({ oneDay: 0.3 }, { oneDay: 0.4 }, 900), 0.5)[0]).toBe(20);
    expect(changes(await setup({ oneDay: 0.3 }, { oneDay: 0.4 }, 901), 0.5)[0]).toBe(10);
    expect(changes(await setup({ oneDay: 0.3 }, {}, 901), 0.5)[0]).toBe(20);
  });

  it.each<[string, Prices, number | undefined, number | undefined, number | null]>([
    ['its own sample of 60 minutes ago', { oneHour: 0.3 }, 0, undefined, 20],
    ['its own sample of 75 minutes ago', { oneHour: 0.3 }, 900, 4_500, 20],
    ['no sample that is older', { oneHour: 0.3 }, 901, undefined, null],
    ['no sample without a midpoint', { oneHour: null }, 0, 3_600, null],
    ["upstream's price of 60 minutes ago", {}, 0, 3_600, 40],
    ["upstream's price of 75 minutes ago", {}, 0, 4_500, 40],
    ['no older price of upstream', {}, 0, 4_501, null],
    ['no later price of upstream', {}, 0, 3_599, null],
  ])('over an hour compare with %s', async (_what, samples, sampleAge, historyAge, expected) => {
    const startPrices = await setup(samples, {}, sampleAge);
    if (historyAge !== undefined) {
      const points = [{ t: SECONDS - historyAge, p: 0.1 }];
      startPrices.backfill.recordHistory('day', key, { from: SECONDS - 129_600, until: SECONDS, points });
    }
    expect(startPrices.withChanges(market(0.5), NOW).oneHourPriceChange).toBe(expected);
  });

  it('are unknown without the start or without the end', async () => {
    const startPrices = await setup({ oneDay: 0.3 }, {});
    expect(changes(startPrices, 0.5, NOW, 1)).toEqual([null, undefined, undefined]);
    expect(changes(startPrices, undefined)).toEqual([null, undefined, undefined]);
  });

  it('are unknown for a market that was listed without a midpoint at the start', async () => {
    const startPrices = await setup({ oneDay: null, sevenDay: null }, { oneDay: 0.4, sevenDay: 0.4 });
    expect(changes(startPrices, 0.5)).toEqual([null, undefined, undefined]);
  });
});

describe('a table that does not respond', () => {
  it('delays the first run of a container by 5 s, later ones by 2 s, and none beyond its end', async () => {
    const startPrices = new StartPrices(new Samples(new FakeStore(), silent), new Backfill(new FakeStore(), silent));
    const deadlines: number[] = [];
    startPrices.samples.load = async (_now, deadline) => void deadlines.push(deadline - NOW);
    startPrices.backfill.load = async (_listed, _now, deadline) => void deadlines.push(deadline - NOW);
    await startPrices.load([], NOW, LATER);
    await startPrices.load([], NOW, LATER);
    await startPrices.load([], NOW, NOW + 1_000);
    expect(deadlines).toEqual([5_000, 5_000, 2_000, 2_000, 1_000, 1_000]);
  });
});

describe('a market needs its history', () => {
  it.each<[string, Prices, Prices, boolean, boolean]>([
    ['of day and month when nothing is known', {}, {}, true, true],
    ['of the day when only the hour is known', { oneHour: 0.3, sevenDay: 0.3 }, { thirtyDay: 0.3 }, true, false],
    ['of the month when only the day is known', { oneHour: 0.3, oneDay: 0.3 }, {}, false, true],
    ['of the month when one of its windows is unknown', { oneHour: 0.3, oneDay: 0.3, sevenDay: 0.3 }, {}, false, true],
    ['of the day when only the month is known', { sevenDay: 0.3 }, { thirtyDay: 0.3 }, true, false],
    ['of neither when all is known', { oneHour: 0.3, oneDay: 0.3, sevenDay: 0.3 }, { thirtyDay: 0.3 }, false, false],
    [
      'not of a start without a midpoint',
      { oneHour: null, oneDay: null, sevenDay: null, thirtyDay: null },
      {},
      false,
      false,
    ],
  ])('%s', async (_when, samples, histories, day, month) => {
    const startPrices = await setup(samples, histories);
    expect(startPrices.needsHistory('day', market(0.5), NOW)).toBe(day);
    expect(startPrices.needsHistory('month', market(0.5), NOW)).toBe(month);
  });

  it('of the day where its sample is more than 15 minutes older than the start', async () => {
    expect((await setup({ oneHour: 0.3, oneDay: 0.3 }, {}, 900)).needsHistory('day', market(0.5), NOW)).toBe(false);
    expect((await setup({ oneHour: 0.3, oneDay: 0.3 }, {}, 901)).needsHistory('day', market(0.5), NOW)).toBe(true);
  });

  it('not without a midpoint, and not before the backfill is loaded', async () => {
    expect((await setup({}, {})).needsHistory('day', market(undefined), NOW)).toBe(false);
    const store = new FakeStore();
    const unloaded = new StartPrices(new Samples(store, silent), new Backfill(store, silent));
    expect(unloaded.needsHistory('day', market(0.5), NOW)).toBe(false);
  });
});
