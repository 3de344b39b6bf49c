/**
 * `npm run smoke -- <base-url>`: the check of the service, and what only a deployment can show.
 * Options: see USAGE.
 */
import { parseArgs } from 'node:util';
import { ROUTES, type Route } from '../lambda/core/contract/route-table.ts';
import { Caller } from '../lambda/jobs/check/caller.ts';
import { checkService } from '../lambda/jobs/check/check-service.ts';
import { exitWithUsage } from './arguments.ts';
import {
  type Check,
  countedApart,
  longBody,
  needsKey,
  otherOrigins,
  remainingOf,
  routeCheck,
  unknownPath,
} from './smoke-checks.ts';

const USAGE = `Usage: npm run smoke -- <base-url> [--api-key KEY] [--api-url URL]

<base-url>   the public address of a deployment
--api-key    the key of a partner, or the public key for an address of API Gateway; sent with each request
--api-url    the address of API Gateway behind the public one: it must reject callers without a key

Exit status: 0 all checks passed, 1 a check failed, 2 the options are wrong.`;

/** The time of one check. */
const TIMEOUT_MS = 20_000;
/** The checks of the whole service, and one of each route. */
const CHECKS: readonly Check[] = [
  checkService,
  unknownPath,
  longBody,
  otherOrigins,
  ...Object.values<Route>(ROUTES).map(routeCheck),
];

/**
 * Checks a deployment, and prints a line for each check.
 *
 * @returns the exit status
 * @throws Error if the options are wrong
 */
export async function smoke(
  args: readonly string[],
  print: (line: string) => void,
): Promise<0 | 1> {
  const text = { type: 'string' } as const;
  const options = { 'api-key': text, 'api-url': text };
  const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [address = '', ...others] = positionals;
  if (!URL.canParse(address) || others.length > 0)
    throw new Error('The address of one deployment is needed.');
  const base = address.replace(/\/$/, '');
  const { 'api-key': apiKey = '', 'api-url': apiUrl } = values;
  let failed = 0;
  const report = (line: string) => {
    if (line.startsWith('FAILED')) failed += 1;
    print(line);
  };
  for (const check of CHECKS) await run(check, { base, apiKey }, report);
  if (apiUrl !== undefined) await run(needsKey, { base: apiUrl, apiKey: '' }, report);
  if (apiKey === '') report(await countedApart((family) => remainingOf(base, family)));
  print(failed === 0 ? 'All checks passed.' : `${failed} failed.`);
  return failed === 0 ? 0 : 1;
}

/** Runs a check, and reports a line for each sentence that it yields and for its error. */
async function run(
  check: Check,
  address: { readonly base: string; readonly apiKey: string },
  report: (line: string) => void,
): Promise<void> {
  const caller = new Caller({ ...address, signal: AbortSignal.timeout(TIMEOUT_MS) });
  try {
    for await (const sentence of check(caller)) report(`ok      ${sentence}`);
  } catch (error) {
    const { path, status = 'no response', excerpt = '' } = caller.last;
    report(`FAILED  ${path}: ${sentenceOf(error)}: ${status} ${excerpt}`);
  }
}

/** An error in words. Names the cause of "fetch failed". */
function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  if (args.includes('--help')) console.log(USAGE);
  else
    process.exitCode = await smoke(args, console.log).catch((error: Error) =>
      exitWithUsage(USAGE, error.message),
    );
}
