import { describe, expect, it } from '@jest/globals';
import { BandPlan, isInBands } from '../../../../lambda/refresh/bands.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('the plan of the bands', () => {
  const volumes = Array.from({ length: 2_000 }, (_, n) => 1e9 / (n + 1));

  it('covers everything from below the last market of the previous snapshot', () => {
    const bands = new BandPlan().bands(volumes, 2_000, NOW) ?? [];
    expect(bands).toHaveLength(24);
    expect(bands[0]?.to).toBe(Number.POSITIVE_INFINITY);
    expect(bands.at(-1)?.from).toBeCloseTo((1e9 / 2_000) * 0.98, 6);
    for (const [n, { to }] of bands.entries()) if (n > 0) expect(to).toBe(bands[n - 1]?.from);
  });

  it.each([
    ['a snapshot that may hold the whole catalogue', volumes.slice(0, 1_999), 2_000],
    ['the same of 4,000', volumes, 4_000],
    ['a few pages', volumes.slice(0, 300), 300],
    ['markets without volume at the end', [...volumes.slice(1), 0], 2_000],
    ['no snapshot', [], 2_000],
  ] as const)('is none for %s', (_, some, maxMarkets) => {
    expect(new BandPlan().bands(some, maxMarkets, NOW)).toBeUndefined();
  });

  it('of a large stage that is not full yet goes on below what it has', () => {
    const some = volumes.slice(0, 1_000);
    const bands = new BandPlan().bands(some, 10_000, NOW) ?? [];
    const below = bands.filter(({ to }) => to <= (some.at(-1) ?? 0));
    expect(below).toHaveLength(16);
    expect(below.every(({ pages = 0 }, n) => pages > 0 && below[n + 1]?.to !== below[n]?.to)).toBe(true);
    const [last] = new BandPlan().bands([...some.slice(0, 999), 500], 10_000, NOW)?.slice(-1) ?? [];
    expect(last).toMatchObject({ from: 0, to: 490 });
  });

  it('is none for an hour after the bounds were ignored', () => {
    const plan = new BandPlan();
    plan.ignored(NOW);
    expect(plan.bands(volumes, 2_000, NOW + 3_599_999)).toBeUndefined();
    expect(plan.bands(volumes, 2_000, NOW + 3_600_000)).toBeDefined();
  });
});

describe('the bands of a plan', () => {
  const falling = (count: number, step = 1_000) => Array.from({ length: count }, (_, n) => 1e6 - n * step);

  it('hold equally many markets each, the lowest a little less than the last', () => {
    const volumes = falling(400);
    const bands = new BandPlan().bands(volumes, 400, NOW) ?? [];
    expect(bands.map((band) => volumes.filter((volume) => isInBands([band], volume)).length)).toEqual([
      81, 80, 80, 80, 79,
    ]);
    expect(bands.some(({ pages }) => pages !== undefined)).toBe(false);
  });

  it('begin with the fourth page', () => {
    expect(new BandPlan().bands(falling(300), 300, NOW)).toBeUndefined();
    expect(new BandPlan().bands(falling(301), 301, NOW)).toHaveLength(4);
  });

  it('are none that are empty, where many markets have the same volume', () => {
    const volumes = [...falling(150), ...Array.from({ length: 300 }, () => 500)];
    const bands = new BandPlan().bands(volumes, 450, NOW) ?? [];
    expect(bands.length).toBeLessThan(6);
    for (const { from, to } of bands) expect(from).toBeLessThan(to);
    expect(volumes.every((volume) => isInBands(bands, volume))).toBe(true);
  });

  it('begin to grow beyond 4,000 markets, and not where the stage is full', () => {
    expect(new BandPlan().bands(falling(400), 4_000, NOW)).toBeUndefined();
    expect(new BandPlan().bands(falling(400), 4_001, NOW)).toHaveLength(5 + 16);
    expect(new BandPlan().bands(falling(400), 399, NOW)).toHaveLength(5);
  });

  it('grow below what is known by sixteen bands of 7 % and six pages each, one below the other', () => {
    const volumes = falling(400);
    const below = 0.98 * (volumes.at(-1) ?? 0);
    const grown = (new BandPlan().bands(volumes, 10_000, NOW) ?? []).slice(-16);
    expect(grown[0]).toEqual({ from: below * 0.93, to: below, pages: 6 });
    for (const [n, { from, to, pages }] of grown.entries()) {
      expect(from / to).toBeCloseTo(0.93, 9);
      expect(pages).toBe(6);
      if (n > 0) expect(to).toBe(grown[n - 1]?.from);
    }
  });

  it.each([
    [1_000, 16],
    [999, 1],
  ])('below %i USD grow by %i at once', (below, count) => {
    const volumes = [...falling(399), below / 0.98];
    const bands = new BandPlan().bands(volumes, 10_000, NOW) ?? [];
    expect(bands.filter(({ to }) => to < below + 1)).toHaveLength(count);
    if (count === 1) expect(bands.at(-1)).toMatchObject({ from: 0, pages: 60 });
  });

  it('that are wider than a band of growth may hold a part that nobody has read: sixty pages', () => {
    const volumes = [...falling(200, 500), ...falling(200, 500).map((volume) => volume / 2)];
    const bands = (new BandPlan().bands(volumes, 10_000, NOW) ?? []).slice(0, 5);
    // The first is open above, the third spans the gap; the others are narrow.
    expect(bands.map(({ pages }) => pages)).toEqual([60, undefined, 60, undefined, undefined]);
    expect(bands.map(({ from, to }) => from < 0.93 * to)).toEqual([true, false, true, false, false]);
  });
});

it.each([
  [9, false],
  [10, true],
  [19, true],
  [20, false],
  [30, true],
])('a volume of %i lies in the bands from 10 up to 20 and from 30: %s', (volume, expected) => {
  const bands = [
    { from: 10, to: 20 },
    { from: 30, to: Number.POSITIVE_INFINITY },
  ];
  expect(isInBands(bands, volume)).toBe(expected);
});
