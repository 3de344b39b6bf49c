import { describe, expect, it } from '@jest/globals';
import { type CallLimits, Upstream, type UpstreamOptions } from '../../../../lambda/http-client/client.ts';
import { UpstreamError } from '../../../../lambda/http-client/upstream-error.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

type Reply = Response | Error | 'hang' | 'hang-body';

/** An upstream that responds from a script; the last reply is repeated. */
function scripted(replies: Reply[], overrides: Partial<UpstreamOptions> = {}) {
  const clock = new ManualClock();
  const calls: { url: string; init: RequestInit }[] = [];
  const events: string[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    calls.push({ url: String(url), init });
    const reply = replies[Math.min(calls.length, replies.length) - 1];
    const aborted = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
    if (reply === 'hang') return await aborted;
    if (reply === 'hang-body') {
      return new Response(new ReadableStream({ pull: () => aborted }));
    }
    if (reply instanceof Error) throw reply;
    return (reply ?? new Response('{}')).clone();
  };
  const upstream = new Upstream({
    baseUrl: 'http://upstream',
    fetch,
    clock,
    random: () => 0.5,
    timeoutMs: 5_000,
    concurrency: 16,
    observer: {
      called: () => events.push('called'),
      retried: () => events.push('retried'),
      failed: (error) => events.push(error.message),
    },
    ...overrides,
  });
  const request = (retries: number, withinMs = 60_000, more: Partial<CallLimits> = {}) =>
    upstream.request('route', '/path?x=1', ({ body }) => body, {
      deadline: clock.now() + withinMs,
      retries,
      ...more,
    });
  return { clock, calls, events, request };
}

const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response('<html>no</html>', { status: code, headers });

/** What fetch throws when the other side had closed the connection in the meantime. */
const staleSocket = () =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });

async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return await promise.catch((error: unknown) => error);
}

describe('a call to an upstream', () => {
  it('names the service and asks for JSON', async () => {
    const { calls, request } = scripted([json({ a: 1 })]);
    expect(await request(0)).toEqual({ a: 1 });
    const headers = new Headers(calls[0]?.init.headers);
    expect(calls[0]?.url).toBe('http://upstream/path?x=1');
    expect(headers.get('user-agent')).toMatch(/^market-data-proxy\//);
    expect(headers.get('accept')).toBe('application/json');
    // Another host is none of ours to ask: a redirect is an error.
    expect(calls[0]?.init.redirect).toBe('error');
  });

  it.each([
    ['network', new TypeError('fetch failed')],
    ['status', status(500)],
    ['status', status(403)],
    ['not_json', new Response('<html>hello</html>')],
    ['not_json', new Response('{"markets":[')],
    ['error_body', json({ error: 'Too Many Requests' })],
  ])('fails with %s', async (failure, reply) => {
    const error = await outcome(scripted([reply]).request(0));
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ failure, route: 'route' });
  });

  it.each(['hang', 'hang-body'] as const)('gives up on a %s after its timeout', async (reply) => {
    const { clock, request } = scripted([reply]);
    const result = outcome(request(0));
    await clock.advance(4_999);
    await clock.advance(1);
    expect(await result).toMatchObject({ failure: 'timeout' });
  });

  it('never goes on beyond the deadline', async () => {
    const { clock, request } = scripted(['hang']);
    const result = outcome(request(9, 1_000));
    await clock.advance(1_000);
    expect(await result).toMatchObject({ failure: 'timeout' });
  });
});

describe('retries', () => {
  it('come after a pause with jitter that doubles, and end with success', async () => {
    const { clock, calls, request, events } = scripted([status(500), status(503), json('yes')]);
    const result = request(5);
    await clock.advance(187);
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    expect(calls).toHaveLength(2);
    await clock.advance(374);
    expect(calls).toHaveLength(2);
    await clock.advance(1);
    expect(await result).toBe('yes');
    expect(events.filter((event) => event === 'retried')).toHaveLength(2);
  });

  it('come at once for a stale socket, the first time', async () => {
    const { clock, request } = scripted([staleSocket(), json('yes')]);
    const result = request(1);
    await clock.advance(0);
    expect(await result).toBe('yes');
  });

  it.each([
    ['7', 7_000],
    ['Sat, 21 Nov 2026 12:00:09 GMT', 9_000],
  ])('wait as long as Retry-After says: %s', async (value, ms) => {
    const { clock, calls, request } = scripted([status(429, { 'retry-after': value }), json('yes')]);
    const result = request(1);
    await clock.advance(ms - 1);
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    expect(await result).toBe('yes');
  });

  it('are not begun when Retry-After lies behind the deadline', async () => {
    const { request } = scripted([status(429, { 'retry-after': '3600' })]);
    expect(await outcome(request(5))).toMatchObject({ status: 429 });
  });

  it.each([400, 404, 422])('are not made for a %i: the request itself is at fault', async (code) => {
    const { calls, request } = scripted([status(code)]);
    await outcome(request(5));
    expect(calls).toHaveLength(1);
  });

  it.each([403, 451])('are made once for a %i: a block does not go by being asked', async (code) => {
    const { clock, calls, request } = scripted([status(code)]);
    const result = outcome(request(Number.POSITIVE_INFINITY));
    await clock.advance(60_000);
    expect(await result).toMatchObject({ status: code });
    expect(calls).toHaveLength(2);
  });

  it('wait even for a stale socket from the second on', async () => {
    const { clock, calls, request } = scripted([staleSocket(), staleSocket(), json('yes')], {
      random: () => 1,
    });
    const result = request(5);
    await clock.advance(499);
    expect(calls).toHaveLength(2);
    await clock.advance(1);
    expect(await result).toBe('yes');
  });

  it('are made where a caller is waiting and the first attempt takes too long: its connection may lead nowhere', async () => {
    const { clock, calls, request } = scripted(['hang', json('yes')]);
    const response = request(1, 4_000, { live: true, firstAttemptMs: 2_000 });
    await clock.advance(1_999);
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    expect(await response).toBe('yes');
    expect(calls).toHaveLength(2);
  });

  it('leave a caller who waits with the deadline when the second attempt hangs too', async () => {
    const { clock, calls, request } = scripted(['hang']);
    const response = outcome(request(1, 4_000, { live: true, firstAttemptMs: 2_000 }));
    await clock.advance(4_000);
    expect(await response).toMatchObject({ failure: 'timeout' });
    expect(calls).toHaveLength(2);
  });

  it('are no reason to cut the only attempt short', async () => {
    const { clock, events, request } = scripted(['hang']);
    const response = outcome(request(0, 4_000, { live: true, firstAttemptMs: 2_000 }));
    await clock.advance(3_999);
    expect(events).toEqual(['called']);
    await clock.advance(1);
    expect(await response).toMatchObject({ failure: 'timeout' });
  });

  it('are made for nothing but a stale socket where a caller is waiting', async () => {
    const slow = scripted([status(500), json('yes')]);
    expect(await outcome(slow.request(1, 4_000, { live: true }))).toMatchObject({ status: 500 });
    const stale = scripted([staleSocket(), json('yes')]);
    expect(await stale.request(1, 4_000, { live: true })).toBe('yes');
  });

  it('are not made for an error that is a response, which is no failure either', async () => {
    const { calls, events, request } = scripted([status(404)]);
    const isResponse = (error: UpstreamError) => error.status === 404;
    expect(await outcome(request(5, 4_000, { isResponse }))).toMatchObject({ status: 404 });
    expect(calls).toHaveLength(1);
    expect(events).toEqual(['called']);
  });

  it('end when they are used up', async () => {
    const { clock, calls, request } = scripted([status(500)]);
    const result = outcome(request(2));
    await clock.advance(60_000);
    expect(await result).toMatchObject({ status: 500 });
    expect(calls).toHaveLength(3);
  });
});

describe('concurrency', () => {
  it('is at most sixteen calls at once', async () => {
    const { clock, calls, request } = scripted(['hang']);
    const results = Array.from({ length: 20 }, () => outcome(request(0)));
    await clock.advance(0);
    expect(calls).toHaveLength(16);
    await clock.advance(5_000);
    expect(calls).toHaveLength(20);
    await clock.advance(5_000);
    await Promise.all(results);
  });
});

describe('a response', () => {
  it.each([
    ['too_large', `[${'{},'.repeat(300_000)}{}]`],
    ['wrong_shape', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
  ])('that would take more memory as objects than there is has failed: %s', async (failure, text) => {
    const { request } = scripted([new Response(text)]);
    expect(await outcome(request(0))).toMatchObject({ failure, status: 200 });
  });

  it('that is larger than allowed is given up while it is read, and not asked for again', async () => {
    let read = 0;
    const endless = new ReadableStream({
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(1_000));
      },
    });
    const { calls, request } = scripted([new Response(endless)]);
    expect(await outcome(request(5, 60_000, { maxBytes: 10_000 }))).toMatchObject({ failure: 'too_large' });
    expect(calls).toHaveLength(1);
    expect(read).toBeLessThan(50);
  });

  it('may be as large as allowed, with letters of several bytes cut anywhere', async () => {
    const text = JSON.stringify('ü€🎲'.repeat(500));
    const bytes = new TextEncoder().encode(text);
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
        controller.close();
      },
    });
    const { request } = scripted([new Response(pieces)]);
    expect(await request(0, 60_000, { maxBytes: bytes.length })).toBe(JSON.parse(text));
  });

  it('that is an error is read no further than is looked at', async () => {
    const long = new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10_000)) }),
      {
        status: 500,
      },
    );
    const { request } = scripted([long]);
    expect(await outcome(request(0))).toMatchObject({ failure: 'status', status: 500 });
  });
});

describe('the limit of a route', () => {
  const limits = { callsPer10Seconds: { route: 2 } };

  it('makes a call wait for its turn', async () => {
    const { clock, calls, request } = scripted([json('yes')], limits);
    const all = Promise.all([request(0), request(0), request(0)]);
    await clock.advance(9_999);
    expect(calls).toHaveLength(2);
    await clock.advance(1);
    expect(await all).toEqual(['yes', 'yes', 'yes']);
  });

  it('refuses a call for which somebody waits, and one whose turn comes after its deadline', async () => {
    const { calls, request } = scripted([json('yes')], limits);
    await Promise.all([request(0), request(0)]);
    const refused = { failure: 'rate_limited', retryAfterMs: 10_000, limited: true };
    expect(await outcome(request(1, 60_000, { live: true }))).toMatchObject(refused);
    expect(await outcome(request(3, 5_000))).toMatchObject(refused);
    expect(calls).toHaveLength(2);
  });
});
