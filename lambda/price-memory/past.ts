import type { PricePoint } from '../domain/change.ts';
import { ByteReader, ByteWriter, unzigzag, zigzag } from '../snapshots/bytes.ts';
import { pack, unpack } from './packing.ts';
import { priceOf, unitsOf } from './price-units.ts';

const MINUTE = 60;

/** What upstream told of one market's prices before the service knew it. */
export interface Past {
  /** Unix seconds: up to when upstream was asked. */
  readonly until: number;
  /** The points, as `encodePoints` writes them: they are read where they lie. */
  readonly points: Uint8Array;
}

/** Points in whole minutes, rounded up so that none seems to be older than it is; where a price repeats, the first. */
export function encodePoints(points: readonly PricePoint[]): Uint8Array {
  const writer = new ByteWriter();
  let minute = 0;
  let units = 0;
  let first = true;
  for (const { t, p } of [...points].sort((a, b) => a.t - b.t)) {
    const nextUnits = unitsOf(p);
    if (!first && nextUnits === units) continue;
    const nextMinute = Math.ceil(t / MINUTE);
    writer.varint(nextMinute - minute);
    writer.varint(zigzag(nextUnits - units));
    minute = nextMinute;
    units = nextUnits;
    first = false;
  }
  return writer.take().slice();
}

/**
 * The last point at or before `start`, else the first after it, at most at `latest` (Unix seconds). `next` is when
 * another point takes its place.
 */
export function pointAt(
  { points }: Past,
  start: number,
  latest: number,
): { readonly point: PricePoint; readonly next: number } | undefined {
  const reader = new ByteReader(points);
  let minute = 0;
  let units = 0;
  let found: PricePoint | undefined;
  while (reader.read < points.length) {
    minute += reader.varint();
    units += unzigzag(reader.varint());
    const t = minute * MINUTE;
    if (t > start) {
      if (found) return { point: found, next: t };
      // Looked at again each time: it stands for the start only as long as nothing better is known.
      return t <= latest ? { point: { t, p: priceOf(units) }, next: start } : undefined;
    }
    found = { t, p: priceOf(units) };
  }
  return found && { point: found, next: Number.POSITIVE_INFINITY };
}

/** All points, ascending. */
export function pointsOf({ points }: Past): PricePoint[] {
  const reader = new ByteReader(points);
  const all: PricePoint[] = [];
  let minute = 0;
  let units = 0;
  while (reader.read < points.length) {
    minute += reader.varint();
    units += unzigzag(reader.varint());
    all.push({ t: minute * MINUTE, p: priceOf(units) });
  }
  return all;
}

/** The pasts of some markets as one piece. */
export function encodePasts(pasts: ReadonlyMap<number, Past>): Uint8Array {
  const writer = new ByteWriter();
  writer.varint(pasts.size);
  for (const [key, { until, points }] of pasts) {
    writer.varint(key);
    writer.varint(until);
    writer.bytes(points);
  }
  return pack(writer.take());
}

/** @throws Error when the bytes are not those of a piece */
export function decodePasts(bytes: Uint8Array): Map<number, Past> {
  const reader = new ByteReader(unpack(bytes));
  const pasts = new Map<number, Past>();
  for (let left = reader.varint(); left > 0; left--) {
    const key = reader.varint();
    const until = reader.varint();
    pasts.set(key, { until, points: reader.bytes() });
  }
  return pasts;
}
