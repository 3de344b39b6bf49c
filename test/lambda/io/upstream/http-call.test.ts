import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { VERSION } from '../../../../lambda/core/contract/constants.ts';
import { type Clock, systemClock } from '../../../../lambda/io/platform/clock.ts';
import {
  callOnce,
  MAX_UPSTREAM_BYTES,
  MAX_UPSTREAM_VALUES,
} from '../../../../lambda/io/upstream/http-call.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';
import {
  endless,
  hang,
  hangInBody,
  type Reply,
  reset,
  send,
  sendGzipped,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';

// `callOnce` makes one HTTP call to a host of Polymarket ("upstream") and returns the JSON of the
// response. It never retries. Each test lets a local server send one reply.

const stub = await startStubUpstream();
const TIMEOUT_MS = 60_000;

function call(reply: Reply, body?: unknown, clock: Clock = systemClock) {
  stub.reply(reply);
  return callOnce(clock, {
    route: 'book',
    url: new URL(`${stub.url}/a/b?c=d&e=f%20g`),
    body,
    timeoutMs: TIMEOUT_MS,
  });
}

const breakInBody: Reply = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"bids":[');
  setImmediate(() => response.socket?.destroy());
};

describe('a call', () => {
  it('names the service, and asks for JSON and gzip', async () => {
    await call(send('{}'));
    const common = {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      host: new URL(stub.url).host,
    };
    const headers = { ...common, 'user-agent': `market-data-proxy/${VERSION}` };
    expect(stub.requests).toMatchObject([
      { method: 'GET', url: '/a/b?c=d&e=f%20g', body: undefined, headers },
    ]);
  });

  it('with a body is a POST of JSON', async () => {
    const body = [{ token_id: 'Zürich' }];
    await call(send('{}'), body);
    expect(stub.requests).toMatchObject([
      { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    ]);
  });
});

describe('a response', () => {
  it('is JSON, as text or packed with gzip', async () => {
    const body = { history: [], text: 'Zürich', error: 'a field beside data' };
    expect((await call(send(body))).body).toEqual(body);
    // Characters of two to four bytes, because a part of the response can end within one.
    const text = JSON.stringify('ü€🎲'.repeat(50_000));
    expect((await call(sendGzipped(text))).body).toBe(JSON.parse(text));
  });

  const error = { error: 'Too Many Requests' };

  it.each<{ what: string; reply: Reply; failure: string }>([
    { what: 'a reset', reply: reset, failure: 'network' },
    { what: 'a connection that ends in the body', reply: breakInBody, failure: 'network' },
    { what: 'an HTML 404', reply: send('<html>404 not found</html>', 404), failure: 'status' },
    {
      what: 'a redirect',
      reply: send('', 302, { location: 'https://example.org/' }),
      failure: 'status',
    },
    { what: 'HTML with status 200', reply: send('<title>Wait</title>'), failure: 'not_json' },
    { what: 'JSON that ends early', reply: send('{"bids":[{"price":"0.5'), failure: 'not_json' },
    { what: 'an empty body', reply: send(''), failure: 'not_json' },
    { what: 'an error with status 200', reply: send(error), failure: 'error_body' },
    {
      what: 'an error and its code with status 200',
      reply: send({ ...error, code: 429 }),
      failure: 'error_body',
    },
  ])('that is $what is the failure $failure', async ({ reply, failure }) => {
    const expected = { name: 'UpstreamError', route: 'book', failure };
    expect(await outcome(call(reply))).toMatchObject(expected);
  });

  it.each([400, 429, 503])('with the status %i fails', async (status) => {
    const reply = send({ error: 'cannot get the information' }, status);
    expect(await outcome(call(reply))).toMatchObject({ failure: 'status', status });
  });

  it.each([
    { what: 'gzip that is none', encoding: 'gzip', body: '{}' },
    {
      what: 'gzip that is cut short',
      encoding: 'gzip',
      body: gzipSync('{"a":1}').subarray(0, 15),
    },
    {
      what: 'of an encoding that was not requested',
      encoding: 'deflate',
      body: deflateSync('{}'),
    },
  ])('that is $what fails', async ({ encoding, body }) => {
    const reply: Reply = (response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    expect(await outcome(call(reply))).toMatchObject({ failure: 'network' });
  });

  const tooLong = `"${'x'.repeat(MAX_UPSTREAM_BYTES)}"`;

  // A response may have as many values as the limit. They are counted before the JSON is parsed, by
  // its commas and opening brackets. So `[],` counts as two.
  it.each([
    { what: 'without an end', reply: endless },
    { what: 'with too many bytes', reply: send(tooLong) },
    { what: 'with too many bytes when it is unpacked', reply: sendGzipped(tooLong) },
    {
      what: 'with too many values',
      reply: send(`[${'[],'.repeat(MAX_UPSTREAM_VALUES / 2)}[]]`),
    },
    {
      what: 'with too many objects',
      reply: send(`[${'{},'.repeat(MAX_UPSTREAM_VALUES / 2)}{}]`),
    },
  ])('$what is too large, which no retry changes', async ({ reply }) => {
    expect(await outcome(call(reply))).toMatchObject({ failure: 'too_large', maxRetries: 0 });
  });

  it('may have as many bytes and values as the limits allow', async () => {
    const longest = `"${'x'.repeat(MAX_UPSTREAM_BYTES - 2)}"`;
    for (const reply of [send(longest), sendGzipped(longest)]) {
      expect((await call(reply)).body).toHaveLength(MAX_UPSTREAM_BYTES - 2);
    }
    expect((await call(send(`[${'0,'.repeat(MAX_UPSTREAM_VALUES - 1)}0]`))).body).toHaveLength(
      MAX_UPSTREAM_VALUES,
    );
  });

  it('that is an error may have any length, and is quoted with 200 characters', async () => {
    const failed = await outcome(call(send(`<${'x'.repeat(100_000)}`, 500)));
    const excerpt = `<${'x'.repeat(199)}`;
    expect(failed).toMatchObject({ failure: 'status', status: 500, excerpt });
  });

  // Polymarket's CDN keeps responses for five minutes at most, and usually names their age in s.
  it.each<{ headers: Readonly<Record<string, string>>; cachedMs: number }>([
    { headers: { age: '42', 'cf-cache-status': 'HIT' }, cachedMs: 42_000 },
    { headers: { 'cf-cache-status': 'DYNAMIC' }, cachedMs: 0 },
    { headers: { 'cf-cache-status': 'miss' }, cachedMs: 0 },
    { headers: { 'cf-cache-status': 'HIT' }, cachedMs: 300_000 },
    { headers: { age: 'soon' }, cachedMs: 300_000 },
    { headers: {}, cachedMs: 300_000 },
  ])('may have been cached for $cachedMs ms with the headers $headers', async (row) => {
    const { cachedMs } = await call(send('{}', 200, row.headers));
    expect(cachedMs).toBe(row.cachedMs);
  });

  // A manual clock begins on Saturday, 2026-11-21 at 12:00 UTC.
  it.each([
    { value: '0', waitMs: 0 },
    { value: '7', waitMs: 7_000 },
    { value: 'Sat, 21 Nov 2026 12:01:00 GMT', waitMs: 60_000 },
    { value: 'Sat, 21 Nov 2026 11:59:00 GMT', waitMs: 0 },
    { value: 'soon', waitMs: undefined },
  ])('with "Retry-After: $value" asks to wait for $waitMs ms', async ({ value, waitMs }) => {
    const reply = send('', 503, { 'retry-after': value });
    const failed = await outcome(call(reply, undefined, new ManualClock()));
    expect(failed).toMatchObject({ status: 503, retryAfterMs: waitMs });
  });

  it.each([
    { where: 'before it begins', reply: hang },
    { where: 'in its body', reply: hangInBody },
  ])('that hangs $where fails after the time-out', async ({ reply }) => {
    const clock = new ManualClock();
    const result = outcome(call(reply, undefined, clock));
    await stub.received(1);
    const ended = jest.fn();
    void result.then(ended);
    await clock.advance(TIMEOUT_MS - 1);
    expect(ended).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(await result).toMatchObject({ failure: 'timeout' });
  });
});
