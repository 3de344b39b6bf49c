import type { MarketDetails } from '../domain/market.ts';
import { roundTo3 } from '../domain/numbers.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import { type ByteReader, type ByteWriter, unzigzag, zigzag } from './bytes.ts';

/** One number of each market, of all markets; NaN where a market has none. */
export type NumberColumn = Float64Array;

type NumbersOf<T> = { [Name in keyof T]-?: NonNullable<T[Name]> extends number ? Name : never }[keyof T];

/** Numbers that stand still: they are part of a market's text. */
type StillDetail = 'minimumTickSize';

/**
 * The numbers of a market's details that move. In a market's text such a number would write most of the list anew in each
 * run; so each number of the details is here, or is named above.
 */
export type MovingDetail = Exclude<NumbersOf<MarketDetails>, StillDetail>;

/** With the units that `COLUMNS` tells. A new one comes last: what is stored already has the columns before it. */
const UNITS_OF_DETAILS: Readonly<Record<MovingDetail, number>> = {
  volume24h: 1e6,
  bestBid: 1e5,
  bestAsk: 1e5,
  spread: 1e5,
  lastTradePrice: 1e5,
};

export const MOVING_DETAILS = Object.keys(UNITS_OF_DETAILS) as MovingDetail[];

export function isMoving(name: string): name is MovingDetail {
  return Object.hasOwn(UNITS_OF_DETAILS, name);
}

const OWN_COLUMNS = [
  ['currentProbability', 1e3],
  ['midpointShift', 1e3],
  ['oneDayBaseline', 1e3],
  ['sevenDayBaseline', 1e3],
  ['thirtyDayBaseline', 1e3],
  ['volume', 1e6],
  ['liquidity', 1e6],
] as const;

export type NumberName = (typeof OWN_COLUMNS)[number][0] | MovingDetail;

/**
 * The numbers of a market, each with the units of which it is a whole number (if it is none, it is kept as a double).
 * `midpoint` is told as its distance from the probability, which is mostly 0, and a change as the price it is counted
 * from, which stands still while prices move: what does not differ from the base costs next to nothing.
 */
export const COLUMNS: readonly (readonly [name: NumberName, perUnit: number])[] = [
  ...OWN_COLUMNS,
  ...MOVING_DETAILS.map((name) => [name, UNITS_OF_DETAILS[name]] as const),
];

export type Numbers = Readonly<Record<NumberName, number | undefined>>;

/** The numbers of an entry as its columns hold them. */
export function numbersOf({ market, facets, midpoint }: SnapshotEntry): Numbers {
  const { currentProbability, volume, liquidity } = market;
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
    ...movingNumbers(facets),
  };
}

function movingNumbers(details: MarketDetails): Record<MovingDetail, number | undefined> {
  return Object.fromEntries(MOVING_DETAILS.map((name) => [name, details[name]])) as Record<
    MovingDetail,
    number | undefined
  >;
}

const NONE = 0;
const DOUBLE = 1;
const FIRST_DIFFERENCE = 2;
/** Differences beyond are not exact any more. */
const MOST_UNITS = 2 ** 50;

/** Writes where a column differs from another one of the same length, and by how much. */
export function writeDifferences(
  writer: ByteWriter,
  column: NumberColumn,
  base: NumberColumn,
  perUnit: number,
): void {
  const changed: number[] = [];
  column.forEach((value, n) => {
    if (!Object.is(value, base[n])) changed.push(n);
  });
  writer.varint(changed.length);
  for (const [n, place] of changed.entries()) writer.varint(place - (changed[n - 1] ?? -1) - 1);
  for (const place of changed) writeValue(writer, valueAt(column, place), valueAt(base, place), perUnit);
}

function writeValue(writer: ByteWriter, value: number, before: number, perUnit: number): void {
  const units = unitsOf(value, perUnit);
  if (Number.isNaN(value)) writer.varint(NONE);
  else if (units !== undefined) {
    writer.varint(FIRST_DIFFERENCE + zigzag(units - (unitsOf(before, perUnit) ?? 0)));
  } else {
    writer.varint(DOUBLE);
    writer.double(value);
  }
}

/** Puts the differences into a column that begins as a copy of the base. */
export function readDifferences(reader: ByteReader, column: NumberColumn, perUnit: number): void {
  const changed: number[] = [];
  for (let left = reader.varint(); left > 0; left--)
    changed.push((changed.at(-1) ?? -1) + 1 + reader.varint());
  for (const place of changed) column[place] = readValue(reader, valueAt(column, place), perUnit);
}

function readValue(reader: ByteReader, before: number, perUnit: number): number {
  const code = reader.varint();
  if (code === NONE) return Number.NaN;
  if (code === DOUBLE) return reader.double();
  return (unzigzag(code - FIRST_DIFFERENCE) + (unitsOf(before, perUnit) ?? 0)) / perUnit;
}

function valueAt(column: NumberColumn, place: number): number {
  return column[place] ?? Number.NaN;
}

/** How many units a number is; undefined where it is no whole number of them. */
export function unitsOf(value: number, perUnit: number): number | undefined {
  const units = Math.round(value * perUnit);
  return units / perUnit === value && Math.abs(units) < MOST_UNITS && !Object.is(value, -0)
    ? units
    : undefined;
}
