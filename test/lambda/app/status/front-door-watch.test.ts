import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createFrontDoorWatch } from '../../../../lambda/app/status/front-door-watch.ts';
import { ERRORS, type ErrorCode, GATEWAY_ERRORS, PER_IP_REFUSAL } from '../../../../lambda/core/contract/errors.ts';
import { captureOutput } from '../../../support/captured-output.ts';
import { outcome } from '../../../support/outcome.ts';
import { WatchedClock } from '../../../support/upstream-rig.ts';

type Respond = (response: ServerResponse) => void;

const PAUSE_MS = 10_000;
const OPEN: Respond = (response) => response.end('{"status":"ok"}');
const respondWith =
  (status: number, body: string, headers = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body);
const FORBIDDEN = respondWith(403, '{"status":"ok"}');
const ONE_MARKET = respondWith(200, '[{"id":"0x1"}]');
const rejected = (code: ErrorCode, error: string, requestId = 'request-1'): Respond =>
  respondWith(ERRORS[code].status, JSON.stringify({ error, code, requestId }));
/** The 429 of the quota, of the plan, and of the web ACL, which lock out every caller. */
const LOCK_OUTS: readonly [what: string, respond: Respond][] = [
  ['a used-up quota', rejected('quota_exceeded', GATEWAY_ERRORS.QUOTA_EXCEEDED.error)],
  ['an exhausted plan', rejected('rate_limited', GATEWAY_ERRORS.THROTTLED.error)],
  ['the web ACL', rejected('rate_limited', PER_IP_REFUSAL, 'waf')],
];

let server: Server;
/** What the server does with each request to the status in turn; the last one repeats. */
let responses: readonly Respond[];
/** What it does with each request to the list. */
let list: Respond;
let requested: number;
let clock: WatchedClock;
let check: () => Promise<void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/api/markets?limit=1') return list(response);
    if (request.url !== '/api/status') return OPEN(response);
    requested += 1;
    responses[Math.min(requested, responses.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
});
beforeEach(async () => {
  captureOutput();
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  requested = 0;
  list = ONE_MARKET;
  clock = new WatchedClock();
  check = createFrontDoorWatch({ FRONT_DOOR_URL: `http://127.0.0.1:${port}/` }, clock);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('the watch of the front door', () => {
  it.each(['ok', 'degraded', 'stale', 'empty'])('accepts the status %s', async (status) => {
    responses = [respondWith(200, JSON.stringify({ status }))];
    await check();
    expect(requested).toBe(1);
  });

  it.each(['stale', 'empty'])('accepts that there is no list while the status is %s', async (status) => {
    responses = [respondWith(200, JSON.stringify({ status }))];
    list = rejected('snapshot_stale', 'Too old.');
    await check();
    expect(requested).toBe(1);
  });

  it('accepts the limit of its own address, at either request', async () => {
    const ownLimit = rejected('rate_limited', PER_IP_REFUSAL);
    responses = [ownLimit, OPEN];
    await check();
    list = ownLimit;
    await check();
    expect(requested).toBe(2);
  });

  it.each([
    ['second', [FORBIDDEN, OPEN]],
    ['third', [FORBIDDEN, FORBIDDEN, OPEN]],
  ])('succeeds with the %s attempt', async (_which, inTurn) => {
    responses = inTurn;
    const checked = check();
    for (let pause = 1; pause < inTurn.length; pause += 1) await clock.passTimer(PAUSE_MS);
    await checked;
    expect(requested).toBe(inTurn.length);
  });

  it.each<[string, Respond, RegExp]>([
    ...LOCK_OUTS.map(([what, respond]): [string, Respond, RegExp] => [what, respond, /not a status/]),
    ['an error of the web ACL', FORBIDDEN, /not a status/],
    ['a redirect to a status', respondWith(302, '{"status":"ok"}', { location: '/elsewhere' }), /not a status/],
    ['a page', respondWith(200, '<html>'), /JSON/],
    ['another JSON', respondWith(200, '{"message":"Forbidden"}'), /not a status/],
    ['no object', respondWith(200, 'null'), /not a status/],
    ['a connection that ends', (response) => response.destroy(), /fetch failed/],
  ])('fails after three attempts for %s', async (_what, respond, message) => {
    responses = [respond];
    const failed = outcome(check());
    await clock.passTimer(PAUSE_MS);
    await clock.passTimer(PAUSE_MS);
    expect(String(await failed)).toMatch(message);
    expect(requested).toBe(3);
  });

  it.each<[string, Respond]>([
    ['no market', respondWith(200, '[]')],
    ['an entry that is no market', respondWith(200, '[null]')],
    ['an error of the service', rejected('internal_error', 'An unexpected error.')],
    ['missing data, although the status has some', rejected('snapshot_missing', 'No data.')],
    ...LOCK_OUTS,
  ])('fails if the list is %s', async (_what, respond) => {
    responses = [OPEN];
    list = respond;
    const failed = outcome(check());
    await clock.passTimer(PAUSE_MS);
    await clock.passTimer(PAUSE_MS);
    expect(String(await failed)).toMatch(/not a list with one market/);
  });

  it('fails within 50 s when the front door accepts requests and never responds', async () => {
    const attempts = [1, 2, 3].map(() => Promise.withResolvers<void>());
    responses = attempts.map(
      ({ resolve }) =>
        () =>
          resolve(),
    );
    const started = clock.now();
    const failed = outcome(check());
    for (const { promise } of attempts) {
      await promise;
      await clock.advance(10_000);
      if (requested < attempts.length) await clock.passTimer(PAUSE_MS);
    }
    expect(String(await failed)).toMatch('No response within 10000 ms');
    expect(clock.now() - started).toBe(50_000);
  });
});
