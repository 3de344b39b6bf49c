import type { PriceHistory } from 'market-data-proxy-client';
import { clockTime, day, month, year } from '../format.ts';

/** In seconds. */
const DAY = 86_400;

/** A point of a line: Unix seconds and a price, 0 to 1. */
export type Point = PriceHistory['history'][number] & { readonly payout?: boolean };

/**
 * At most `count` points of a line: the first, the last, and from each group between them the point
 * that differs most from the one before. So no peak is lost.
 */
export function thinned(points: readonly Point[], count: number): readonly Point[] {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length <= count) return points;
  const size = Math.ceil((points.length - 2) / (count - 2));
  const kept = [first];
  for (let n = 1; n < points.length - 1; n += size) {
    const { p } = kept.at(-1) ?? first;
    const group = points.slice(n, Math.min(n + size, points.length - 1));
    kept.push(
      group.reduce((best, point) => (Math.abs(point.p - p) > Math.abs(best.p - p) ? point : best)),
    );
  }
  return [...kept, last];
}

/** A spark fills its height from this range of prices on (0 to 1). Smaller ones look flatter. */
const MIN_SPARK_RANGE = 0.04;

/**
 * The line of a spark: "x,y" of each point. The box is as wide as the week before the last point.
 */
export function spark(points: readonly Point[], width: number, height: number): readonly string[] {
  const end = points.at(-1)?.t ?? 0;
  const week = points.filter(({ t }) => t >= end - 7 * DAY);
  const prices = week.map(({ p }) => p);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const scale = (height - 4) / Math.max(MIN_SPARK_RANGE, high - low);
  return week.map(({ t, p }) => {
    const x = (1 - (end - t) / (7 * DAY)) * width;
    return `${x.toFixed(1)},${(height / 2 - (p - (low + high) / 2) * scale).toFixed(1)}`;
  });
}

/** Moves labels apart, in their order. @param end where the last label must end */
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
 * The labels of the time axis: hours, days or months. A day's first hour is its date; with two
 * years, each year's first label has the year below.
 * @param ticks Unix seconds @param step in seconds
 */
export function tickLabels(
  ticks: readonly number[],
  step: number,
  hasTwoYears: boolean,
): readonly string[] {
  return ticks.map((tick, n) => {
    const time = tick * 1_000;
    const before = (ticks[n - 1] ?? Number.NaN) * 1_000;
    if (step < DAY) return n > 0 && day(time) !== day(before) ? day(time) : clockTime(time);
    const name = step < 28 * DAY ? day(time) : month(time);
    return hasTwoYears && year(time) !== year(before) ? `${name}\n${year(time)}` : name;
  });
}
