/**
 * A universe is all markets of the simulated Polymarket, with their prices at any time: markets that
 * are open now or open later, and a past of markets that closed before the simulator started. The
 * same seed gives the same universe.
 */
import { describe, expect, it } from '@jest/globals';
import { readMarket } from '../../../../lambda/io/polymarket/gamma-market.ts';
import { isOpen, type SimulatedMarket, type Universe } from '../../../../local/simulator/market.ts';
import { quoteAround } from '../../../../local/simulator/prices.ts';
import { MISCALIBRATED } from '../../../../local/simulator/universe/past.ts';
import { generateUniverse } from '../../../../local/simulator/universe/universe.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const OPTIONS = { seed: 1, markets: 2_500, v2Share: 0.2, now: NOW, lifecycle: true };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Includes the tags in a market's record. */
const WITH_TAGS = true;
const universe = generateUniverse(OPTIONS);
const openAt = (generated: Universe, atMs: number) =>
  generated.until(atMs).filter((market) => isOpen(market, atMs));

it.each([1, 300, 4_000])(
  'a universe has %i open markets at first, and different ids, slugs and tokens',
  (count) => {
    const generated = generateUniverse({ ...OPTIONS, markets: count });
    const all = generated.until(NOW + 6 * HOUR_MS);
    expect(openAt(generated, NOW)).toHaveLength(count);
    for (const name of ['id', 'slug', 'conditionId'] as const) {
      const different = new Set(all.map((market) => market[name]));
      expect([name, different.size]).toEqual([name, all.length]);
    }
    const tokens = all.flatMap((market) => [...market.tokens]);
    expect(new Set(tokens).size).toBe(2 * all.length);
  },
);

it('the question about a game names a time before the end of its market, even at midnight', () => {
  const games: { begins: number; endsAt: number }[] = [];
  for (const { wire, endsAt } of universe.until(NOW + 2 * DAY_MS)) {
    // Such as "Will … win on 2026-11-21, 18:00 UTC?".
    const question = String(wire(NOW, WITH_TAGS).question);
    const [, day, time] = / on (\d{4}-\d\d-\d\d), (\d\d:\d\d) UTC/.exec(question) ?? [];
    if (day) games.push({ begins: Date.parse(`${day}T${time}:00Z`), endsAt });
  }
  expect(games.some(({ endsAt }) => endsAt % DAY_MS === 0)).toBe(true);
  expect(games.filter(({ begins, endsAt }) => begins >= endsAt)).toEqual([]);
});

// Such as a "Bitcoin Up or Down", which is open for 20 minutes and then waits to be closed.
describe('the life of a market of at most half an hour', () => {
  const short = universe
    .until(NOW)
    .find((market) => market.endsAt - market.createdAt <= HOUR_MS / 2);
  if (!short) throw new Error('There is no short market');
  const { createdAt, endsAt, closesAt, units } = short;
  /** Known by then: a market is resolved within three hours. */
  const resolution = short.resolution(closesAt + 3 * HOUR_MS);

  it('has wide books', () => {
    const steps = 200;
    const spreads = Array.from({ length: steps }, (_, n) => {
      const { bid, ask } = short.quote(createdAt + (n / steps) * (endsAt - createdAt));
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
  { start: '2026-11-24T12:32:00Z', seed: 1 },
  { start: '2026-11-24T00:03:00Z', seed: 2 },
  { start: '2026-11-25T18:01:00Z', seed: 3 },
])(
  'no volume grows more than fourfold, or beyond a recorded one, in three days: seed $seed',
  ({ start, seed }) => {
    const now = Date.parse(start);
    const generated = generateUniverse({ ...OPTIONS, seed, now });
    // In USD: the largest volume of the recorded markets, from which volumes differ by 10 %.
    const largest = 1.1 * 36_100_000;
    const atStart = new Map(openAt(generated, now).map(({ id, volume }) => [id, volume(now)]));
    for (const hours of [0.25, 1, 24, 72]) {
      const at = now + hours * HOUR_MS;
      for (const { id, slug, volume } of openAt(generated, at)) {
        // For a market that is new or had no volume, only the second limit counts.
        const before = atStart.get(id) || largest;
        const isTooLarge = volume(at) > Math.min(4.001 * before, largest);
        // If it is, the failure shows these values.
        expect(isTooLarge && [slug, hours, before, volume(at)]).toBe(false);
      }
    }
  },
);

it('a book at the price 0 has only an ask, one tick above, and at 1 only a bid, one below', () => {
  const [units, spreadTicks] = [1_000, 1];
  expect(quoteAround(0, units, spreadTicks)).toEqual({ bid: null, ask: 1 });
  expect(quoteAround(1, units, spreadTicks)).toEqual({ bid: 999, ask: null });
});

/**
 * What the prices of a day before the end predict. The favourite of a market is the outcome whose
 * price is at least 0.5.
 *
 * @returns the average price of the favourites, and the average of what they paid
 */
function favourites(markets: readonly SimulatedMarket[]) {
  let [count, predicted, won] = [0, 0, 0];
  for (const market of markets) {
    const dayBefore = market.endsAt - DAY_MS;
    if (market.createdAt >= dayBefore) continue;
    const price = market.price(dayBefore);
    const payout = market.resolution(NOW)?.payouts[0] ?? Number.NaN;
    const isFirstOutcome = price >= 0.5;
    count += 1;
    predicted += isFirstOutcome ? price : 1 - price;
    won += isFirstOutcome ? payout : 1 - payout;
  }
  return { predicted: predicted / count, won: won / count };
}

describe('the past', () => {
  const past = universe.past();
  // Markets that the service can read, by whether they have the tag "crypto".
  const cryptoMarkets: SimulatedMarket[] = [];
  const otherMarkets: SimulatedMarket[] = [];
  for (const market of past) {
    const read = readMarket(market.wire(NOW, WITH_TAGS), market.conditionId);
    if ('reason' in read || !market.hasPrices) continue;
    (read.tags.includes(MISCALIBRATED.tag) ? cryptoMarkets : otherMarkets).push(market);
  }

  it('has over 3,200 readable markets, which all closed before the start', () => {
    expect(cryptoMarkets.length + otherMarkets.length).toBeGreaterThan(3_200);
    for (const market of past) expect(market.resolution(NOW)?.status).toBe('resolved');
  });

  it('has prices that predict the payouts', () => {
    const { predicted, won } = favourites(otherMarkets);
    expect(Math.abs(won - predicted)).toBeLessThan(0.015);
  });

  it('has over 300 markets of crypto whose prices are 40 % too close to 50 %', () => {
    expect(cryptoMarkets.length).toBeGreaterThan(300);
    const { predicted, won } = favourites(cryptoMarkets);
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
