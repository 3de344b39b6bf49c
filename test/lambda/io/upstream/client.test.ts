import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Upstream, type UpstreamRequest } from '../../../../lambda/io/upstream/client.ts';
import type { callOnce } from '../../../../lambda/io/upstream/http-call.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';
import { type Reply, reset, send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

const stub = await startStubUpstream();

const NO = send('<html>no</html>', 500);
const YES = send('"yes"');
const WRONG_SHAPE = send('null');

/** A client of the stub. A random number of 0.5 makes each pause 75 % of its full length. */
function rig(random = 0.5) {
  const { clock, warnings, upstream } = upstreamRig(stub.url, random);
  const request = (limits: Partial<UpstreamRequest<unknown>> = {}) =>
    upstream('clob').request({
      route: 'book',
      path: '/book?x=1',
      parse: (body) => body ?? undefined,
      deadline: clock.now() + 60_000,
      ...limits,
    });
  return { clock, warnings, request };
}

describe('a request to an upstream', () => {
  it('is not retried unless its limits say so, and is logged once when it fails', async () => {
    stub.reply(NO);
    const { request, warnings } = rig();
    expect(await outcome(request())).toMatchObject({
      name: 'UpstreamError',
      failure: 'status',
      status: 500,
    });
    expect(stub.requests).toHaveLength(1);
    const fields = { upstream: 'clob', route: 'book', failure: 'status', status: 500, retries: 0 };
    expect(warnings).toMatchObject([{ ...fields, excerpt: '<html>no</html>' }]);
  });

  it('leaves its failure for the report of a run until an attempt succeeds', async () => {
    const { clock, upstream } = upstreamRig(stub.url);
    const clob = upstream('clob');
    const call = () =>
      outcome(
        clob.request({ route: 'book', path: '/', parse: String, deadline: clock.now() + 1_000 }),
      );
    stub.reply(NO, YES);
    expect(clob.latestFailure).toBeUndefined();
    await call();
    expect(clob.latestFailure).toMatchObject({ failure: 'status', status: 500 });
    await call();
    expect(clob.latestFailure).toBeUndefined();
  });
});

describe('the time-out of a call', () => {
  it.each([
    [undefined, 5_000],
    [30_000, 30_000],
  ])('is %s if the client has it, otherwise that of the upstream: %i ms', async (own, ms) => {
    const clock = new ManualClock();
    const timeouts: number[] = [];
    const call: typeof callOnce = async (_clock, { timeoutMs }) => {
      timeouts.push(timeoutMs);
      return { body: 1, cachedMs: 0 };
    };
    const timeout = own === undefined ? {} : { timeoutMs: own };
    const clob = new Upstream('clob', {
      baseUrl: 'http://a',
      clock,
      random: () => 0,
      call,
      ...timeout,
    });
    const deadline = clock.now() + 60_000;
    await clob.request({ route: 'book', path: '/', parse: String, deadline });
    expect(timeouts).toEqual([ms]);
  });
});

describe('a retry', () => {
  it.each([
    [0, 0.5],
    [0.5, 0.75],
    [1, 1],
  ])('follows after a pause that doubles, with the jitter of random %d', async (random, share) => {
    stub.reply(NO, WRONG_SHAPE, YES);
    const { clock, request, warnings } = rig(random);
    const result = request({ retries: 2 });
    // The full pauses are 250 and 500 ms.
    await clock.passTimer(share * 250);
    await clock.passTimer(share * 500);
    expect(await result).toBe('yes');
    expect(warnings).toEqual([]);
  });

  it('waits as long as Retry-After says, and is not made if that is beyond the deadline', async () => {
    stub.reply(send('', 429, { 'retry-after': '7' }), YES);
    const { clock, request } = rig();
    const result = request({ retries: 1 });
    await clock.passTimer(7_000);
    expect(await result).toBe('yes');
    stub.reply(send('', 429, { 'retry-after': '60' }));
    expect(await outcome(rig().request({ retries: 5 }))).toMatchObject({
      status: 429,
      retryAfterMs: 60_000,
    });
    expect(stub.requests).toHaveLength(1);
  });

  it('is not made while Retry-After stops all calls of its route, for two minutes at most', async () => {
    stub.reply(send('', 429, { 'retry-after': '3600' }), YES);
    const { clock, request, warnings } = rig();
    expect(await outcome(request())).toMatchObject({ status: 429 });
    expect(await outcome(request())).toMatchObject({ failure: 'paused', retryAfterMs: 120_000 });
    expect(warnings).toHaveLength(1);
    expect(await request({ route: 'books' })).toBe('yes');
    expect(stub.requests).toHaveLength(2);
    await clock.advance(120_000);
    expect(await request()).toBe('yes');
  });

  it.each([
    ...[400, 401, 404, 405, 410, 413, 422].map((status) => [status, 0] as const),
    ...[403, 451].map((status) => [status, 1] as const),
  ])('for status %d is made at most %d times', async (status, retries) => {
    stub.reply(send('{}', status));
    const { clock, request, warnings } = rig();
    const result = outcome(request({ retries: 5 }));
    // 75 % of 250 ms.
    if (retries > 0) await clock.passTimer(187.5);
    expect(await result).toMatchObject({ status });
    expect(stub.requests).toHaveLength(1 + retries);
    expect(warnings).toMatchObject([{ retries }]);
  });

  it('is made at once after a closed connection, even where no retries are allowed, but only once', async () => {
    stub.reply(reset, YES);
    expect(await rig().request()).toBe('yes');
    stub.reply(reset, reset, YES);
    expect(await outcome(rig().request())).toMatchObject({ failure: 'network' });
    expect(stub.requests).toHaveLength(2);
    stub.reply(reset, reset, YES);
    const { clock, request } = rig();
    const result = request({ retries: 3 });
    // 75 % of 500 ms: the retry at once was the first one.
    await clock.passTimer(375);
    expect(await result).toBe('yes');
  });

  it('takes a new connection, since other kept ones may be closed as well', async () => {
    const { request } = rig();
    const portOf = (response: ServerResponse) => response.socket?.remotePort;
    // Two parallel requests leave two open connections.
    const pending: ServerResponse[] = [];
    stub.reply((response) => pending.push(response));
    const both = [request(), request()];
    await stub.received(2);
    const openPorts = pending.map(portOf);
    for (const response of pending) response.end('"yes"');
    await Promise.all(both);

    const usedPorts: (number | undefined)[] = [];
    const withPort =
      (reply: Reply): Reply =>
      (response, received) => {
        usedPorts.push(portOf(response));
        reply(response, received);
      };
    stub.reply(withPort(reset), withPort(YES));
    expect(await request()).toBe('yes');
    const [firstPort, retryPort] = usedPorts;
    expect(openPorts).toContain(firstPort);
    expect(openPorts).not.toContain(retryPort);
  });
});
