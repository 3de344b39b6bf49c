import { type Figure, goalText, isMeaningless, MOST_SPREAD, meetsGoal } from '../../bench/harness/figure.ts';
import { cellsOf, type Results } from '../../bench/harness/report.ts';
import { PARTS } from '../../bench/parts.ts';
import { explanationOf } from './explanations.ts';
import { growthTable } from './growth.ts';

/** docs/performance.md: every figure of results.json with what it means and, where a goal is missed, why. */
export function performanceDocument({ machine, figures }: Results): string {
  const parts = PARTS.filter(({ name }) => figures.some((figure) => figure.part === name));
  return `# Performance

Generated from \`tools/bench/results.json\` by \`npm run docs\`; \`npm run bench -- --write\` measures anew, \`npm run bench --
--help\` lists the parts. Everything is measured side by side in one run, in turns, with what people would use instead or
with what cannot be beaten. The bundles are those that deploy.

Last measured on ${machine.date} at \`${machine.commit}\`: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node.js ${machine.node},
with a load of ${machine.load} a core from other work. Times are medians and mean little elsewhere; ratios do.

**Spread** is how well a ratio repeats itself: the interquartile range over eight blocks of rounds, as a share of their
median. Beyond ${MOST_SPREAD * 100} % a figure says nothing and is not given. What waits for nothing is measured in CPU time of its thread.

${parts.map(({ name, summary }) => partText(name, summary, figures)).join('\n')}${missing(figures)}`;
}

/** Parts without a committed result. */
function missing(figures: readonly Figure[]): string {
  const parts = PARTS.filter(({ name }) => !figures.some((figure) => figure.part === name));
  if (parts.length === 0) return '';
  const lines = parts.map(({ name, summary }) => `- \`npm run bench -- ${name}\` (${summary})`);
  return `## Not measured yet\n\n${lines.join('\n')}\n`;
}

function partText(name: string, summary: string, all: readonly Figure[]): string {
  const figures = all.filter((figure) => figure.part === name);
  const heading = `## ${summary.charAt(0).toUpperCase()}${summary.slice(1)}\n\n\`npm run bench -- ${name}\`\n`;
  const body =
    name === 'growth' ? `${growthTable(figures)}\nAs plots: [growth.md](growth.md).\n` : tableText(figures);
  return `${heading}\n${body}\n${explanationOf(name)}\n`;
}

function tableText(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const [, what, against, ours, theirs, ratio, spread] = cellsOf(figure);
    return `| ${[what, against, ours, theirs, ratio, spread, verdict(figure)].join(' | ')} |`;
  });
  const notes = figures.flatMap(({ what, note }) => (note === undefined ? [] : [`- ${what}: ${note}`]));
  return `| what | against | ours | theirs | ratio | spread | goal |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
${notes.length === 0 ? '' : `\n${notes.join('\n')}\n`}`;
}

function verdict(figure: Figure): string {
  const goal = goalText(figure);
  if (goal === '') return '';
  if (isMeaningless(figure)) return `${goal}: too noisy to say`;
  return meetsGoal(figure) === true ? `${goal}: met` : `${goal}: **missed**`;
}
