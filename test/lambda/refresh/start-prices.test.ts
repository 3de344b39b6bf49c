import { describe, expect, it } from '@jest/globals';
import { CHANGE_WINDOWS, type ChangeWindow } from '../../../lambda/domain/change.ts';
import { Backfill } from '../../../lambda/refresh/backfill.ts';
import { Samples } from '../../../lambda/refresh/samples.ts';
import { StartPrices } from '../../../lambda/refresh/start-prices.ts';
import { encodePrices, priceKey } from '../../../lambda/refresh/stored-prices.ts';
import { testMarket } from '../../support/markets.ts';
import { FakeStore, silent } from './refresh-fakes.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SECONDS = NOW / 1_000;
const LATER = Number.MAX_SAFE_INTEGER;
const { id } = testMarket(0);
const key = priceKey(id);

async function setup(samples: Partial<Record<ChangeWindow, number>>, histories: Partial<Record<ChangeWindow, number>>) {
  const store = new FakeStore();
  const startPrices = new StartPrices(new Samples(store, silent), new Backfill(store, silent));
  for (const [window, price] of Object.entries(samples)) {
    const n = SECONDS - CHANGE_WINDOWS[window as ChangeWindow] - 60;
    await store.put('SAMPLE', { n, data: encodePrices({ prices: { [key]: price } }) });
  }
  for (const [window, p] of Object.entries(histories)) {
    const t = SECONDS - CHANGE_WINDOWS[window as ChangeWindow];
    startPrices.backfill.recordHistory(key, t - 60, t + 60, [{ t, p }], SECONDS);
  }
  await startPrices.load(NOW, LATER);
  return startPrices;
}

describe('the changes of a market', () => {
  it('compare two midpoints, in percentage points with three decimals', async () => {
    const startPrices = await setup({ oneDay: 0.31234, sevenDay: 0.9 }, { thirtyDay: 0.5 });
    expect(startPrices.changesOf(id, 0.5, NOW + 900)).toEqual({
      oneDayPriceChange: 18.766,
      sevenDayPriceChange: -40,
      thirtyDayPriceChange: 0,
    });
  });

  it("compare with the service's own sample rather than with upstream's history", async () => {
    const startPrices = await setup({ oneDay: 0.3 }, { oneDay: 0.4 });
    expect(startPrices.changesOf(id, 0.5, NOW).oneDayPriceChange).toBe(20);
  });

  it('are unknown without the start or without the end', async () => {
    const startPrices = await setup({ oneDay: 0.3 }, {});
    expect(startPrices.changesOf(testMarket(1).id, 0.5, NOW)).toEqual({ oneDayPriceChange: null });
    expect(startPrices.changesOf(id, undefined, NOW)).toEqual({ oneDayPriceChange: null });
  });
});

describe('a table that does not respond', () => {
  it('delays the first run of a container by 5 s, later ones by 2 s, and none beyond its end', async () => {
    const startPrices = new StartPrices(new Samples(new FakeStore(), silent), new Backfill(new FakeStore(), silent));
    const deadlines: number[] = [];
    startPrices.samples.load = startPrices.backfill.load = async (_now, deadline) =>
      void deadlines.push(deadline - NOW);
    await startPrices.load(NOW, LATER);
    await startPrices.load(NOW, LATER);
    await startPrices.load(NOW, NOW + 1_000);
    expect(deadlines).toEqual([5_000, 5_000, 2_000, 2_000, 1_000, 1_000]);
  });
});

describe('a market needs its history', () => {
  it.each([
    ['of day and month when nothing is known', {}, {}, true, true],
    ['of the month when only the day is known', { oneDay: 0.3 }, {}, false, true],
    ['of the month when one of its windows is unknown', { oneDay: 0.3, sevenDay: 0.3 }, {}, false, true],
    ['of the day when only the month is known', { sevenDay: 0.3 }, { thirtyDay: 0.3 }, true, false],
    ['of neither when all is known', { oneDay: 0.3, sevenDay: 0.3 }, { thirtyDay: 0.3 }, false, false],
  ])('%s', async (_when, samples, histories, day, month) => {
    const startPrices = await setup(samples, histories);
    expect(startPrices.needsHistory('day', id, NOW)).toBe(day);
    expect(startPrices.needsHistory('month', id, NOW)).toBe(month);
  });
});
