/** What a chart says without its picture: for screen readers, for the tip, and as a file. */
import { csvLine } from '../../../../lambda/core/query/csv.ts';
import { dateTime, percent, zonedTime } from '../format.ts';
import type { Line } from './end-labels.ts';

/** A chart in words: where each line begins and ends, its lowest and its highest point. */
export function chartSummary(lines: readonly Line[], label: string): string {
  const texts = lines.map(({ name, points }) => {
    const [first] = points;
    const last = points.at(-1);
    if (!first || !last || points.length < 2) return `${name || label}, no price history`;
    const lowest = points.reduce((low, point) => (point.p < low.p ? point : low));
    const highest = points.reduce((high, point) => (point.p > high.p ? point : high));
    const at = ({ t, p }: typeof first) => `${percent(p * 100)} on ${dateTime(t * 1_000)}`;
    const ends = `from ${at(first)} to ${at(last)}`;
    return `${name || label} ${ends}, lowest ${at(lowest)}, highest ${at(highest)}`;
  });
  return texts.join('; ');
}

/**
 * One time of a chart in words.
 *
 * @param t Unix seconds
 * @param values percent, per line; undefined before its first point
 */
export function readingText(
  t: number,
  lines: readonly Line[],
  values: readonly (number | undefined)[],
): string {
  const texts = lines.flatMap(({ name }, n) => {
    const value = values[n];
    return value === undefined ? [] : [`${name} ${percent(value)}`.trim()];
  });
  return `${zonedTime(t * 1_000)}: ${texts.join(', ')}`;
}

/**
 * The points of a chart as a file. Excel reads the first sign as "this is UTF-8".
 *
 * @param source of the prices, in each row: a row that is copied elsewhere still says it
 */
export function chartCsv(
  lines: readonly (Line & { readonly token: string })[],
  label: string,
  source: string,
): string {
  const rows = lines.flatMap(({ name, token, points }) =>
    points.map(({ t, p }) => [new Date(t * 1_000).toISOString(), name || label, p, token, source]),
  );
  const header = ['time', 'outcome', 'price', 'token_id', 'source'];
  return `\ufeff${[header, ...rows].map(csvLine).join('')}`;
}
