/** Archives each day at night, for `npm start -- --data DIR`. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ARCHIVE_MINUTE } from '../lambda/core/contract/constants.ts';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../lambda/core/domain/time.ts';
import { ARCHIVE_PROCESS } from '../lambda/io/platform/environment.ts';

/** The program of `npm run archive`. */
const COMMAND = join(import.meta.dirname, 'archive.ts');

/**
 * Runs `npm run archive` at 00:20 UTC, as AWS does, in another process, because the job takes a
 * minute of CPU.
 */
export function startNightlyArchive(folder: string): void {
  setTimeout(() => {
    const { NODE_OPTIONS, ...env } = ARCHIVE_PROCESS;
    const args = [NODE_OPTIONS, '--disable-warning=ExperimentalWarning', COMMAND, '--data', folder];
    spawn(process.execPath, args, { env, stdio: 'inherit' }).on('error', console.error);
    startNightlyArchive(folder);
  }, untilNextJob(Date.now())).unref();
}

/** Milliseconds until the next 00:20 UTC. */
export function untilNextJob(now: UnixMs): number {
  const sinceLast = (now - ARCHIVE_MINUTE * MINUTE_MS) % DAY_MS;
  return DAY_MS - sinceLast;
}
