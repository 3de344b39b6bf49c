/**
 * `npm run bench`: measures cold starts (CPU time), full runs (time), the write units of a run, and
 * the archive of a day (time, memory, size). It compares each with the target beside it.
 */
import { startLocalService } from '../../local/service.ts';
import { startSimulatorThread } from '../../local/simulator/worker.ts';
import { readArguments } from '../arguments.ts';
import { archiveOfADay } from './archive.ts';
import { coldStarts } from './cold-starts.ts';
import { fullRun, writeUnits } from './refresh.ts';
import type { Result } from './result.ts';

const USAGE = `Usage: npm run bench -- [--quick]

Measures cold starts, refresh runs, written units and the archive of a day, and compares them with their targets.
--quick   fewer rounds

Exit status: 0 all targets are met, 1 a target is missed, 2 an option is wrong.`;

/** The targets of the archive. Its function has 900 s and 2,560 MB. */
const ARCHIVE_OF_2_000 = { markets: 2_000, maxSeconds: 90, maxMemoryMb: 640, maxSizeMb: 30 };
const ARCHIVE_OF_10_000 = { markets: 10_000, maxSeconds: 420, maxMemoryMb: 2_000, maxSizeMb: 150 };

/** Runs all measurements and prints a line for each. @returns the number of missed targets */
async function bench(quick: boolean): Promise<number> {
  // Keeps log lines out of the results. The functions read these when they are imported.
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  process.env.POWERTOOLS_METRICS_DISABLED = 'true';
  console.log(
    `Node.js ${process.version}. Ratios compare measurements of this run. Times depend on the machine.\n`,
  );
  const { url } = await startSimulatorThread({ latency: 'realistic' });
  const service = await startLocalService({
    upstream: { gammaUrl: url, clobUrl: url, dataUrl: url },
  });
  const start = performance.now();
  await service.refresh('full');
  const firstRunMs = performance.now() - start;
  const snapshots = quick ? 60 : 1_440;
  const measurements: readonly (() => Promise<readonly Result[]>)[] = [
    () => coldStarts(service, quick ? 4 : 16),
    () => fullRun(service, firstRunMs, quick ? 2 : 5),
    () => writeUnits(quick ? 10 : 60),
    () => archiveOfADay({ ...ARCHIVE_OF_2_000, snapshots }),
    () => archiveOfADay({ ...ARCHIVE_OF_10_000, snapshots }),
  ];
  let missed = 0;
  for (const measure of measurements) {
    for (const { name, detail, value, unit, target } of await measure()) {
      const isMet = value <= target;
      if (!isMet) missed += 1;
      const measured = `${value.toFixed(2)} ${unit}`.padStart(18);
      console.log(
        `${isMet ? 'met   ' : 'MISSED'}  ${name.padEnd(36)}${measured}  target ${target} ${unit}  (${detail})`,
      );
    }
  }
  return missed;
}

const options = readArguments(USAGE, { quick: { type: 'boolean' } });
process.exit((await bench(options.quick === true)) === 0 ? 0 : 1);
