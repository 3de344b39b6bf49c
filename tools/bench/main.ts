/**
 * `npm run bench -- [parts] [--quick] [--json] [--write]`: what the service exists for, measured against what people
 * would use instead and against the physical limit, side by side in one run.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type BenchService, startBenchService } from './fixture/bench-service.ts';
import { regressions } from './harness/compare.ts';
import type { Figure } from './harness/figure.ts';
import { thisMachine } from './harness/machine.ts';
import type { BenchContext, Part } from './harness/part.ts';
import { type Results, reportText } from './harness/report.ts';
import { PARTS } from './parts.ts';
import { RESULTS_FILE, readResults } from './results.ts';

const HELP = `npm run bench -- [parts] [options]

${PARTS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join('\n')}

  --quick    fewer rounds and the parts that take seconds; fails when a ratio is 1.5 times worse than results.json
  --json     prints the results as JSON
  --write    keeps the results in tools/bench/results.json (npm run docs then writes docs/performance.md)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const unknown = positionals.find((name) => !PARTS.some((part) => part.name === name));
  if (values.help || unknown !== undefined) {
    console.log(unknown === undefined ? HELP : `There is no part ${unknown}.\n\n${HELP}`);
    process.exitCode = unknown === undefined ? 0 : 1;
    return;
  }
  const machine = thisMachine();
  const figures = await measure(chosenParts());
  const committed = readResults();
  const results: Results = { machine, figures: values.write ? merged(committed.figures, figures) : figures };
  if (values.write) writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  console.log(values.json ? JSON.stringify(results, null, 2) : reportText(figures));
  if (!values.quick) return;
  let worse = regressions(figures, committed.figures);
  if (worse.length > 0) {
    // What else the machine did may be to blame: only what is worse twice is.
    const suspects = PARTS.filter(({ name }) => worse.some((sentence) => sentence.startsWith(`${name},`)));
    worse = regressions(await measure(suspects), committed.figures);
  }
  for (const sentence of worse) console.error(`Worse than before: ${sentence}`);
  process.exitCode = worse.length === 0 ? 0 : 1;
}

function chosenParts(): readonly Part[] {
  return PARTS.filter(({ name, quick }) =>
    positionals.length > 0 ? positionals.includes(name) : quick || !values.quick,
  );
}

async function measure(parts: readonly Part[]): Promise<readonly Figure[]> {
  let service: Promise<BenchService> | undefined;
  const context: BenchContext = {
    quick: values.quick,
    service: () => {
      service ??= startBenchService();
      return service;
    },
  };
  const figures: Figure[] = [];
  try {
    for (const part of parts) {
      if (!values.json) console.error(`${part.name}: ${part.summary} …`);
      figures.push(...(await part.run(context)));
    }
  } finally {
    await (await service)?.close();
  }
  return figures;
}

/** The committed figures with those of the parts that were measured now in their place. */
function merged(before: readonly Figure[], now: readonly Figure[]): readonly Figure[] {
  const measured = new Set(now.map(({ part }) => part));
  const all = [...before.filter(({ part }) => !measured.has(part)), ...now];
  const order = PARTS.map(({ name }) => name);
  return all.toSorted((a, b) => order.indexOf(a.part) - order.indexOf(b.part));
}

await run();
