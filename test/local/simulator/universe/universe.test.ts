import { describe, expect, it } from '@jest/globals';
import { isOpen, type Universe } from '../../../../local/simulator/market.ts';
import { generateUniverse } from '../../../../local/simulator/universe/universe.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const OPTIONS = { seed: 1, markets: 2_500, v2Share: 0.2, now: NOW, lifecycle: true };
const HOUR_MS = 3_600_000;
const universe = generateUniverse(OPTIONS);
const openAt = (one: Universe, atMs: number) => one.until(atMs).filter((market) => isOpen(market, atMs));
const markets = openAt(universe, NOW);

const wires = markets.map((market) => market.wire(NOW, true) as unknown as { readonly question: string });

describe('generateUniverse', () => {
  it('gives the same markets for the same options and others for another seed', () => {
    const wire = (seed: number): string => {
      const one = generateUniverse({ ...OPTIONS, markets: 200, seed });
      return JSON.stringify(one.until(NOW + HOUR_MS).map((market) => market.wire(NOW + HOUR_MS, true)));
    };

    expect(wire(5)).toBe(wire(5));
    expect(wire(5)).not.toBe(wire(6));
  });

  it.each([1, 7, 300, 4_000])('has %i open markets at the start, and different ids, slugs and tokens', (count) => {
    const one = generateUniverse({ ...OPTIONS, markets: count });
    const all = one.until(NOW + 6 * HOUR_MS);
    const distinct = (values: readonly string[]): number => new Set(values).size;

    expect(openAt(one, NOW)).toHaveLength(count);
    expect(distinct(all.map(({ id }) => id))).toBe(all.length);
    expect(distinct(all.map(({ slug }) => slug))).toBe(all.length);
    expect(distinct(all.map(({ conditionId }) => conditionId))).toBe(all.length);
    expect(distinct(all.flatMap(({ tokens }) => [...tokens]))).toBe(2 * all.length);
  });
});

describe('the life of the markets', () => {
  const [short] = universe.until(NOW).filter(({ createdAt }) => createdAt > NOW - HOUR_MS / 4);
  const before = new Set(markets);

  it('opens and closes some within minutes', () => {
    const later = openAt(universe, NOW + HOUR_MS);

    expect(later.some((market) => !before.has(market))).toBe(true);
    expect(markets.some((market) => !isOpen(market, NOW + HOUR_MS / 4))).toBe(true);
  });

  it('lets nothing open or close without a life cycle, but has closed markets', () => {
    const still = generateUniverse({ ...OPTIONS, lifecycle: false });

    expect(openAt(still, NOW + 6 * HOUR_MS)).toEqual(openAt(still, NOW));
    expect(still.until(NOW).length).toBeGreaterThan(openAt(still, NOW).length);
  });

  it('runs a price to the payout, widens and empties the book, closes and resolves', () => {
    if (!short) throw new Error('There is no short market');
    const { endsAt, closesAt, units } = short;
    const steps = Array.from({ length: 200 }, (_, n) => short.createdAt + (n * (endsAt - short.createdAt)) / 200);
    const spreads = steps.map((atMs) => {
      const { bid, ask } = short.quote(atMs);
      return ((ask ?? units) - (bid ?? 0)) / units;
    });
    const payouts = short.resolution(closesAt + HOUR_MS * 3)?.payouts;

    expect(Math.max(...spreads)).toBeGreaterThan(0.1);
    expect(short.price(endsAt)).toBeCloseTo(payouts?.[0] ?? Number.NaN, 1);
    expect(short.lastTrade(endsAt)).toBeCloseTo(payouts?.[0] ?? Number.NaN, 1);
    expect(short.quote(endsAt)).toEqual({ bid: null, ask: null });
    expect(isOpen(short, endsAt)).toBe(true);
    expect(isOpen(short, closesAt)).toBe(false);
    expect(short.resolution(closesAt - 1)).toBeUndefined();
    expect(short.resolution(closesAt)?.status).toBe('proposed');
    expect(short.resolution(closesAt + 3 * HOUR_MS)?.status).toBe('resolved');
  });

  it('lets volumes grow, and gives the markets of high volume a volume of 24 hours', () => {
    const biggest = [...markets].sort((a, b) => b.volume(NOW) - a.volume(NOW)).slice(0, 1_000);

    expect(markets.every((market) => market.volume(NOW + HOUR_MS) >= market.volume(NOW))).toBe(true);
    expect(biggest.filter((market) => market.volume(NOW) === market.volume(NOW - 24 * HOUR_MS))).toEqual([]);
  });

  it('gives nobody a higher price for the presidency than for the nomination', () => {
    const priceOf = new Map(wires.map((wire, n) => [wire.question.trim(), markets[n]?.price(NOW) ?? 0]));
    const nominees = [...priceOf].filter(([question]) =>
      /^Will .+ win the \d{4} \w+ presidential nomination/.test(question),
    );

    expect(nominees.length).toBeGreaterThan(20);
    for (const [question, price] of nominees) {
      const presidency = question.replace(/\w+ presidential nomination/, 'US Presidential Election');
      expect([question, (priceOf.get(presidency) ?? 0) <= price]).toEqual([question, true]);
    }
  });
});
