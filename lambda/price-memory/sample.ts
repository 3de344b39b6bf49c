import { ByteReader, ByteWriter } from '../snapshots/bytes.ts';
import { pack, unpack } from './packing.ts';
import { priceOf, unitsOf } from './price-units.ts';

/** Whose prices the columns of samples hold: keys in ascending order, so that a sample needs not name its markets. */
export interface Roster {
  readonly id: string;
  readonly keys: Float64Array;
}

/** The prices of all markets at one moment. */
export interface Sample {
  /** Ms: when they were read. */
  readonly at: number;
  /** 0..1; undefined where the market had no midpoint then, or was not listed. */
  price(key: number): number | undefined;
}

/** A place of the column without a price. */
const NONE = 0xffff;

export function encodeRoster(keys: Float64Array): Uint8Array {
  const writer = new ByteWriter();
  writer.varint(keys.length);
  keys.forEach((key, n) => {
    writer.varint(key - (keys[n - 1] ?? 0));
  });
  return pack(writer.take());
}

/** @throws Error when the bytes are not those of a roster */
export function decodeRoster(id: string, bytes: Uint8Array): Roster {
  const reader = new ByteReader(unpack(bytes));
  const keys = new Float64Array(reader.varint());
  let key = 0;
  for (let n = 0; n < keys.length; n++) {
    key += reader.varint();
    keys[n] = key;
  }
  return { id, keys };
}

/** How many of the prices the roster has no place for. */
export function strangers(roster: Roster, prices: ReadonlyMap<number, number>): number {
  let count = 0;
  for (const key of prices.keys()) if (placeOf(roster, key) === undefined) count += 1;
  return count;
}

/** The prices as a column of the roster, two bytes each; those that it has no place for stand before it with their keys. */
export function encodeSample(roster: Roster, prices: ReadonlyMap<number, number>): Uint8Array {
  const writer = new ByteWriter();
  const column = new Uint16Array(roster.keys.length).fill(NONE);
  const others: [number, number][] = [];
  for (const [key, price] of prices) {
    const place = placeOf(roster, key);
    if (place === undefined) others.push([key, unitsOf(price)]);
    else column[place] = unitsOf(price);
  }
  writer.varint(others.length);
  for (const [key, units] of others) {
    writer.varint(key);
    writer.varint(units);
  }
  const head = writer.take();
  const body = new Uint8Array(head.length + 2 * column.length);
  body.set(head);
  // All high bytes, then all low ones: that compresses better.
  column.forEach((units, n) => {
    body[head.length + n] = units >> 8;
    body[head.length + column.length + n] = units & 0xff;
  });
  return pack(body);
}

/** @throws Error when the bytes are not those of a sample of this roster */
export function decodeSample(at: number, roster: Roster, bytes: Uint8Array): Sample {
  const body = unpack(bytes);
  const reader = new ByteReader(body);
  const others = new Map<number, number>();
  for (let left = reader.varint(); left > 0; left--) others.set(reader.varint(), reader.varint());
  const length = roster.keys.length;
  const start = body.length - 2 * length;
  if (start !== reader.read) throw new Error('The sample is not one of this roster');
  return {
    at,
    price(key) {
      const place = placeOf(roster, key);
      const high = place === undefined ? undefined : body[start + place];
      const low = place === undefined ? undefined : body[start + length + place];
      const units =
        high === undefined || low === undefined || (high << 8) + low === NONE
          ? others.get(key)
          : (high << 8) + low;
      return units === undefined ? undefined : priceOf(units);
    },
  };
}

function placeOf({ keys }: Roster, key: number): number | undefined {
  let low = 0;
  let high = keys.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = keys[middle] ?? 0;
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
