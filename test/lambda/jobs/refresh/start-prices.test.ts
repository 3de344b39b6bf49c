import { describe, expect, it } from '@jest/globals';
import { toUnixSeconds } from '../../../../lambda/core/domain/time.ts';
import { encodeText, priceKey } from '../../../../lambda/io/snapshots/stored-prices.ts';
import type { History } from '../../../../lambda/jobs/refresh/backfill.ts';
import { StartPrices } from '../../../../lambda/jobs/refresh/start-prices.ts';
import { testMarket } from '../../../support/markets.ts';
import { FakeStore, silent } from './fake-store.ts';

// A price change compares the midpoint of now with the price at the start of a window: an hour, a
// day, 7 or 30 days ago. `StartPrices` finds that price in the samples that the service has taken
// itself, otherwise in the histories that it has read from upstream.
//
// In these tests, now is 2026-11-21 at 12:00. The windows begin on 2026-11-21 at 11:00, and at
// 12:00 on 2026-11-20, 2026-11-14 and 2026-10-22.
const NOW = Date.parse('2026-11-21T12:00:00Z');
/** A deadline that never comes. */
const LATER = Number.MAX_SAFE_INTEGER;
const TOKEN = testMarket(0).clobTokenId;

/** The market now. A market whose book is not tight has no midpoint. */
const market = (midpoint: number | undefined) => testMarket(0, { midpoint });

/** Prices of the market by time. A sample has `null` if the book was not tight. */
type Prices = Readonly<Record<string, number | null>>;
interface Past {
  /** The service's own samples. */
  readonly samples?: Prices;
  /** Upstream's history for the windows of an hour and a day. */
  readonly day?: Prices;
  /** Upstream's history for the windows of 7 and 30 days. */
  readonly month?: Prices;
}

async function startPricesAfter({ samples = {}, day, month }: Past): Promise<StartPrices> {
  const store = new FakeStore();
  for (const [time, price] of Object.entries(samples)) {
    const data = encodeText(JSON.stringify({ prices: { [priceKey(TOKEN)]: price } }));
    await store.put('SAMPLE', { n: secondsOf(time), data });
  }
  const startPrices = new StartPrices(store, silent);
  await startPrices.load(undefined, NOW, LATER);
  if (day) startPrices.recordHistory('day', TOKEN, historyOf(day));
  if (month) startPrices.recordHistory('month', TOKEN, historyOf(month));
  return startPrices;
}

/** A history from the month before now, with a point for each price. */
function historyOf(prices: Prices): History {
  const points = Object.entries(prices).map(([time, p]) => ({ t: secondsOf(time), p: Number(p) }));
  return { from: secondsOf('2026-10-21T12:00:00Z'), until: toUnixSeconds(NOW), points };
}

function secondsOf(time: string): number {
  return toUnixSeconds(Date.parse(time));
}

// The midpoint of the market is 0.5. So a change of 20 points starts at 0.3, and one of 10 at 0.4.
describe('the changes of a market', () => {
  const marketAfter = async (past: Past) =>
    (await startPricesAfter(past)).withChanges(market(0.5), NOW);

  it.each<Past & { start: string; change: number | null }>([
    {
      start: "the service's own sample rather than upstream's history",
      samples: { '2026-11-20T11:45:00Z': 0.3 },
      day: { '2026-11-20T12:00:00Z': 0.4 },
      change: 20,
    },
    {
      start: "upstream's history where the sample is older than 15 minutes",
      samples: { '2026-11-20T11:44:59Z': 0.3 },
      day: { '2026-11-20T12:00:00Z': 0.4 },
      change: 10,
    },
    {
      start: 'the older sample without a history',
      samples: { '2026-11-20T11:44:59Z': 0.3 },
      change: 20,
    },
    {
      start: 'no history where the market had no midpoint',
      samples: { '2026-11-20T11:59:00Z': null },
      day: { '2026-11-20T12:00:00Z': 0.4 },
      change: null,
    },
  ])('over a day compare with $start', async ({ change, ...past }) => {
    expect((await marketAfter(past)).oneDayPriceChange).toBe(change);
  });

  it.each<Past & { start: string; change: number | null }>([
    {
      start: 'its own sample of 75 minutes ago',
      samples: { '2026-11-21T10:45:00Z': 0.3 },
      change: 20,
    },
    {
      start: 'no sample that is older',
      samples: { '2026-11-21T10:44:59Z': 0.3 },
      change: null,
    },
    {
      start: "upstream's price of 75 minutes ago",
      day: { '2026-11-21T10:45:00Z': 0.1 },
      change: 40,
    },
    { start: 'no older price of upstream', day: { '2026-11-21T10:44:59Z': 0.1 }, change: null },
    { start: 'no later price of upstream', day: { '2026-11-21T11:00:01Z': 0.1 }, change: null },
  ])('over an hour compare with $start', async ({ change, ...past }) => {
    expect((await marketAfter(past)).oneHourPriceChange).toBe(change);
  });

  it('over an hour or a day are null if unknown, and the others are absent', async () => {
    const { sevenDayPriceChange, thirtyDayPriceChange, ...known } = await marketAfter({});
    expect(known).toMatchObject({ oneHourPriceChange: null, oneDayPriceChange: null });
    expect(sevenDayPriceChange).toBeUndefined();
    expect(thirtyDayPriceChange).toBeUndefined();
  });

  it('are unknown while the market has no midpoint', async () => {
    const startPrices = await startPricesAfter({ samples: { '2026-11-20T12:00:00Z': 0.3 } });
    expect(startPrices.withChanges(market(undefined), NOW).oneDayPriceChange).toBeNull();
  });
});

// Upstream's history also shows the middle of a wide book, which says little about the price. When
// such a book becomes tight, the history jumps. So a change over a jump is doubtful.
describe('a doubtful change', () => {
  /** The fields of the changes that are doubtful. */
  const doubtful = async (past: Past, midpoint: number) =>
    (await startPricesAfter(past)).withChanges(market(midpoint), NOW).doubtfulChanges;

  /** A jump of 11 points, after the window of a day begins and when that of an hour does. */
  const jumped = { day: { '2026-11-20T12:00:00Z': 0.3, '2026-11-21T11:00:00Z': 0.41 } };

  it('begins before a jump of more than 10 points in the history of upstream', async () => {
    const calm = { day: { '2026-11-20T12:00:00Z': 0.3, '2026-11-21T11:00:00Z': 0.4 } };
    expect(await doubtful(jumped, 0.6)).toEqual(['oneDayPriceChange']);
    expect(await doubtful(calm, 0.6)).toBeUndefined();
  });

  it('exceeds 10 points itself', async () => {
    // The day began at 0.3.
    expect(await doubtful(jumped, 0.401)).toEqual(['oneDayPriceChange']);
    expect(await doubtful(jumped, 0.4)).toBeUndefined();
  });

  it('does not begin after the jump', async () => {
    // The jump is when the window of 7 days begins, so only that of 30 days contains it.
    const month = { '2026-10-22T12:00:00Z': 0.6, '2026-11-14T12:00:00Z': 0.2 };
    expect(await doubtful({ month }, 0.9)).toEqual(['thirtyDayPriceChange']);
  });

  it("does not begin at the service's own sample", async () => {
    const samples = { '2026-11-20T11:59:00Z': 0.3 };
    expect(await doubtful({ ...jumped, samples }, 0.9)).toBeUndefined();
  });
});

describe('a run waits for the table', () => {
  /** @returns the distinct times in ms that the reads of a load may take */
  async function waitsOfLoad(startPrices: StartPrices, store: FakeStore, runDeadline: number) {
    store.queries.length = 0;
    await startPrices.load([], NOW, runDeadline);
    return new Set(store.queries.map(({ deadline }) => deadline - NOW));
  }

  it('5 s in the first run of a container, then 2 s', async () => {
    const store = new FakeStore();
    const startPrices = new StartPrices(store, silent);
    expect(await waitsOfLoad(startPrices, store, LATER)).toEqual(new Set([5_000]));
    expect(await waitsOfLoad(startPrices, store, LATER)).toEqual(new Set([2_000]));
  });

  it('not beyond its own end', async () => {
    const store = new FakeStore();
    const startPrices = new StartPrices(store, silent);
    expect(await waitsOfLoad(startPrices, store, NOW + 1_000)).toEqual(new Set([1_000]));
  });
});

// A run reads from upstream the histories of the markets that need one: the kind `day` for the
// windows of an hour and a day, `month` for the others.
describe('a market needs its history', () => {
  /** Samples a minute before the starts of the windows of an hour, a day and a week. */
  const HOUR = { '2026-11-21T10:59:00Z': 0.3 };
  const DAY = { '2026-11-20T11:59:00Z': 0.3 };
  const WEEK = { '2026-11-14T11:59:00Z': 0.3 };
  /** Upstream's history from the start of the window of 30 days. */
  const MONTH = { '2026-10-22T12:00:00Z': 0.3 };

  // The samples have no price of a month ago, so its history is needed in most rows.
  it.each<Past & { when: string; kinds: string[] }>([
    { when: 'when nothing is known', kinds: ['day', 'month'] },
    {
      when: 'of a day when only the price of a day ago is unknown',
      samples: { ...HOUR, ...WEEK },
      month: MONTH,
      kinds: ['day'],
    },
    {
      when: 'of a month when only the price of 30 days ago is unknown',
      samples: { ...HOUR, ...DAY, ...WEEK },
      kinds: ['month'],
    },
    {
      when: 'no longer when all is known',
      samples: { ...HOUR, ...DAY, ...WEEK },
      month: MONTH,
      kinds: [],
    },
    {
      when: 'only of a month when the others began without a midpoint',
      samples: { '2026-11-21T10:59:00Z': null, '2026-11-20T11:59:00Z': null },
      kinds: ['month'],
    },
    {
      when: 'no longer with samples 15 minutes before the start',
      samples: { '2026-11-21T10:45:00Z': 0.3, '2026-11-20T11:45:00Z': 0.3 },
      month: MONTH,
      kinds: [],
    },
    {
      when: 'of a day with samples more than 15 minutes before the start',
      samples: { '2026-11-21T10:44:59Z': 0.3, '2026-11-20T11:44:59Z': 0.3 },
      month: MONTH,
      kinds: ['day'],
    },
  ])('$when', async ({ kinds, ...past }) => {
    const startPrices = await startPricesAfter(past);
    const needed = (['day', 'month'] as const).filter((kind) =>
      startPrices.needsHistory(kind, market(0.5), NOW),
    );
    expect(needed).toEqual(kinds);
  });

  it('not without a midpoint', async () => {
    const startPrices = await startPricesAfter({});
    expect(startPrices.needsHistory('day', market(undefined), NOW)).toBe(false);
  });

  it('not before the backfill is loaded', () => {
    const startPrices = new StartPrices(new FakeStore(), silent);
    expect(startPrices.needsHistory('day', market(0.5), NOW)).toBe(false);
  });
});
