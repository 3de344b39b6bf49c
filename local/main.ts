import { StartError } from 'cdk-local';
import { Cleanup } from './cleanup.ts';
import { ConsoleReporter } from './console/console-reporter.ts';
import { HELP } from './help.ts';
import { readOptions } from './options.ts';
import { run } from './run.ts';

/** `npm start`: the whole service on this machine. */

/** Stopping takes no longer than this, whatever hangs. */
const STOP_WITHIN_MS = 1_500;

const cleanup = new Cleanup();
const stopping = new AbortController();

/** Undoes everything and ends the process. */
async function stop(status: number): Promise<never> {
  setTimeout(() => process.exit(status), STOP_WITHIN_MS).unref();
  stopping.abort();
  await cleanup.run();
  process.exit(status);
}

/** @returns the exit status */
function report(error: unknown): number {
  if (!(error instanceof StartError)) {
    console.error(error); // a mistake of ours: its stack is needed
    return 1;
  }
  console.error(error.message);
  if (error.detail !== '') console.error(error.detail);
  return error.exitCode;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
process.on('uncaughtException', (error) => void stop(report(error)));
process.stdout.on('error', () => void stop(0)); // whoever read the output has gone

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else
    await run(
      options,
      new ConsoleReporter((text) => process.stdout.write(text), options.verbose),
      cleanup,
      stopping.signal,
    );
} catch (error) {
  if (!stopping.signal.aborted) await stop(report(error));
}
