import type { PriceHistory } from 'market-data-proxy-client';
import { clockTime, day, month, year } from '../format.ts';

const DAY = 86_400;

/** Unix seconds and a price, 0..1. The last point of a resolved market can be its payout. */
export type Point = PriceHistory['history'][number] & { readonly payout?: boolean };

/**
 * At most `count` points, at most one of each of `count` equal stretches of time: the one that differs most from the
 * point before it, so that no peak is lost. The first and the last point stay.
 */
export function thinned(points: readonly Point[], count: number): readonly Point[] {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length <= count) return points;
  const kept = [first];
  const stretch = (last.t - first.t) / (count - 2);
  let best = first;
  let index = 0;
  for (const point of points.slice(1, -1)) {
    const before = kept.at(-1) ?? first;
    const own = Math.floor((point.t - first.t) / stretch);
    if (own > index && best !== before) kept.push(best);
    const previous = kept.at(-1) ?? first;
    if (own > index || Math.abs(point.p - previous.p) >= Math.abs(best.p - previous.p)) best = point;
    index = own;
  }
  if (best !== kept.at(-1)) kept.push(best);
  return [...kept, last];
}

/**
 * Moves labels apart.
 * @param tops where each label should begin
 * @param height of a label
 * @param end of the last label at most
 * @returns where each label begins; they keep their order
 */
export function spread(tops: readonly number[], height: number, end: number): readonly number[] {
  const order = [...tops.keys()].sort((a, b) => (tops[a] ?? 0) - (tops[b] ?? 0));
  const places = [...tops];
  let edge = 0;
  for (const n of order) {
    places[n] = Math.max(places[n] ?? 0, edge);
    edge = places[n] + height;
  }
  edge = end;
  for (const n of order.reverse()) {
    places[n] = Math.min(places[n] ?? 0, edge - height);
    edge = places[n];
  }
  return places;
}

/**
 * The labels of a time axis: hours, days or months. The first hour of a day is its date, and where the axis has two
 * years the first label of each has the year below.
 * @param ticks Unix seconds @param step between two, in seconds
 */
export function tickLabels(ticks: readonly number[], step: number, hasTwoYears: boolean): readonly string[] {
  return ticks.map((tick, n) => {
    const time = tick * 1_000;
    const before = (ticks[n - 1] ?? Number.NaN) * 1_000;
    if (step < DAY) return n > 0 && day(time) !== day(before) ? day(time) : clockTime(time);
    const name = step < 28 * DAY ? day(time) : month(time);
    return hasTwoYears && year(time) !== year(before) ? `${name}\n${year(time)}` : name;
  });
}
