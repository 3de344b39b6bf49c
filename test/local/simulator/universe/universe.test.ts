import { describe, expect, it } from '@jest/globals';
import { isOpen, type Universe } from '../../../../local/simulator/market.ts';
import { generateUniverse } from '../../../../local/simulator/universe/universe.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const OPTIONS = { seed: 1, markets: 2_500, v2Share: 0.2, now: NOW, lifecycle: true };
const HOUR_MS = 3_600_000;
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

describe('the life of a market of a quarter of an hour', () => {
  const [short] = universe.until(NOW).filter(({ createdAt }) => createdAt > NOW - HOUR_MS / 4);
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
  'no market grows more than fourfold, or beyond a recorded volume, in an hour, a day or three days: %s',
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
