/** `npm run bench`: six measurements with their targets. `--quick`: fewer rounds. Exit status 1: a target is missed. */
import { parseArgs } from 'node:util';
import { archiveOfADay } from './archive.ts';
import { coldStarts } from './cold-starts.ts';
import { fullRun, writeUnits } from './refresh.ts';
import { startBenchService } from './service.ts';
import type { Result } from './timing.ts';
import { filterAndSort, warmPage } from './warm.ts';

const { quick = false } = parseArgs({ options: { quick: { type: 'boolean' } } }).values;

// The lines of the functions would stand between the results. The functions read these when they are imported.
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

console.log(`Node.js ${process.version}. Ratios compare works of this run; times depend on the machine.\n`);
const service = await startBenchService();
const start = performance.now();
await service.refresh('full');
const firstRunMs = performance.now() - start;
const measurements: readonly (() => Promise<readonly Result[]>)[] = [
  () => coldStarts(service, quick ? 4 : 16),
  () => warmPage(service, quick ? 8 : 40),
  () => filterAndSort(service, quick ? 4 : 20),
  () => fullRun(service, firstRunMs, quick ? 2 : 5),
  () => writeUnits(quick ? 10 : 60),
  () => archiveOfADay(quick ? 60 : 1_440),
];
const results: Result[] = [];
for (const measure of measurements) {
  const measured = await measure();
  measured.forEach(print);
  results.push(...measured);
}
await service.stop();
const missed = results.filter((result) => !isMet(result)).length;
console.log(`\n${results.length - missed} of ${results.length} targets are met.`);
process.exit(missed === 0 ? 0 : 1);
