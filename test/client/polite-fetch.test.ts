/**
 * `politeFetch` sends the requests of the client package. It repeats those that can succeed later,
 * waits while the service's limit is used up, and asks with an ETag if a response has changed.
 */
import { describe, expect, it } from '@jest/globals';
import { EtagCache } from '../../packages/client/src/etag-cache.ts';
import { politeFetch, type Wait } from '../../packages/client/src/polite-fetch.ts';
import { FakeTiming, failure, fakeService, json, type Responder } from './support/fake-service.ts';

/**
 * A fetch over a service in memory, with the requests that it made. It tries a request three times.
 * Time passes only while it waits: `timing.slept` has each pause in ms, and `waits` what `onWait`
 * reported.
 */
function polite(responder: Responder, { retries = 2, onWait = (): void => undefined } = {}) {
  const timing = new FakeTiming();
  const service = fakeService(responder);
  const waits: Wait[] = [];
  const send = politeFetch({
    fetch: service.fetch,
    etags: new EtagCache(2),
    timing,
    retries,
    timeoutMs: 10_000,
    onWait: (wait) => {
      waits.push(wait);
      onWait();
    },
  });
  const get = (path: string, signal?: AbortSignal) =>
    send(new Request(`http://service${path}`), signal);
  return { timing, waits, ...service, get };
}

/** A response whose body never ends by itself. @param next runs when its first byte was read */
function bodyOf(next: (stream: ReadableStreamDefaultController) => void): Response {
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('[')),
    pull: next,
  });
  return new Response(body);
}

describe('the cache of responses with an ETag', () => {
  it('stores no failed response', async () => {
    const { get, requests } = polite(() => failure(404, 'no_market', { etag: 'W/"1"' }));
    await get('/a');
    await get('/a');
    expect(requests[1]?.headers.get('if-none-match')).toBeNull();
  });

  it('restores a response that other requests displaced while it was checked', async () => {
    const displaced = Promise.withResolvers<void>();
    const { get } = polite(async ({ headers, url }) => {
      if (!headers.has('if-none-match')) return json(url, { etag: `"${url}"` });
      await displaced.promise;
      return new Response(null, { status: 304 });
    });
    await get('/a');
    const again = get('/a');
    // The cache has two places, so these displace /a.
    await Promise.all([get('/b'), get('/c')]);
    displaced.resolve();
    expect(await (await again).json()).toBe('http://service/a');
  });
});

describe('a request that fails', () => {
  it('is repeated after Retry-After', async () => {
    const responses = [failure(429, 'rate_limited', { 'retry-after': '60' }), json('ok')];
    const { get, timing, waits } = polite(() => responses.shift() ?? json('more'));
    expect(await (await get('/')).json()).toBe('ok');
    expect(timing.slept).toEqual([60_000]);
    expect(waits).toEqual([{ ms: 60_000, status: 429 }]);
  });

  // The service counts all requests of an address together, so a 429 concerns each of them.
  it.each([
    { status: 429, waiting: 2 },
    { status: 503, waiting: 1 },
  ])(
    'with $status makes $waiting of two requests at the same time wait',
    async ({ status, waiting }) => {
      const responses = [failure(status, 'any')];
      const others: Promise<Response>[] = [];
      // The second request begins while the first one waits.
      const onWait = () => void others.push(get('/b'));
      const { get, timing } = polite(() => responses.shift() ?? json('ok'), { onWait });
      await get('/a');
      await Promise.all(others);
      expect(timing.slept).toEqual(Array(waiting).fill(1_000));
    },
  );

  it.each([
    { status: 429, code: 'quota_exceeded', retryAfter: '3600' },
    { status: 429, code: 'rate_limited', retryAfter: '9999999999' },
    { status: 502, code: 'snapshot_stale', retryAfter: '121' },
    { status: 503, code: 'any', retryAfter: 'Sun, 22 Nov 2026 12:00:00 GMT' },
  ])(
    'with $status $code is not repeated if Retry-After is above two minutes: $retryAfter',
    async ({ status, code, retryAfter }) => {
      const { get, timing, requests, waits } = polite(() =>
        failure(status, code, { 'retry-after': retryAfter }),
      );
      const response = await get('/');
      expect(response.status).toEqual(status);
      expect(response.headers.get('retry-after')).toEqual(retryAfter);
      expect(requests).toHaveLength(1);
      expect(timing.slept).toEqual([]);
      expect(waits).toEqual([]);
      // The next request does not wait.
      await get('/');
      expect(requests).toHaveLength(2);
      expect(timing.slept).toEqual([]);
    },
  );

  it('waits at most two minutes, even with jitter', async () => {
    const busy = () => failure(429, 'rate_limited', { 'retry-after': '120' });
    const { get, timing } = polite(busy, { retries: 1 });
    timing.jitter = 1;
    await get('/');
    expect(timing.slept).toEqual([120_000]);
  });

  it('waits at most two minutes, however often its pause was doubled', async () => {
    const { get, timing } = polite(() => failure(502, 'any'), { retries: 9 });
    await get('/');
    expect(Math.max(...timing.slept)).toBe(120_000);
  });

  it.each([
    { jitter: 0, slept: [1_000, 2_000] },
    { jitter: 1, slept: [1_250, 2_500] },
  ])(
    'is repeated after pauses of $slept ms without Retry-After, with a jitter of $jitter',
    async ({ jitter, slept }) => {
      const { get, timing } = polite(() => failure(502, 'snapshot_stale'));
      timing.jitter = jitter;
      await get('/');
      expect(timing.slept).toEqual(slept);
    },
  );

  it.each([400, 403, 404, 410, 500])('with %d is not repeated', async (status) => {
    const { get, requests } = polite(() => failure(status, 'any'));
    expect((await get('/')).status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  it.each([429, 502, 503, 504])('with %d is sent three times', async (status) => {
    const { get, requests } = polite(() => failure(status, 'any'));
    expect((await get('/')).status).toBe(status);
    expect(requests).toHaveLength(3);
  });

  const terminated = new TypeError('terminated');

  it.each([
    { problem: 'there is no response', respond: () => Promise.reject(terminated) },
    {
      problem: 'the connection breaks in the body',
      respond: () => bodyOf((stream) => stream.error(terminated)),
    },
  ])('is repeated if $problem, and rejects with the last error', async ({ respond }) => {
    const { get, requests, waits } = polite(respond);
    await expect(get('/')).rejects.toThrow('terminated');
    expect(requests).toHaveLength(3);
    expect(waits.map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  it.each([
    { part: 'response', respond: () => new Promise<Response>(() => undefined) },
    { part: 'body', respond: () => bodyOf(() => undefined) },
  ])('is aborted and repeated if its $part takes longer than 10 s', async ({ respond }) => {
    const { get, timing, requests } = polite(respond, { retries: 1 });
    const expireAttempt = async () => {
      await new Promise(setImmediate);
      expect([...timing.limits].map(({ ms }) => ms)).toEqual([10_000]);
      for (const { expire } of timing.limits) expire();
    };
    const response = get('/');
    await expireAttempt();
    await expireAttempt();
    await expect(response).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(timing.limits.size).toBe(0);
  });

  it('is not repeated when the caller aborts it in its body', async () => {
    const abort = new AbortController();
    const { get, requests } = polite(() => bodyOf(() => abort.abort(new Error('enough'))));
    await expect(get('/', abort.signal)).rejects.toThrow('enough');
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true]);
  });
});

// The header has the requests that are left (r) in the next seconds (t).
describe('a request after a response with the header RateLimit', () => {
  it.each([
    { ratelimit: '"per-ip";r=0;t=20', slept: [20_000] },
    { ratelimit: '"per-ip";r=0;t=999999999', slept: [120_000] },
    { ratelimit: '"per-ip";r=1;t=20', slept: [] },
    { ratelimit: '', slept: [] },
  ])('$ratelimit waits $slept ms', async ({ ratelimit, slept }) => {
    const { get, timing } = polite(() => json(1, { ratelimit }));
    await get('/');
    await get('/');
    expect(timing.slept).toEqual(slept);
  });

  it('stops waiting when its signal is aborted', async () => {
    const { get, requests } = polite(() => json(1, { ratelimit: '"per-ip";r=0;t=20' }));
    await get('/');
    await expect(get('/', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });
});
