import { describe, expect, it } from '@jest/globals';
import { ByteReader, ByteWriter } from '../../../../lambda/snapshots/bytes.ts';
import {
  COLUMNS,
  numbersOf,
  readDifferences,
  unitsOf,
  writeDifferences,
} from '../../../../lambda/snapshots/columns.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

function differences(values: readonly number[], base: readonly number[], perUnit: number): Uint8Array {
  const writer = new ByteWriter();
  writeDifferences(writer, Float64Array.from(values), Float64Array.from(base), perUnit);
  return writer.take();
}

function applied(bytes: Uint8Array, base: readonly number[], perUnit: number): number[] {
  const column = Float64Array.from(base);
  readDifferences(new ByteReader(bytes), column, perUnit);
  return [...column];
}

describe('the numbers of a market', () => {
  const { market, facets } = snapshotEntry(1, {
    currentProbability: 45,
    oneDayPriceChange: -1.5,
    sevenDayPriceChange: 2.25,
    thirtyDayPriceChange: 0,
  });

  it('tell a change as the price that it is counted from', () => {
    expect(numbersOf({ market, facets })).toEqual({
      currentProbability: 45,
      midpointShift: undefined,
      oneDayBaseline: 46.5,
      sevenDayBaseline: 42.75,
      thirtyDayBaseline: 45,
      volume: market.volume,
      liquidity: market.liquidity,
      volume24h: undefined,
      bestBid: facets.bestBid,
      bestAsk: facets.bestAsk,
      spread: facets.spread,
      lastTradePrice: facets.lastTradePrice,
    });
  });

  it('tell a midpoint as its distance from the probability, and count changes from the midpoint', () => {
    expect(numbersOf({ market, facets, midpoint: 0.4525 })).toMatchObject({
      midpointShift: 0.25,
      oneDayBaseline: 46.75,
      sevenDayBaseline: 43,
    });
  });

  it('have no baseline where there is no change', () => {
    const none = snapshotEntry(1, { oneDayPriceChange: null });
    expect(numbersOf(none)).toMatchObject({ oneDayBaseline: undefined, sevenDayBaseline: undefined });
  });

  it('have a column each, in an order that is stored', () => {
    expect(COLUMNS.map(([name]) => name)).toEqual(Object.keys(numbersOf({ market, facets })));
  });
});

describe('the units of a number', () => {
  it.each([
    [45.125, 1e3, 45_125],
    [0, 1e3, 0],
    [-1.5, 1e3, -1_500],
    [0.445, 1e5, 44_500],
    [45.1255, 1e3, undefined],
    [-0, 1e3, undefined],
    [Number.NaN, 1e3, undefined],
    [Number.POSITIVE_INFINITY, 1e3, undefined],
    [2 ** 50 - 1, 1, 2 ** 50 - 1],
    [2 ** 50, 1, undefined],
    [1 - 2 ** 50, 1, 1 - 2 ** 50],
    [-(2 ** 50), 1, undefined],
  ])('%d with %d to the whole: %d', (value, perUnit, units) => {
    expect(unitsOf(value, perUnit)).toBe(units);
  });
});

describe('the differences of a column', () => {
  it('of a column that has not changed are a single zero', () => {
    expect([...differences([1, Number.NaN, 3], [1, Number.NaN, 3], 1)]).toEqual([0]);
  });

  it('are how many have changed, the gaps between them, then by how many units each', () => {
    // Gone is 0, a double 1; one unit more is zigzag(1) + 2, one less zigzag(-1) + 2.
    expect([...differences([1, 6, 3, 3, Number.NaN], [1, 5, 3, 4, 9], 1)]).toEqual([3, 1, 1, 0, 4, 3, 0]);
    expect([...differences([2], [1], 1)]).toEqual([1, 0, 4]);
  });

  it('count units from zero where the base has none', () => {
    expect([...differences([3, 4], [Number.NaN, 0.5], 1)]).toEqual([2, 0, 0, 8, 10]);
  });

  it('hold a double where the number is no whole number of units', () => {
    const bytes = differences([0.5], [0.25], 1);
    expect([...bytes.subarray(0, 3)]).toEqual([1, 0, 1]);
    expect(bytes).toHaveLength(3 + 8);
  });

  it.each([
    ['numbers that rise and fall', [1.5, 2.25, 3.125], [1.25, 2.5, 3.125]],
    ['some of the numbers only', [1, 6, 3, 4, 5, 9], [1, 5, 3, 4, 5, 8]],
    ['numbers that come and go', [Number.NaN, 4, 0], [3, Number.NaN, Number.NaN]],
    ['a zero below nothing', [-0, 0], [0, -0]],
    ['numbers beyond what is exact', [2 ** 52, 0.1 + 0.2], [1, 2 ** 52]],
    ['nothing at all', [], []],
  ])('put %s back in their places', (_, values, base) => {
    expect(applied(differences(values, base, 1e3), base, 1e3)).toEqual(values);
  });
});
