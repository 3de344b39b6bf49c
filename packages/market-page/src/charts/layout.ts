/**
 * The geometry of charts, and of sparks (the small lines in rows of the list): which points they
 * draw, and where labels are. It needs no browser.
 */
import type { PriceHistory } from 'market-data-proxy-client';
import { clockTime, day, month, year } from '../format.ts';

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;

/**
 * A point of a line: `t` in Unix seconds and the price `p`, 0 to 1. In a resolved market, the last
 * point is the payout: what a share pays.
 */
export type Point = PriceHistory['history'][number] & { readonly payout?: boolean };

/**
 * At most `count` points of a line: the first, the last, and from each group between them the point
 * that differs most from the one before. So no peak is lost.
 */
export function thinned(points: readonly Point[], count: number): readonly Point[] {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length <= count) return points;
  const between = points.slice(1, -1);
  const groupSize = Math.ceil(between.length / (count - 2));
  const kept = [first];
  for (let start = 0; start < between.length; start += groupSize) {
    const before = (kept.at(-1) ?? first).p;
    const differenceOf = ({ p }: Point) => Math.abs(p - before);
    const group = between.slice(start, start + groupSize);
    kept.push(
      group.reduce((best, point) => (differenceOf(point) > differenceOf(best) ? point : best)),
    );
  }
  return [...kept, last];
}

/**
 * The prices of a spark that fills its height differ by at least this much, 0 to 1. Smaller
 * differences look flatter, because they are noise.
 */
const MIN_SPARK_RANGE = 0.04;
/** Free pixels above and below a spark, so that its box does not cut the stroke. */
const SPARK_MARGIN = 2;

/**
 * The line of a spark: "x,y" of each point. The box is as wide as the week before the last point.
 */
export function spark(points: readonly Point[], width: number, height: number): readonly string[] {
  const end = points.at(-1)?.t ?? 0;
  const week = points.filter(({ t }) => t >= end - WEEK_SECONDS);
  const prices = week.map(({ p }) => p);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const middle = (low + high) / 2;
  const pixelsPerPrice = (height - 2 * SPARK_MARGIN) / Math.max(MIN_SPARK_RANGE, high - low);
  return week.map(({ t, p }) => {
    const x = (1 - (end - t) / WEEK_SECONDS) * width;
    const y = height / 2 - (p - middle) * pixelsPerPrice;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
}

/**
 * Moves labels apart, so that none overlaps another. They keep their order.
 *
 * @param tops where each label would begin, in pixels
 * @param height of a label
 * @param end where the last label must end
 */
export function spread(tops: readonly number[], height: number, end: number): readonly number[] {
  const order = [...tops.keys()].sort((a, b) => (tops[a] ?? 0) - (tops[b] ?? 0));
  const places = [...tops];
  // Down: each label begins where the one above it ends.
  let edge = 0;
  for (const label of order) {
    places[label] = Math.max(places[label] ?? 0, edge);
    edge = places[label] + height;
  }
  // Up: labels that now end too low move up, and push those above them.
  edge = end;
  for (const label of order.reverse()) {
    places[label] = Math.min(places[label] ?? 0, edge - height);
    edge = places[label];
  }
  return places;
}

/**
 * The labels of the time axis: hours, days or months. Among hours, a day's first label is its date.
 * If the axis has two years, each year's first label has the year in a second line.
 *
 * @param ticks Unix seconds
 * @param step seconds between ticks
 */
export function tickLabels(
  ticks: readonly number[],
  step: number,
  hasTwoYears: boolean,
): readonly string[] {
  return ticks.map((tick, n) => {
    const time = tick * 1_000;
    const before = (ticks[n - 1] ?? Number.NaN) * 1_000;
    if (step < DAY_SECONDS) return n > 0 && day(time) !== day(before) ? day(time) : clockTime(time);
    // The shortest month has 28 days.
    const name = step < 28 * DAY_SECONDS ? day(time) : month(time);
    return hasTwoYears && year(time) !== year(before) ? `${name}\n${year(time)}` : name;
  });
}
