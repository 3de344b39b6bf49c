import type { PastPrice } from '../../core/domain/change.ts';
import type { UnixSeconds } from '../../core/domain/time.ts';
import { itemAt } from '../../core/domain/values.ts';
import { MAX_CHUNK_BYTES } from './snapshot-items.ts';
import { decodeText, encodeText, KEY_CHARACTERS } from './stored-prices.ts';

/** The history of a token, as stored in an item of the backfill. Both ends are included. */
export interface PriceSeries {
  readonly from: UnixSeconds;
  readonly until: UnixSeconds;
  /** Oldest first. */
  readonly points: readonly PastPrice[];
  readonly jumpedAt: UnixSeconds;
}

type KeyedSeries = readonly [key: string, series: PriceSeries];

/**
 * A series in an item: from, until, first time and steps between times, prices in units of 0.00001,
 * time of the last jump. Times are Unix seconds.
 */
type StoredSeries = readonly [
  number,
  number,
  readonly number[],
  readonly (number | null)[],
  number,
];

/** Units per dollar. The finest change that a response shows is 0.001 percentage points. */
const PRICE_UNITS = 100_000;

/** Rounds a price as the store does. */
export function roundPrice(price: number | null): number | null {
  return price === null ? null : Math.round(price * PRICE_UNITS) / PRICE_UNITS;
}

/**
 * Encodes a line for each series.
 *
 * @returns the data of items, each small enough for the table; none for no series
 */
export function encodeSeries(all: readonly KeyedSeries[]): Buffer[] {
  if (all.length === 0) return [];
  const data = encodeText(all.map(encodeLine).join('\n'));
  if (data.length <= MAX_CHUNK_BYTES || all.length === 1) return [data];
  const half = Math.ceil(all.length / 2);
  return [...encodeSeries(all.slice(0, half)), ...encodeSeries(all.slice(half))];
}

/**
 * Decodes the series of an item. Parses only listed markets, because most stored ones have closed.
 * Ignores malformed series.
 *
 * @throws Error unless `encodeSeries` wrote the bytes
 */
export function decodeSeries(
  data: Uint8Array,
  isListed: (key: string) => boolean,
): readonly KeyedSeries[] {
  return decodeText(data)
    .split('\n')
    .filter((line) => isListed(line.slice(0, KEY_CHARACTERS)))
    .flatMap((line): KeyedSeries[] => {
      const series = readSeries(JSON.parse(line.slice(KEY_CHARACTERS)));
      return series ? [[line.slice(0, KEY_CHARACTERS), series]] : [];
    });
}

function encodeLine([key, { from, until, points, jumpedAt }]: KeyedSeries): string {
  const steps = points.map(({ t }, n) => t - (points[n - 1]?.t ?? 0));
  const units = points.map(({ p }) => (p === null ? null : Math.round(p * PRICE_UNITS)));
  const stored: StoredSeries = [from, until, steps, units, jumpedAt];
  return key + JSON.stringify(stored);
}

/** The series of a stored value. @returns undefined if the value is malformed */
function readSeries(value: unknown): PriceSeries | undefined {
  const [from, until, steps = [], units = [], jumpedAt = 0] = value as StoredSeries;
  if (!isWellFormed([from, until, steps, units, jumpedAt])) return undefined;
  let t = 0;
  const points = units.map((price, n) => {
    t += itemAt(steps, n);
    return { t, p: price === null ? null : price / PRICE_UNITS };
  });
  return { from, until, points, jumpedAt };
}

/** Whether each price has a time, times ascend, and prices lie between 0 and 1. */
function isWellFormed([from, until, steps, units, jumpedAt]: StoredSeries): boolean {
  const prices = units.filter((unit) => unit !== null);
  const numbers = [from, until, jumpedAt, ...steps, ...prices];
  return (
    steps.length === units.length &&
    numbers.every((number) => Number.isSafeInteger(number) && number >= 0) &&
    prices.every((price) => price <= PRICE_UNITS)
  );
}
