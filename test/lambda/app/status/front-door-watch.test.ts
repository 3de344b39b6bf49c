import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createFrontDoorWatch } from '../../../../lambda/app/status/front-door-watch.ts';
import { ERRORS, type ErrorCode, GATEWAY_ERRORS, PER_IP_REFUSAL } from '../../../../lambda/core/contract/errors.ts';
import { captureOutput } from '../../../support/captured-output.ts';
import { outcome } from '../../../support/outcome.ts';
import { hang, type Reply, reset, send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { WatchedClock } from '../../../support/upstream-rig.ts';

const PAUSE_MS = 10_000;
const OPEN = send({ status: 'ok' });
const FORBIDDEN = send({ status: 'ok' }, 403);
const ONE_MARKET = send([{ id: '0x1' }]);
const rejected = (code: ErrorCode, error: string, requestId = 'request-1') =>
  send({ error, code, requestId }, ERRORS[code].status);
const OWN_LIMIT = rejected('rate_limited', PER_IP_REFUSAL);
/** The 429 of the quota, of the plan, and of the web ACL, which lock out every caller. */
const LOCK_OUTS: readonly [what: string, reply: Reply][] = [
  ['a used-up quota', rejected('quota_exceeded', GATEWAY_ERRORS.QUOTA_EXCEEDED.error)],
  ['an exhausted plan', rejected('rate_limited', GATEWAY_ERRORS.THROTTLED.error)],
  ['the web ACL', rejected('rate_limited', PER_IP_REFUSAL, 'waf')],
];

const stub = await startStubUpstream();
afterAll(() => stub.close());
beforeEach(() => void captureOutput());
afterEach(() => void jest.restoreAllMocks());

/** Runs the check. @param statuses replies to the status in turn; the last one repeats */
function watch(statuses: readonly Reply[], list = ONE_MARKET) {
  const requested = () => stub.urls.filter((url) => url === '/api/status').length;
  stub.reply((response, request) => {
    const reply = request.url === '/api/markets?limit=1' ? list : statuses[Math.min(requested(), statuses.length) - 1];
    (reply ?? FORBIDDEN)(response, request);
  });
  const clock = new WatchedClock();
  const result = outcome(createFrontDoorWatch({ FRONT_DOOR_URL: `${stub.url}/` }, clock)());
  /** The error after three attempts. */
  const failure = async () => {
    await clock.passTimer(PAUSE_MS);
    await clock.passTimer(PAUSE_MS);
    const error = String(await result);
    return { error, attempts: requested() };
  };
  return { clock, result, requested, failure };
}

describe('the watch of the front door accepts', () => {
  it.each<[string, Reply, Reply]>([
    ['a degraded service', send({ status: 'degraded' }), ONE_MARKET],
    ['stale data without a list', send({ status: 'stale' }), rejected('snapshot_stale', 'Too old.')],
    ['no data and no list', send({ status: 'empty' }), rejected('snapshot_missing', 'No data.')],
    ['the limit of its own address', OWN_LIMIT, ONE_MARKET],
    ['the limit of its own address for the list', OPEN, OWN_LIMIT],
  ])('%s', async (_what, status, list) => {
    const { result, requested } = watch([status], list);
    expect([await result, requested()]).toEqual([undefined, 1]);
  });

  it.each([
    ['second', [FORBIDDEN, OPEN]],
    ['third', [FORBIDDEN, FORBIDDEN, OPEN]],
  ])('a success in the %s attempt', async (_which, statuses) => {
    const { clock, result, requested } = watch(statuses);
    for (let pause = 1; pause < statuses.length; pause += 1) await clock.passTimer(PAUSE_MS);
    expect([await result, requested()]).toEqual([undefined, statuses.length]);
  });
});

describe('the watch of the front door fails after three attempts for', () => {
  it.each<[string, Reply, RegExp]>([
    ...LOCK_OUTS.map(([what, reply]): [string, Reply, RegExp] => [what, reply, /not a status/]),
    ['an error of the web ACL', FORBIDDEN, /not a status/],
    ['a redirect to a status', send({ status: 'ok' }, 302, { location: '/elsewhere' }), /not a status/],
    ['a page', send('<html>'), /JSON/],
    ['another JSON', send({ message: 'Forbidden' }), /not a status/],
    ['no object', send('null'), /not a status/],
    ['a connection that ends', reset, /fetch failed/],
  ])('%s', async (_what, status, message) => {
    expect(await watch([status]).failure()).toEqual({ error: expect.stringMatching(message), attempts: 3 });
  });

  it.each<[string, Reply]>([
    ['no market', send([])],
    ['an entry that is no market', send([null])],
    ['an error of the service', rejected('internal_error', 'An unexpected error.')],
    ['missing data, although the status has some', rejected('snapshot_missing', 'No data.')],
    ...LOCK_OUTS,
  ])('a list with %s', async (_what, list) => {
    expect((await watch([OPEN], list).failure()).error).toMatch(/not a list with one market/);
  });

  it('no response, within 50 s', async () => {
    const { clock, result } = watch([hang]);
    const started = clock.now();
    for (const attempt of [1, 2, 3]) {
      await stub.received(attempt);
      await clock.advance(10_000);
      if (attempt < 3) await clock.passTimer(PAUSE_MS);
    }
    expect(String(await result)).toMatch('No response within 10000 ms');
    expect(clock.now() - started).toBe(50_000);
  });
});
