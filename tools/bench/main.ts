/** `npm run bench`. Options: see USAGE. */
import { parseArgs } from 'node:util';
import { startLocalService } from '../../local/service.ts';
import { startSimulatorThread } from '../../local/simulator/worker.ts';
import { archiveOfADay } from './archive.ts';
import { coldStarts } from './cold-starts.ts';
import { fullRun, writeUnits } from './refresh.ts';
import type { Result } from './result.ts';

const USAGE = `Usage: npm run bench -- [--quick]

Measures cold starts, refresh runs, written units and the archive of a day, and compares them with their targets.
--quick   fewer rounds

Exit status: 0 all targets are met, 1 a target is missed, 2 an option is wrong.`;

/** Ends the process for `--help` and wrong options. */
function readOptions(): { readonly quick?: boolean | undefined } {
  try {
    const { help, ...options } = parseArgs({
      options: { quick: { type: 'boolean' }, help: { type: 'boolean' } },
    }).values;
    if (!help) return options;
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { quick = false } = readOptions();

// Keeps log lines out of the results. Must be set before the functions are imported.
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
process.env.POWERTOOLS_METRICS_DISABLED = 'true';

function isMet({ value, target }: Result): boolean {
  return value <= target;
}

function print(result: Result): void {
  const { name, detail, value, unit, target } = result;
  const measured = `${value.toFixed(2)} ${unit}`;
  const verdict = isMet(result) ? 'met   ' : 'MISSED';
  console.log(`${verdict}  ${name.padEnd(32)}${measured.padStart(18)}  target ${target} ${unit}  (${detail})`);
}

console.log(`Node.js ${process.version}. Ratios compare measurements of this run. Times depend on the machine.\n`);
const { url } = await startSimulatorThread({ latency: 'realistic' });
const service = await startLocalService({ upstream: { gammaUrl: url, clobUrl: url, dataUrl: url } });
const start = performance.now();
await service.refresh('full');
const firstRunMs = performance.now() - start;
const measurements: readonly (() => Promise<readonly Result[]>)[] = [
  () => coldStarts(service, quick ? 4 : 16),
  () => fullRun(service, firstRunMs, quick ? 2 : 5),
  () => writeUnits(quick ? 10 : 60),
  () => archiveOfADay({ markets: 2_000, snapshots: quick ? 60 : 1_440, seconds: 90, memoryMb: 512, sizeMb: 12 }),
  // A third of the function's 15 minutes, and 80 % of its memory.
  () => archiveOfADay({ markets: 10_000, snapshots: quick ? 60 : 1_440, seconds: 420, memoryMb: 1_480, sizeMb: 60 }),
];
const results: Result[] = [];
for (const measure of measurements) {
  const measured = await measure();
  measured.forEach(print);
  results.push(...measured);
}
await service.stop();
const missed = results.filter((result) => !isMet(result)).length;
console.log(`\nTargets met: ${results.length - missed} of ${results.length}.`);
process.exit(missed === 0 ? 0 : 1);
