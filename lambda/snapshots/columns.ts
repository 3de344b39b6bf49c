import { roundTo3 } from '../domain/numbers.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import { type ByteReader, type ByteWriter, unzigzag, zigzag } from './bytes.ts';

/** One number of each market, of all markets; undefined where a market has none. */
export type Column = readonly (number | undefined)[];

/**
 * The numbers of a market, each with the units of which it is a whole number (if it is none, it is kept as a double).
 * `midpoint` is told as its distance from the probability, which is mostly 0, and a change as the price it is counted
 * from, which stands still while prices move: what does not differ from the base costs next to nothing.
 */
export const COLUMNS = [
  ['currentProbability', 1e3],
  ['midpointShift', 1e3],
  ['oneDayBaseline', 1e3],
  ['sevenDayBaseline', 1e3],
  ['thirtyDayBaseline', 1e3],
  ['volume', 1e6],
  ['liquidity', 1e6],
  ['volume24h', 1e6],
  ['bestBid', 1e5],
  ['bestAsk', 1e5],
  ['spread', 1e5],
  ['lastTradePrice', 1e5],
] as const;

export type ColumnName = (typeof COLUMNS)[number][0];
export type Numbers = Readonly<Record<ColumnName, number | undefined>>;

/** The numbers of an entry as its columns hold them. */
export function numbersOf({ market, facets, midpoint }: SnapshotEntry): Numbers {
  const { currentProbability, volume, liquidity } = market;
  const { volume24h, bestBid, bestAsk, spread, lastTradePrice } = facets;
  const shift = midpoint === undefined ? undefined : roundTo3(midpoint * 100 - currentProbability);
  const now = currentProbability + (shift ?? 0);
  const baseline = (change: number | null | undefined) =>
    change === null || change === undefined ? undefined : roundTo3(now - change);
  return {
    currentProbability,
    midpointShift: shift,
    oneDayBaseline: baseline(market.oneDayPriceChange),
    sevenDayBaseline: baseline(market.sevenDayPriceChange),
    thirtyDayBaseline: baseline(market.thirtyDayPriceChange),
    volume,
    liquidity,
    volume24h,
    bestBid,
    bestAsk,
    spread,
    lastTradePrice,
  };
}

const SAME = 0;
const NONE = 1;
const DOUBLE = 2;
const FIRST_DIFFERENCE = 3;
/** Differences beyond are not exact any more. */
const MOST_UNITS = 2 ** 50;

/** Writes a column as its differences from another one of the same length. */
export function writeColumn(writer: ByteWriter, values: Column, base: Column, perUnit: number): void {
  for (const [n, value] of values.entries()) writeValue(writer, value, base[n], perUnit);
}

function writeValue(
  writer: ByteWriter,
  value: number | undefined,
  before: number | undefined,
  perUnit: number,
): void {
  const units = unitsOf(value, perUnit);
  if (value === before) writer.varint(SAME);
  else if (value === undefined) writer.varint(NONE);
  else if (units !== undefined) {
    writer.varint(FIRST_DIFFERENCE + zigzag(units - (unitsOf(before, perUnit) ?? 0)));
  } else {
    writer.varint(DOUBLE);
    writer.double(value);
  }
}

export function readColumn(reader: ByteReader, base: Column, perUnit: number): Column {
  return base.map((before) => {
    const code = reader.varint();
    if (code === SAME) return before;
    if (code === NONE) return undefined;
    if (code === DOUBLE) return reader.double();
    return (unzigzag(code - FIRST_DIFFERENCE) + (unitsOf(before, perUnit) ?? 0)) / perUnit;
  });
}

/** How many units a number is; undefined where it is no whole number of them. */
function unitsOf(value: number | undefined, perUnit: number): number | undefined {
  if (value === undefined) return undefined;
  const units = Math.round(value * perUnit);
  return units / perUnit === value && Math.abs(units) < MOST_UNITS && !Object.is(value, -0)
    ? units
    : undefined;
}
