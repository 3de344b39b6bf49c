import { describe, expect, it } from '@jest/globals';
import type { CatalogueMarket } from '../../../../lambda/domain/market.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { type Band, BandPlan } from '../../../../lambda/refresh/bands.ts';
import { TailTurns } from '../../../../lambda/refresh/tail-turns.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const TURNS = 7;

describe('a catalogue of 50,000 markets', () => {
  const volumes = Array.from({ length: 50_000 }, (_, n) => 1e10 / (n + 1));
  const all = new BandPlan().bands(volumes, 50_000, NOW) ?? [];

  it('is read as a whole within seven runs, the top of it in each', () => {
    const turns = new TailTurns();
    const read = Array.from({ length: TURNS }, () => turns.bands(all, volumes.length, NOW));
    const top = all.filter(({ from }) => from >= (volumes[1_999] ?? 0));
    for (const bands of read) {
      expect(bands).toEqual(expect.arrayContaining(top));
      expect(bands.length).toBeLessThan(150);
    }
    expect(new Set(read.flat()).size).toBe(all.length);
  });

  it('grows by all bands below what it has in each run', () => {
    const known = volumes.slice(0, 20_000);
    const growing = new BandPlan().bands(known, 50_000, NOW) ?? [];
    const below = growing.filter(({ to }) => to < (known.at(-1) ?? 0));
    expect(below).toHaveLength(16);
    const turns = new TailTurns();
    for (let run = 0; run < TURNS; run++)
      expect(turns.bands(growing, known.length, NOW)).toEqual(expect.arrayContaining(below));
  });

  it('of up to 10,000 markets is read as a whole each time', () => {
    expect(new TailTurns().bands(all, 10_000, NOW)).toBe(all);
    expect(new TailTurns().bands(all, 10_001, NOW).length).toBeLessThan(all.length);
  });
});

describe('a turn', () => {
  /** Each of two thousand markets, so that the first holds the top; what comes after the 21st is growth. */
  const bands = Array.from({ length: 23 }, (_, n) => ({
    from: 100 - n,
    to: 101 - n,
    ...(n > 20 ? { pages: 6 } : {}),
  }));
  const numbers = (some: readonly Band[]) => some.map(({ from }) => 100 - from);

  it('reads the top, every seventh band of the tail, and what the stage grows by', () => {
    const turns = new TailTurns();
    // The first turn follows from the second in which the container has begun: here the third.
    const runs = Array.from({ length: 8 }, () => numbers(turns.bands(bands, 46_000, 3_999)));
    expect(runs).toEqual([
      [0, 4, 11, 18, 21, 22],
      [0, 5, 12, 19, 21, 22],
      [0, 6, 13, 20, 21, 22],
      [0, 7, 14, 21, 22],
      [0, 1, 8, 15, 21, 22],
      [0, 2, 9, 16, 21, 22],
      [0, 3, 10, 17, 21, 22],
      [0, 4, 11, 18, 21, 22],
    ]);
  });

  it('reads as many bands of the top as hold 2,000 markets', () => {
    const top = (markets: number) => {
      const runs = Array.from({ length: 7 }, (_, n) =>
        numbers(new TailTurns().bands(bands, markets, n * 1_000)),
      );
      return (runs[0] ?? []).filter((band) => runs.every((read) => read.includes(band)));
    };
    expect(top(46_000)).toEqual([0, 21, 22]);
    expect(top(23_000)).toEqual([0, 1, 21, 22]);
    expect(top(22_999)).toEqual([0, 1, 2, 21, 22]);
  });
});

describe('a stage of 50,000 markets that begins with 4,000', () => {
  it('has four fifths of them within six runs, most of the catalogue being below 1,000 USD', () => {
    const volumes = Array.from({ length: 60_000 }, (_, rank) => 4e7 / (1 + rank) ** 1.05);
    const known = new Set(volumes.slice(0, 4_000));
    const plan = new BandPlan();
    const turns = new TailTurns();
    for (let run = 0; run < 6; run++) {
      const descending = [...known].sort((a, b) => b - a);
      for (const { from, to, pages = 60 } of turns.bands(
        plan.bands(descending, 50_000, NOW) ?? [],
        known.size,
        NOW,
      )) {
        const inside = volumes.filter((volume) => from <= volume && volume < to).slice(-100 * pages);
        for (const volume of inside) known.add(volume);
      }
    }
    expect(known.size).toBeGreaterThan(40_000);
  });
});

describe('a market that a run did not come by', () => {
  const entries = [1, 2].map((n) => snapshotEntry(n));
  const market = catalogueMarket(1);
  const [, second] = entries;
  const priced = new Map([[second?.market.clobTokenId ?? '', 0.5]]);
  const elsewhere = [{ from: 1e9, to: Number.POSITIVE_INFINITY }];
  const here = [{ from: 0, to: Number.POSITIVE_INFINITY }];
  const carried = (
    turns: TailTurns,
    bands: typeof here,
    midpoints: ReadonlyMap<string, number> = priced,
    found: readonly CatalogueMarket[] = [market],
    previous: readonly SnapshotEntry[] = entries,
  ) => {
    turns.bands([], 50_000, NOW);
    return turns.carried(previous, found, bands, midpoints).map((entry) => entry.market.id);
  };

  it('keeps its facts, and is not listed twice', () => {
    expect(carried(new TailTurns(), elsewhere)).toEqual([second?.market.id]);
    expect(carried(new TailTurns(), here)).toEqual([second?.market.id]);
  });

  it('is gone when its band was read without it, and it has no order book either', () => {
    expect(carried(new TailTurns(), here, new Map())).toEqual([]);
    expect(carried(new TailTurns(), elsewhere, new Map())).toEqual([second?.market.id]);
  });

  it('is gone when it was not seen in two whole rounds', () => {
    const turns = new TailTurns();
    for (let run = 0; run < 2 * TURNS; run++) expect(carried(turns, elsewhere)).toHaveLength(1);
    expect(carried(turns, elsewhere)).toEqual([]);
  });

  it('is gone when its part of the catalogue was read twice without it, though it has an order book', () => {
    const turns = new TailTurns();
    expect(carried(turns, here)).toHaveLength(1);
    expect(carried(turns, elsewhere)).toHaveLength(1);
    expect(carried(turns, here)).toEqual([]);
  });

  it('of Protocol V2 is told by either form of its id', () => {
    const short = `0x${'ab'.repeat(31)}`;
    const v2 = [1, 2].map((n) => snapshotEntry(n, { id: n === 1 ? short : `0x${'cd'.repeat(31)}` }));
    const same = [catalogueMarket(1, { id: `${short}00` })];
    const token = v2[1]?.market.clobTokenId ?? '';
    const turns = new TailTurns();
    expect(carried(turns, here, new Map([[token, 0.5]]), same, v2)).toEqual([v2[1]?.market.id]);
    // It comes back in its other form, and its absence is remembered all the same.
    const padded = v2.map(({ market, ...rest }) => ({
      ...rest,
      market: { ...market, id: `${market.id}00` },
    }));
    expect(carried(turns, here, new Map([[token, 0.5]]), same, padded)).toEqual([]);
  });

  it('begins anew when it has been seen in between', () => {
    const turns = new TailTurns();
    expect(carried(turns, here)).toHaveLength(1);
    expect(carried(turns, here, priced, [market, catalogueMarket(2)])).toEqual([]);
    expect(carried(turns, here)).toHaveLength(1);
  });
});
