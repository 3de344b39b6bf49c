/**
 * The form in which the table stores the backfill: histories of prices from Polymarket, of the time
 * before this service read prices itself.
 */
import type { PastPrice } from '../../core/domain/price-history.ts';
import type { UnixSeconds } from '../../core/domain/time.ts';
import { itemAt } from '../../core/domain/values.ts';
import { MAX_CHUNK_BYTES } from './snapshot-items.ts';
import { decodeText, encodeText, KEY_CHARACTERS } from './stored-prices.ts';

/** The history of a token. */
export interface PriceSeries {
  /** The bounds of the time that was read, both included. */
  readonly from: UnixSeconds;
  readonly until: UnixSeconds;
  /** Oldest first. */
  readonly points: readonly PastPrice[];
  /** The time of the last jump of the price; 0 if there was none. */
  readonly jumpedAt: UnixSeconds;
}

/** A series with the key of its token (`priceKey`). */
type KeyedSeries = readonly [key: string, series: PriceSeries];

/**
 * A series as an item has it, in few characters. `steps` are the time of the first point and the
 * seconds between points; `units` are prices in units of 0.00001. A price of 0.5 at the time 1000
 * and of 0.51 at 1600, read from 900 to 2000, is `[900,2000,[1000,600],[50000,51000],0]`.
 */
type StoredSeries = readonly [
  from: UnixSeconds,
  until: UnixSeconds,
  steps: readonly number[],
  units: readonly (number | null)[],
  jumpedAt: UnixSeconds,
];

/** Units per dollar. The finest change that a response shows is 0.001 percentage points. */
const PRICE_UNITS = 100_000;

/** Rounds a price as the store does. */
export function roundPrice(price: number | null): number | null {
  return price === null ? null : Math.round(price * PRICE_UNITS) / PRICE_UNITS;
}

/**
 * Encodes series, each as a line: its key and its JSON. Halves the list until each part fits into an
 * item.
 *
 * @returns the data of items; none for no series
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
  const decoded: KeyedSeries[] = [];
  for (const line of decodeText(data).split('\n')) {
    const key = line.slice(0, KEY_CHARACTERS);
    if (!isListed(key)) continue;
    const series = readSeries(JSON.parse(line.slice(KEY_CHARACTERS)));
    if (series) decoded.push([key, series]);
  }
  return decoded;
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

/** Whether each price has a time, no time is before the one before it, and prices are 0 to 1. */
function isWellFormed([from, until, steps, units, jumpedAt]: StoredSeries): boolean {
  const prices = units.filter((unit) => unit !== null);
  const numbers = [from, until, jumpedAt, ...steps, ...prices];
  return (
    steps.length === units.length &&
    numbers.every((number) => Number.isSafeInteger(number) && number >= 0) &&
    prices.every((price) => price <= PRICE_UNITS)
  );
}
