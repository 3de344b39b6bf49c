/**
 * Checks a deployment from outside: `npm run smoke -- <base-url>`. Prints a table and exits with 1 when a check
 * failed, with 2 when there was nothing to check. A caller with a partner's key says `--skip-limits`; `--doctor` asks
 * the upstreams first, so that a fault of theirs is not looked for here.
 */
import { examineFromHere } from '../doctor/examine-from-here.ts';
import { report } from '../doctor/report.ts';
import { ABOUT_LIMITS } from './all-checks.ts';
import { Client, Unreachable } from './client.ts';
import { Deployment } from './deployment.ts';
import { readOptions, USAGE, UsageError } from './options.ts';
import { count, table } from './report.ts';
import { runChecks } from './run-checks.ts';

try {
  const { base, apiKey, skipLimits, doctor } = readOptions(process.argv.slice(2));
  const examination = doctor && (await examineFromHere(doctor));
  if (examination) console.log(`${report(examination)}\n`);
  const client = new Client(base, apiKey);
  const results = await runChecks(new Deployment(client), skipLimits ? ABOUT_LIMITS : new Set());
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((outcome) =>
    count(results, outcome),
  );
  console.log(table(results));
  console.log(
    `\nsmoke: ${passed} passed, ${failed} failed, ${skipped} skipped (${client.requests} requests, ${client.counted} counted)`,
  );
  process.exitCode = failed === 0 && examination?.verdict !== 'stopped' ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError || error instanceof Unreachable)) throw error;
  console.error(error.message);
  if (error instanceof UsageError) console.error(USAGE);
  process.exitCode = 2;
}
