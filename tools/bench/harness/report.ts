import { type Figure, goalText, isMeaningless, meetsGoal } from './figure.ts';
import type { Machine } from './machine.ts';

/** What `--json` prints and `results.json` keeps. */
export interface Results {
  readonly machine: Machine;
  readonly figures: readonly Figure[];
}

/** A table for people. */
export function reportText(figures: readonly Figure[]): string {
  const rows = [['part', 'what', 'against', 'ours', 'theirs', 'ratio', 'spread', 'goal', '']];
  for (const figure of figures) rows.push(cellsOf(figure));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function cellsOf(figure: Figure): string[] {
  const { part, what, against = '', ours, theirs, ratio, spread, unit } = figure;
  const unclear = isMeaningless(figure);
  const met = meetsGoal(figure);
  return [
    part,
    what,
    against,
    unclear ? '?' : amount(ours, unit),
    theirs === undefined || unclear ? '' : amount(theirs, unit),
    ratio === undefined ? '' : unclear ? 'too noisy' : `${significant(ratio)} ×`,
    spread === undefined ? '' : `${Math.round(spread * 100)} %`,
    goalText(figure),
    met === undefined ? '' : met ? 'met' : 'missed',
  ];
}

function amount(value: number, unit: string): string {
  return `${significant(value)} ${unit}`;
}

/** Three significant digits, never in powers of ten. */
export function significant(value: number): string {
  return String(Number(value.toPrecision(value >= 100 ? Math.ceil(Math.log10(value + 1)) : 3)));
}
