import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Upstream, type UpstreamRequest } from '../../../../lambda/io/upstream/client.ts';
import type { callOnce } from '../../../../lambda/io/upstream/http-call.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';
import { type Reply, reset, send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// `Upstream` is the client of a host of Polymarket. A request makes a call and, after temporary
// failures, calls again after a pause of 250 ms, 500 ms and so on. A random number shortens these
// pauses: 0 to half, 0.5 to three quarters. Each test lets a local server send some replies.

const stub = await startStubUpstream();

const NO = send('<html>no</html>', 500);
const YES = send('"yes"');
const WRONG_SHAPE = send('null');

/** Requests to the server. */
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
    const limits = { deadline: clock.now() + 1_000 };
    const call = () =>
      outcome(clob.request({ route: 'book', path: '/', parse: String, ...limits }));
    stub.reply(NO, YES);
    expect(clob.latestFailure).toBeUndefined();
    await call();
    expect(clob.latestFailure).toMatchObject({ failure: 'status', status: 500 });
    await call();
    expect(clob.latestFailure).toBeUndefined();
  });
});

describe('the time-out of a call', () => {
  /** The time-out in ms that a client of CLOB passes to its call. */
  async function timeoutOf(options: { readonly timeoutMs?: number }) {
    const clock = new ManualClock();
    let passedMs = 0;
    const call: typeof callOnce = async (_clock, { timeoutMs }) => {
      passedMs = timeoutMs;
      return { body: 1, cachedMs: 0 };
    };
    const common = { baseUrl: 'http://a', clock, random: () => 0, call };
    const clob = new Upstream('clob', { ...common, ...options });
    const deadline = clock.now() + 60_000;
    await clob.request({ route: 'book', path: '/', parse: String, deadline });
    return passedMs;
  }

  it('is that of the host by default: 5 s for CLOB', async () => {
    expect(await timeoutOf({})).toBe(5_000);
  });

  it('is that of the client if it has one', async () => {
    expect(await timeoutOf({ timeoutMs: 30_000 })).toBe(30_000);
  });
});

describe('a retry', () => {
  it.each([
    { random: 0, share: 0.5 },
    { random: 0.5, share: 0.75 },
    { random: 1, share: 1 },
  ])(
    'follows after pauses of 250 and 500 ms, times $share for the random number $random',
    async (row) => {
      const { random, share } = row;
      stub.reply(NO, WRONG_SHAPE, YES);
      const { clock, request, warnings } = rig(random);
      const result = request({ retries: 2 });
      await clock.passTimer(share * 250);
      await clock.passTimer(share * 500);
      expect(await result).toBe('yes');
      expect(warnings).toEqual([]);
    },
  );

  it('waits as long as Retry-After says, and is not made if that is beyond the deadline', async () => {
    stub.reply(send('', 429, { 'retry-after': '7' }), YES);
    const { clock, request } = rig();
    const result = request({ retries: 1 });
    await clock.passTimer(7_000);
    expect(await result).toBe('yes');
    // The deadline is in 60 s.
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

  it.each([400, 401, 404, 405, 410, 413, 422])('is not made after status %d', async (status) => {
    stub.reply(send('{}', status));
    const { request, warnings } = rig();
    expect(await outcome(request({ retries: 5 }))).toMatchObject({ status });
    expect(stub.requests).toHaveLength(1);
    expect(warnings).toMatchObject([{ retries: 0 }]);
  });

  it.each([403, 451])('is made once after status %d', async (status) => {
    stub.reply(send('{}', status));
    const { clock, request, warnings } = rig();
    const result = outcome(request({ retries: 5 }));
    await clock.passTimer(0.75 * 250);
    expect(await result).toMatchObject({ status });
    expect(stub.requests).toHaveLength(2);
    expect(warnings).toMatchObject([{ retries: 1 }]);
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
    // The retry at once was the first one, so the pause is that before the second one.
    await clock.passTimer(0.75 * 500);
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
