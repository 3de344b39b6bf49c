import type { Figure } from '../../bench/harness/figure.ts';
import { type Results, significant } from '../../bench/harness/report.ts';
import { explanationOf } from './explanations.ts';
import { plot, type Series } from './plot.ts';

/** The units of growth, each with a plot of its own. */
const PLOTS = [
  { unit: 'ms', file: 'growth-time.svg', title: 'CPU time by number of markets' },
  { unit: 'MB', file: 'growth-memory.svg', title: 'Memory by number of markets' },
] as const;

/** docs/growth.md: what more markets cost, as plots and as a table. */
export function growthDocument({ machine, figures }: Results): string {
  return `# Growth

What more markets cost, from 2,000 (the default) to 50,000 (\`-c maxMarkets=50000\`, more than Polymarket has open). Generated from
\`tools/bench/results.json\` by \`npm run docs\`; measured on ${machine.date} at \`${machine.commit}\` by \`npm run bench -- growth --write\`.

Both axes of a plot are logarithmic.

${PLOTS.map(({ file, title }) => `![${title}](${file})`).join('\n\n')}

${growthTable(figures)}
${explanationOf('growth')}
`;
}

/** The plots by their file in docs. */
export function growthPlots({ figures }: Results): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PLOTS.map(({ unit, file, title }) => [
      `docs/${file}`,
      plot(title, { x: 'markets', y: unit }, growthSeries(figures, unit)),
    ]),
  );
}

/** Each kind of work at each size, with its slope: 1 is linear, 0 is flat. */
export function growthTable(figures: readonly Figure[]): string {
  const all = PLOTS.flatMap(({ unit }) => growthSeries(figures, unit).map((series) => ({ ...series, unit })));
  const sizes = all[0]?.points.map(([size]) => size.toLocaleString('en')) ?? [];
  const rows = all.map(({ name, points, unit }) => {
    const values = points.map(([, value]) => `${significant(value)} ${unit}`);
    return `| ${[name, ...values, slope(points).toFixed(2)].join(' | ')} |`;
  });
  return `| what | ${sizes.join(' | ')} | slope |
| --- | ${sizes.map(() => '---').join(' | ')} | --- |
${rows.join('\n')}
`;
}

export function growthSeries(figures: readonly Figure[], unit: Figure['unit']): readonly Series[] {
  const series = new Map<string, [number, number][]>();
  for (const { what, ours } of figures.filter((figure) => figure.part === 'growth' && figure.unit === unit)) {
    const [, name = '', size = ''] = /^(.*), ([\d,]+) markets$/.exec(what) ?? [];
    const points = series.get(name) ?? [];
    if (ours > 0) points.push([Number(size.replaceAll(',', '')), ours]);
    series.set(name, points);
  }
  return [...series].map(([name, points]) => ({ name, points }));
}

/** Between the first and the last point on logarithmic axes. */
export function slope(points: Series['points']): number {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first[0] === last[0]) return 0;
  return Math.log(last[1] / first[1]) / Math.log(last[0] / first[0]);
}
