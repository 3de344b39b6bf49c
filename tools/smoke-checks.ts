/**
 * What `npm run smoke` checks, besides the check that the service runs itself
 * (`lambda/jobs/check`). A check yields a sentence for each thing that is right, and throws an
 * Error for one that is not.
 */
import http from 'node:http';
import https from 'node:https';
import { MAX_BODY_CHARACTERS } from '../lambda/core/contract/constants.ts';
import type { ErrorCode } from '../lambda/core/contract/errors.ts';
import { EXPOSED_HEADERS } from '../lambda/core/contract/headers.ts';
import type { Route } from '../lambda/core/contract/route-table.ts';
import type { Caller } from '../lambda/jobs/check/caller.ts';

/** A check. Its caller remembers the last response, which the report of a failure quotes. */
export type Check = (caller: Caller) => AsyncGenerator<string>;

/** The time of one request. */
const TIMEOUT_MS = 20_000;
/** A path that no route has. */
const NO_PATH = '/api/nothing';

/** Checks that an unknown path gets an error as JSON. */
export async function* unknownPath(caller: Caller): AsyncGenerator<string> {
  await ensureError(caller, { path: NO_PATH }, 'not_found', 404);
  yield 'an unknown path: 404 in JSON';
}

/** Checks that a body that is too long gets its error. */
export async function* longBody(caller: Caller): AsyncGenerator<string> {
  const body = 'x'.repeat(MAX_BODY_CHARACTERS + 1);
  await ensureError(caller, { path: '/api/markets', body }, 'body_too_large', 413);
  yield 'a long body: 413';
}

/** Checks that pages of other origins may call the API and read its headers. */
export async function* otherOrigins(caller: Caller): AsyncGenerator<string> {
  const preflight = await caller.get('/api/markets', { method: 'OPTIONS' });
  const isAllowed = preflight.headers.get('access-control-allow-origin') === '*';
  ensure(preflight.status < 300 && isAllowed, 'the preflight is rejected');
  for (const path of ['/api/status', NO_PATH]) {
    const { headers } = await caller.get(path);
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase() ?? '';
    const hidden = EXPOSED_HEADERS.filter((name) => !exposed.includes(name.toLowerCase()));
    ensure(hidden.length === 0, `other origins cannot read ${hidden.join(', ')}`);
  }
  yield 'other origins: may read';
}

/** The check of one route: its function runs, even if it rejects the request. */
export function routeCheck({ path, method = 'GET' }: Route): Check {
  return async function* (caller) {
    const body = method === 'POST' ? { body: '{}' } : {};
    const { status } = await caller.get(path.replace(/\{\w+\}/, 'none'), { method, ...body });
    ensure(status < 500, 'the function of this route fails');
    yield `${path}: ${status}`;
  };
}

/** Checks that API Gateway itself rejects a caller who bypasses the public address. */
export async function* needsKey(caller: Caller): AsyncGenerator<string> {
  await ensureError(caller, { path: '/api/status' }, 'missing_api_key', 403);
  yield 'a caller without a key: 403';
}

/** Checks that a wrong request gets the documented error, whose body names the request's id. */
async function ensureError(
  caller: Caller,
  { path, body }: { readonly path: string; readonly body?: string },
  expected: ErrorCode,
  status: number,
): Promise<void> {
  const reply = await caller.get(path, body === undefined ? {} : { method: 'POST', body });
  ensure(reply.status === status && reply.code === expected, `not ${status} ${expected}`);
  const requestId = reply.headers.get('x-request-id');
  ensure(reply.text.includes(`"requestId":"${requestId}"`), 'another X-Request-Id');
}

function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/**
 * Checks that the limit counts callers and not CloudFront: requests over IPv6 must not use up those
 * of IPv4. If it counted CloudFront's addresses, all callers near one location would share 60
 * requests a minute.
 *
 * @param remaining the requests that the limit leaves to an address of this machine
 * @returns the line of the report
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
  // The second request over IPv4 counts itself.
  const isApart = after >= before - 1;
  return `${isApart ? 'ok     ' : 'FAILED '} two clients: IPv4 has ${before}, then ${after} requests left`;
}

/**
 * The requests that the limit leaves to this machine's IPv4 or IPv6 address. Undefined without such
 * an address.
 */
export async function remainingOf(base: string, family: 4 | 6): Promise<number | undefined> {
  const { protocol, hostname } = new URL(base);
  const { get } = protocol === 'https:' ? https : http;
  // For an address in place of a name, Node ignores the family.
  if (/^[\d.]+$|^\[/.test(hostname)) return undefined;
  return await new Promise((resolve) => {
    const request = get(
      `${base}/api/markets?limit=1`,
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
