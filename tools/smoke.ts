/**
 * `npm run smoke -- <base-url>`: the check of the service, and what only a deployment can show.
 * Options: see USAGE.
 */
import http from 'node:http';
import https from 'node:https';
import { parseArgs } from 'node:util';
import { MAX_BODY_CHARACTERS } from '../lambda/core/contract/constants.ts';
import type { ErrorCode } from '../lambda/core/contract/errors.ts';
import { EXPOSED_HEADERS } from '../lambda/core/contract/headers.ts';
import { ROUTES, type Route } from '../lambda/core/contract/route-table.ts';
import { Caller } from '../lambda/jobs/check/caller.ts';
import { checkService } from '../lambda/jobs/check/check-service.ts';
import { exitWithUsage } from './arguments.ts';

const USAGE = `Usage: npm run smoke -- <base-url> [--api-key KEY] [--api-url URL]

<base-url>   the public address of a deployment
--api-key    the key of a partner, or the public key for an address of API Gateway; sent with each request
--api-url    the address of API Gateway behind the public one: it must reject callers without a key

Exit status: 0 all checks passed, 1 a check failed, 2 the options are wrong.`;

const TIMEOUT_MS = 20_000;
const LIST = '/api/markets?limit=1';
/** A path that no route has. */
const NO_PATH = '/api/nothing';

function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/**
 * A check yields a sentence for each thing that is right, and throws an Error for one that is not.
 */
type Check = (caller: Caller) => AsyncGenerator<string>;

/**
 * Checks the response of a wrong request.
 *
 * @throws Error unless the response has the documented error's body and a header with the same
 * request id
 */
async function ensureError(
  caller: Caller,
  path: string,
  expected: ErrorCode,
  status: number,
  body?: string,
) {
  const reply = await caller.get(path, body === undefined ? {} : { method: 'POST', body });
  ensure(reply.status === status && reply.code === expected, `not ${status} ${expected}`);
  ensure(
    reply.text.includes(`"requestId":"${reply.headers.get('x-request-id')}"`),
    'another X-Request-Id',
  );
}

/** The checks of the whole service. `routeCheck` adds one for each route. */
const CHECKS: readonly Check[] = [
  checkService,
  async function* (caller) {
    await ensureError(caller, NO_PATH, 'not_found', 404);
    yield 'an unknown path: 404 in JSON';
  },
  async function* (caller) {
    await ensureError(
      caller,
      '/api/markets',
      'body_too_large',
      413,
      'x'.repeat(MAX_BODY_CHARACTERS + 1),
    );
    yield 'a long body: 413';
  },
  async function* (caller) {
    const { status, headers } = await caller.get('/api/markets', { method: 'OPTIONS' });
    ensure(
      status < 300 && headers.get('access-control-allow-origin') === '*',
      'the preflight is rejected',
    );
    for (const path of ['/api/status', NO_PATH]) {
      const exposed =
        (await caller.get(path)).headers.get('access-control-expose-headers')?.toLowerCase() ?? '';
      const hidden = EXPOSED_HEADERS.filter((name) => !exposed.includes(name.toLowerCase()));
      ensure(hidden.length === 0, `other origins cannot read ${hidden.join(', ')}`);
    }
    yield 'other origins: may read';
  },
];

/** The check of one route: its function runs, whatever it thinks of the request. */
function routeCheck({ path, method = 'GET' }: Route): Check {
  return async function* (caller) {
    const body = method === 'POST' ? { body: '{}' } : {};
    const { status } = await caller.get(path.replace(/\{\w+\}/, 'none'), { method, ...body });
    ensure(status < 500, 'the function of this route fails');
    yield `${path}: ${status}`;
  };
}

/** Checks that API Gateway itself rejects a caller who bypasses the public address. */
async function* needsKey(caller: Caller): AsyncGenerator<string> {
  await ensureError(caller, '/api/status', 'missing_api_key', 403);
  yield 'a caller without a key: 403';
}

/**
 * The requests that the limit leaves to this machine's IPv4 or IPv6 address. Undefined without such
 * an address.
 */
async function remainingOf(base: string, family: 4 | 6): Promise<number | undefined> {
  const { protocol, hostname } = new URL(base);
  const { get } = protocol === 'https:' ? https : http;
  // For an address in place of a name, Node ignores the family.
  if (/^[\d.]+$|^\[/.test(hostname)) return undefined;
  return await new Promise((resolve) => {
    const request = get(
      `${base}${LIST}`,
      { family, agent: false, timeout: TIMEOUT_MS },
      (response) => {
        response.resume();
        const [, remaining] = /r=(\d+)/.exec(String(response.headers.ratelimit)) ?? [];
        resolve(remaining === undefined ? undefined : Number(remaining));
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

/** An error in words. Names the cause of "fetch failed". */
function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

/**
 * Checks that the limit counts callers and not CloudFront. If it counted CloudFront's addresses,
 * all callers near one location would share 60 requests a minute.
 */
export async function countedApart(
  remaining: (family: 4 | 6) => Promise<number | undefined>,
): Promise<string> {
  const before = await remaining(4);
  const others = [await remaining(6), await remaining(6)];
  const after = await remaining(4);
  if (before === undefined || after === undefined || others.includes(undefined)) {
    return 'SKIPPED two clients: needs IPv4, IPv6 and a limit; compare the header RateLimit from two networks';
  }
  const isApart = after >= before - 1;
  return `${isApart ? 'ok     ' : 'FAILED '} two clients: IPv4 has ${before}, then ${after} requests left`;
}

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
  const run = async (check: Check, checked: string, key: string) => {
    const caller = new Caller({
      base: checked,
      apiKey: key,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    try {
      for await (const sentence of check(caller)) report(`ok      ${sentence}`);
    } catch (error) {
      const { path, status = 'no response', excerpt = '' } = caller.last;
      report(`FAILED  ${path}: ${sentenceOf(error)}: ${status} ${excerpt}`);
    }
  };
  for (const check of CHECKS) await run(check, base, apiKey);
  for (const route of Object.values<Route>(ROUTES)) await run(routeCheck(route), base, apiKey);
  if (apiUrl !== undefined) await run(needsKey, apiUrl, '');
  if (apiKey === '') report(await countedApart((family) => remainingOf(base, family)));
  print(failed === 0 ? 'All checks passed.' : `${failed} failed.`);
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  if (args.includes('--help')) console.log(USAGE);
  else
    process.exitCode = await smoke(args, console.log).catch((error: Error) =>
      exitWithUsage(USAGE, error.message),
    );
}
