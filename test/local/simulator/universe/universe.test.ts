import { describe, expect, it } from '@jest/globals';
import { readMarket } from '../../../../lambda/io/polymarket/gamma-market.ts';
import { isOpen, type SimulatedMarket, type Universe } from '../../../../local/simulator/market.ts';
import { MISCALIBRATED } from '../../../../local/simulator/universe/past.ts';
import { generateUniverse } from '../../../../local/simulator/universe/universe.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const OPTIONS = { seed: 1, markets: 2_500, v2Share: 0.2, now: NOW, lifecycle: true };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const universe = generateUniverse(OPTIONS);
const openAt = (one: Universe, atMs: number) =>
  one.until(atMs).filter((market) => isOpen(market, atMs));

it.each([1, 300, 4_000])(
  'a universe has %i open markets at first, and different ids, slugs and tokens',
  (count) => {
    const one = generateUniverse({ ...OPTIONS, markets: count });
    const all = one.until(NOW + 6 * HOUR_MS);
    expect(openAt(one, NOW)).toHaveLength(count);
    for (const name of ['id', 'slug', 'conditionId'] as const)
      expect([name, new Set(all.map((market) => market[name])).size]).toEqual([name, all.length]);
    expect(new Set(all.flatMap(({ tokens }) => [...tokens])).size).toBe(2 * all.length);
  },
);

it('names the day on which a game at midnight begins, so that it ends later', () => {
  const questions = universe.until(NOW + 2 * DAY_MS).flatMap(({ wire, endsAt }) => {
    const [, day, time] =
      / on (\d{4}-\d\d-\d\d), (\d\d:\d\d) UTC/.exec(String(wire(NOW, false).question)) ?? [];
    return day ? [{ begins: Date.parse(`${day}T${time}:00Z`), endsAt }] : [];
  });
  expect(questions.some(({ endsAt }) => endsAt % DAY_MS === 0)).toBe(true);
  expect(questions.filter(({ begins, endsAt }) => begins >= endsAt)).toEqual([]);
});

describe('the life of a market of a quarter of an hour', () => {
  const [short] = universe.until(NOW).filter((market) => market.createdAt > NOW - HOUR_MS / 4);
  if (!short) throw new Error('There is no short market');
  const { createdAt, endsAt, closesAt, units } = short;
  const resolution = short.resolution(closesAt + 3 * HOUR_MS);

  it('has wide books', () => {
    const spreads = Array.from({ length: 200 }, (_, n) => {
      const { bid, ask } = short.quote(createdAt + (n * (endsAt - createdAt)) / 200);
      return ((ask ?? units) - (bid ?? 0)) / units;
    });
    expect(Math.max(...spreads)).toBeGreaterThan(0.1);
  });

  it('ends with an empty book', () => {
    expect(short.quote(endsAt)).toEqual({ bid: null, ask: null });
  });

  it('runs the price to the payout', () => {
    const [payout = Number.NaN] = resolution?.payouts ?? [];
    expect(short.price(endsAt)).toBeCloseTo(payout, 1);
    expect(short.lastTrade(endsAt)).toBeCloseTo(payout, 1);
  });

  it('closes some time after its end', () => {
    expect(isOpen(short, endsAt)).toBe(true);
    expect(isOpen(short, closesAt)).toBe(false);
  });

  it('is resolved within three hours of the proposal, which comes when it closes', () => {
    expect(short.resolution(closesAt - 1)).toBeUndefined();
    expect(short.resolution(closesAt)?.status).toBe('proposed');
    expect(resolution?.status).toBe('resolved');
  });
});

it.each([
  ['2026-11-24T12:32:00Z', 1],
  ['2026-11-24T00:03:00Z', 2],
  ['2026-11-25T18:01:00Z', 3],
])(
  'no volume grows more than fourfold, or beyond a recorded one, in three days: %s',
  (start, seed) => {
    const now = Date.parse(start);
    const one = generateUniverse({ ...OPTIONS, seed, now });
    // The amounts of the recorded markets, drawn with 10 % more or less.
    const largest = 1.1 * 36_100_000;
    const first = new Map(openAt(one, now).map(({ id, volume }) => [id, volume(now)]));
    for (const hours of [0.25, 1, 24, 72]) {
      const at = now + hours * HOUR_MS;
      for (const { id, slug, volume } of openAt(one, at)) {
        const before = first.get(id) || largest;
        const isTooLarge = volume(at) > Math.min(4.001 * before, largest);
        expect(isTooLarge && [slug, hours, before, volume(at)]).toBe(false);
      }
    }
  },
);

/**
 * The average price of the favourite a day before the end, and how often it won. The favourite is
 * the outcome whose price is at least 0.5.
 */
function favourites(markets: readonly SimulatedMarket[]) {
  const rows = markets
    .filter(({ createdAt, endsAt }) => createdAt < endsAt - DAY_MS)
    .map((market) => {
      const price = market.price(market.endsAt - DAY_MS);
      const payout = market.resolution(NOW)?.payouts[0] ?? Number.NaN;
      return price >= 0.5 ? [price, payout] : [1 - price, 1 - payout];
    });
  const average = (column: 0 | 1) =>
    rows.reduce((sum, row) => sum + (row[column] ?? 0), 0) / rows.length;
  return { predicted: average(0), won: average(1) };
}

describe('the past', () => {
  const past = universe.past();
  const readable = past.flatMap((market) => {
    const read = readMarket(market.wire(NOW, true), market.conditionId);
    return 'reason' in read || !market.hasPrices ? [] : [{ market, tags: read.tags }];
  });
  /** Those with the biased prices of `MISCALIBRATED`, or the others. */
  const marketsWith = (isBiased: boolean) =>
    readable.filter(({ tags }) => tags.includes(MISCALIBRATED.tag) === isBiased);
  const favouritesOf = (isBiased: boolean) =>
    favourites(marketsWith(isBiased).map(({ market }) => market));

  it('has 3,200 readable markets, which all closed before the start', () => {
    expect(readable.length).toBeGreaterThan(3_200);
    expect(past.map((market) => market.resolution(NOW)?.status)).toEqual(
      past.map(() => 'resolved'),
    );
  });

  it('has prices that predict the payouts', () => {
    const { predicted, won } = favouritesOf(false);
    expect(Math.abs(won - predicted)).toBeLessThan(0.015);
  });

  it('has 300 markets of crypto whose prices are 40 % too close to 50 %', () => {
    expect(marketsWith(true).length).toBeGreaterThan(300);
    const { predicted, won } = favouritesOf(true);
    expect((predicted - 0.5) / (won - 0.5)).toBeCloseTo(1 - MISCALIBRATED.bias, 1);
  });

  it('has a market of three years, split payouts, and both protocols', () => {
    const lives = past.map(({ createdAt, endsAt }) => (endsAt - createdAt) / DAY_MS);
    expect(Math.max(...lives)).toBeGreaterThan(1_000);
    const payouts = new Set(past.map((market) => market.resolution(NOW)?.payouts[0]));
    expect([...payouts].sort()).toEqual([0, 0.5, 1]);
    expect(new Set(past.map(({ version }) => version))).toEqual(new Set(['v1', 'v2']));
  });

  it('shares no id with the present', () => {
    const ids = [...past, ...universe.until(NOW)].map(({ conditionId }) => conditionId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
