/**
 * `npm run doctor`: whether the upstreams are still what the service relies on. Prints a table, or JSON, and exits with
 * 0, 1 or 2 by what it would mean for the service.
 */
import { examineFromHere } from './examine-from-here.ts';
import { readOptions, USAGE, UsageError } from './options.ts';
import { report } from './report.ts';

const EXIT = { well: 0, degraded: 1, stopped: 2 } as const;

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') console.log(USAGE);
  else {
    const { urls, json } = options;
    const examination = await examineFromHere(urls);
    console.log(json ? JSON.stringify(examination, null, 2) : report(examination));
    process.exitCode = EXIT[examination.verdict];
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 64; // as sysexits.h has it: apart from what was found
}
