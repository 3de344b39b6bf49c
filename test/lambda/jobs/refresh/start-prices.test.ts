import { describe, expect, it } from '@jest/globals';
import { toUnixSeconds } from '../../../../lambda/core/domain/time.ts';
import { encodeText, priceKey } from '../../../../lambda/io/snapshots/stored-prices.ts';
import { StartPrices } from '../../../../lambda/jobs/refresh/start-prices.ts';
import { testMarket } from '../../../support/markets.ts';
import { FakeStore, silent } from './fake-store.ts';

// The windows of the changes begin on 2026-11-21 at 11:00, on 2026-11-20, on 2026-11-14 and on
// 2026-10-22 at 12:00. A sample counts if it is at most 15 minutes older than a start. An older one
// counts for a day if upstream has no price.
const NOW = Date.parse('2026-11-21T12:00:00Z');
/** A deadline that never comes. */
const LATER = Number.MAX_SAFE_INTEGER;
const TOKEN = testMarket(0).clobTokenId;

/** The market now. Its midpoint is undefined if its book is not tight. */
const market = (midpoint: number | undefined) => testMarket(0, { midpoint });

/** Prices of the market by time; null: its book was not tight. */
type Prices = Readonly<Record<string, number | null>>;
interface Past {
  /** The service's own samples. */
  readonly samples?: Prices;
  /** Upstream's history for the windows of an hour and a day. */
  readonly day?: Prices;
  /** Upstream's history for the windows of 7 and 30 days. */
  readonly month?: Prices;
}

async function startPricesAfter({ samples = {}, ...histories }: Past): Promise<StartPrices> {
  const store = new FakeStore();
  for (const [time, price] of Object.entries(samples)) {
    const data = encodeText(JSON.stringify({ prices: { [priceKey(TOKEN)]: price } }));
    await store.put('SAMPLE', { n: secondsOf(time), data });
  }
  const startPrices = new StartPrices(store, silent);
  await startPrices.load(undefined, NOW, LATER);
  for (const kind of ['day', 'month'] as const) {
    const points = Object.entries(histories[kind] ?? {}).map(([time, p]) => ({
      t: secondsOf(time),
      p: Number(p),
    }));
    const [from, until] = [secondsOf('2026-10-21T12:00:00Z'), toUnixSeconds(NOW)];
    if (histories[kind]) startPrices.recordHistory(kind, TOKEN, { from, until, points });
  }
  return startPrices;
}

function secondsOf(time: string): number {
  return toUnixSeconds(Date.parse(time));
}

describe('a doubtful change', () => {
  const doubtful = async (past: Past, midpoint: number) =>
    (await startPricesAfter(past)).withChanges(market(midpoint), NOW).doubtfulChanges;

  const jumped = { day: { '2026-11-20T12:00:00Z': 0.3, '2026-11-21T11:00:00Z': 0.41 } };

  it('begins before a jump of more than 10 points in the history of upstream', async () => {
    const calm = { day: { '2026-11-20T12:00:00Z': 0.3, '2026-11-21T11:00:00Z': 0.4 } };
    expect(await doubtful(jumped, 0.6)).toEqual(['oneDayPriceChange']);
    expect(await doubtful(calm, 0.6)).toBeUndefined();
  });

  it('exceeds 10 points', async () => {
    expect(await doubtful(jumped, 0.401)).toEqual(['oneDayPriceChange']);
    expect(await doubtful(jumped, 0.4)).toBeUndefined();
  });

  it('does not begin after the jump', async () => {
    const month = { '2026-10-22T12:00:00Z': 0.6, '2026-11-14T12:00:00Z': 0.2 };
    expect(await doubtful({ month }, 0.9)).toEqual(['thirtyDayPriceChange']);
  });

  it("does not begin at the service's own sample", async () => {
    const samples = { '2026-11-20T11:59:00Z': 0.3 };
    expect(await doubtful({ ...jumped, samples }, 0.9)).toBeUndefined();
  });
});

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
      start: 'its own sample of 60 minutes ago',
      samples: { '2026-11-21T11:00:00Z': 0.3 },
      change: 20,
    },
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
      start: 'no history where the market had no midpoint',
      samples: { '2026-11-21T11:00:00Z': null },
      day: { '2026-11-21T11:00:00Z': 0.1 },
      change: null,
    },
    {
      start: "upstream's price of 60 minutes ago",
      day: { '2026-11-21T11:00:00Z': 0.1 },
      change: 40,
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

  it('are unknown for a market that no sample lists', async () => {
    const startPrices = await startPricesAfter({ samples: { '2026-11-20T12:00:00Z': 0.3 } });
    expect(startPrices.withChanges(testMarket(1), NOW).oneDayPriceChange).toBeNull();
  });

  it('are unknown while the market has no midpoint', async () => {
    const startPrices = await startPricesAfter({ samples: { '2026-11-20T12:00:00Z': 0.3 } });
    expect(startPrices.withChanges(market(undefined), NOW).oneDayPriceChange).toBeNull();
  });
});

describe('a run waits for the table', () => {
  const store = new FakeStore();
  /** @returns the distinct times in ms that the reads of this load may take */
  const waitsOfLoad = async (startPrices: StartPrices, runDeadline: number) => {
    await startPrices.load([], NOW, runDeadline);
    return new Set(store.queries.splice(0).map(({ deadline }) => deadline - NOW));
  };

  it('5 s in the first run of a container, then 2 s', async () => {
    const startPrices = new StartPrices(store, silent);
    expect(await waitsOfLoad(startPrices, LATER)).toEqual(new Set([5_000]));
    expect(await waitsOfLoad(startPrices, LATER)).toEqual(new Set([2_000]));
  });

  it('not beyond its own end', async () => {
    const startPrices = new StartPrices(store, silent);
    expect(await waitsOfLoad(startPrices, NOW + 1_000)).toEqual(new Set([1_000]));
  });
});

describe('a market needs its history', () => {
  /** Samples a minute before the starts of the windows of an hour, a day and a week. */
  const HOUR = { '2026-11-21T10:59:00Z': 0.3 };
  const DAY = { '2026-11-20T11:59:00Z': 0.3 };
  const WEEK = { '2026-11-14T11:59:00Z': 0.3 };
  /** Upstream's history from the start of the window of 30 days. */
  const MONTH = { '2026-10-22T12:00:00Z': 0.3 };

  it.each<Past & { when: string; kinds: string[] }>([
    { when: 'when nothing is known', kinds: ['day', 'month'] },
    {
      when: 'of the day when only the hour is known',
      samples: { ...HOUR, ...WEEK },
      month: MONTH,
      kinds: ['day'],
    },
    {
      when: 'of the month when only the week is known',
      samples: { ...HOUR, ...DAY, ...WEEK },
      kinds: ['month'],
    },
    {
      when: 'no more when all is known',
      samples: { ...HOUR, ...DAY, ...WEEK },
      month: MONTH,
      kinds: [],
    },
    {
      when: 'not of a start without a midpoint',
      samples: { '2026-11-21T10:59:00Z': null, '2026-11-20T11:59:00Z': null },
      kinds: ['month'],
    },
    {
      when: 'no more with samples 15 minutes before the start',
      samples: { '2026-11-21T10:45:00Z': 0.3, '2026-11-20T11:45:00Z': 0.3 },
      month: MONTH,
      kinds: [],
    },
    {
      when: 'of the day with samples more than 15 minutes before the start',
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
