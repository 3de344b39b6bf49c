import { mix } from '../dataset/hash.ts';
import { middle } from '../dataset/prices.ts';
import type { Instrument } from '../source.ts';
import type { DataWindow } from './window.ts';

export interface DataPoint {
  /** Unix seconds: the start of a bucket, or the moment of an exact observation. */
  readonly timestamp: number;
  readonly price: number;
  /** 0 for an exact observation. */
  readonly resolution_seconds: number;
}

/** One bucket in this many has no observation: the spacing is not uniform. */
const GAP_EVERY = 17;
/** The newest real observation lies up to this many seconds before the end of the window. */
const OBSERVED_WITHIN = 55;

/** All points of a window, oldest first. The last is off the grid: the newest real observation, never stamped "now". */
export function dataPoints(instrument: Instrument, window: DataWindow, now: number): readonly DataPoint[] {
  if (!instrument.traded || window.bucket === 0) return [];
  const born = Math.ceil(instrument.bornAt / 1_000);
  const ended = instrument.endedAt === undefined ? undefined : Math.floor(instrument.endedAt / 1_000);
  const last = Math.min(window.to, now, ended ?? Number.POSITIVE_INFINITY);
  if (window.single) return asOf(instrument, window, born, last);
  const from = Math.max(window.from, born);
  const points: DataPoint[] = [];
  const first = Math.ceil(from / window.bucket) * window.bucket;
  for (let start = first; start < last; start += window.bucket) {
    if (mix(instrument.key, start / window.bucket) % GAP_EVERY === 0) continue;
    points.push({ timestamp: start, price: priceAt(instrument, start), resolution_seconds: window.bucket });
  }
  const terminal = last - 1 - (mix(instrument.key, last) % OBSERVED_WITHIN);
  const before = points.at(-1)?.timestamp ?? from - 1;
  if (terminal > before) {
    points.push({ timestamp: terminal, price: priceAt(instrument, terminal), resolution_seconds: 0 });
  }
  if (ended !== undefined) addPayout(points, instrument, window);
  return points;
}

/** A resolved market's payout, one bucket after its last row, unless that lies beyond the window. */
function addPayout(points: DataPoint[], instrument: Instrument, window: DataWindow): void {
  const timestamp = (points.at(-1)?.timestamp ?? window.to) + window.bucket;
  if (timestamp >= window.to) return;
  points.push({ timestamp, price: instrument.outcome === 0 ? 1 : 0, resolution_seconds: 0 });
}

function asOf(instrument: Instrument, window: DataWindow, born: number, last: number): readonly DataPoint[] {
  const at = Math.floor(Math.min(window.to, last) / window.bucket) * window.bucket;
  if (at < born) return [];
  return [{ timestamp: at, price: priceAt(instrument, at), resolution_seconds: window.bucket }];
}

function priceAt(instrument: Instrument, seconds: number): number {
  return middle(instrument.quote(seconds * 1_000), instrument.units);
}
