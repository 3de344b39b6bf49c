import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { VERSION } from '../../../../lambda/core/contract/constants.ts';
import { type Clock, systemClock } from '../../../../lambda/io/platform/clock.ts';
import { callOnce } from '../../../../lambda/io/upstream/http-call.ts';
import {
  MAX_UPSTREAM_BYTES,
  MAX_UPSTREAM_VALUES,
} from '../../../../lambda/io/upstream/upstreams.ts';
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

const stub = await startStubUpstream();

function call(reply: Reply, body?: unknown, clock: Clock = systemClock) {
  stub.reply(reply);
  return callOnce(clock, {
    route: 'book',
    url: new URL(`${stub.url}/a/b?c=d&e=f%20g`),
    body,
    timeoutMs: 60_000,
  });
}

const breakInBody: Reply = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"bids":[');
  setImmediate(() => response.socket?.destroy());
};

/** Bad replies, and how a call that gets them fails. */
const BAD_REPLIES: [name: string, reply: Reply, failure: string][] = [
  ['a reset', reset, 'network'],
  ['a connection that ends in the body', breakInBody, 'network'],
  ...[401, 403, 429, 451, 500, 503].map((status): [string, Reply, string] => [
    `status ${status}`,
    send({ type: 'internal error', error: 'cannot get the information' }, status),
    'status',
  ]),
  ['status 400', send({ error: 'invalid filters' }, 400), 'status'],
  ['an HTML 404', send('<html>404 not found</html>', 404), 'status'],
  ['a redirect', send('', 302, { location: 'https://example.org/' }), 'status'],
  ['HTML with status 200', send('<!doctype html><title>Just a moment...</title>'), 'not_json'],
  ['an error with status 200', send({ error: 'Too Many Requests' }), 'error_body'],
  [
    'an error and its code with status 200',
    send({ error: 'Too Many Requests', code: 429 }),
    'error_body',
  ],
  ['JSON that ends early', send('{"bids":[{"price":"0.5","si'), 'not_json'],
  ['an empty body', send(''), 'not_json'],
];

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
  it('is JSON, which is unpacked', async () => {
    const body = { error: 'may be a field among others', history: [], more: 'Zürich' };
    expect(await call(send(body))).toEqual({ body, cachedMs: 300_000 });
    // Characters of two to four bytes, because a part of the response can end within one.
    const text = JSON.stringify('ü€🎲'.repeat(50_000));
    expect((await call(sendGzipped(text))).body).toBe(JSON.parse(text));
  });

  it.each(BAD_REPLIES)('that is %s fails', async (_, reply, failure) => {
    expect(await outcome(call(reply))).toMatchObject({
      name: 'UpstreamError',
      route: 'book',
      failure,
    });
  });

  it.each([
    ['gzip that is none', 'gzip', '{}'],
    ['gzip that is cut short', 'gzip', gzipSync('{"a":1}').subarray(0, 15)],
    ['of an encoding that was not requested', 'deflate', deflateSync('{}')],
  ])('that is %s fails', async (_, encoding, body) => {
    const reply: Reply = (response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    expect(await outcome(call(reply))).toMatchObject({ failure: 'network' });
  });

  it.each([
    ['without an end', endless],
    ['with too many bytes', send(`"${'x'.repeat(MAX_UPSTREAM_BYTES)}"`)],
    ['with too many bytes when it is unpacked', sendGzipped(`"${'x'.repeat(MAX_UPSTREAM_BYTES)}"`)],
    ['with too many values', send(`[${'[],'.repeat(MAX_UPSTREAM_VALUES / 2)}[]]`)],
    ['with too many objects', send(`[${'{},'.repeat(MAX_UPSTREAM_VALUES / 2)}{}]`)],
  ])('%s is too large', async (_, reply) => {
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
    const error = await outcome(call(send(`<${'x'.repeat(100_000)}`, 500)));
    expect(error).toMatchObject({ failure: 'status', status: 500, excerpt: `<${'x'.repeat(199)}` });
  });

  it.each<[Readonly<Record<string, string>>, number]>([
    [{ age: '42', 'cf-cache-status': 'HIT' }, 42_000],
    [{ 'cf-cache-status': 'DYNAMIC' }, 0],
    [{ 'cf-cache-status': 'miss' }, 0],
    [{ 'cf-cache-status': 'HIT' }, 300_000],
    [{ age: 'soon' }, 300_000],
    [{}, 300_000],
  ])('says how many ms a cache may have had it, by its headers: %j', async (headers, cachedMs) => {
    expect(await call(send('{}', 200, headers))).toMatchObject({ cachedMs });
  });

  it.each([
    ['0', 0],
    ['7', 7_000],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 11:59:00 GMT', 0],
    ['soon', undefined],
  ])('asks to wait by Retry-After, in seconds or until a date: %s', async (value, ms) => {
    const error = await outcome(
      call(send('', 503, { 'retry-after': value }), undefined, new ManualClock()),
    );
    expect(error).toMatchObject({ status: 503, retryAfterMs: ms });
  });

  it.each([
    ['before it begins', hang],
    ['in its body', hangInBody],
  ])('that hangs %s fails after the time-out', async (_, reply) => {
    stub.reply(reply);
    const clock = new ManualClock();
    const result = outcome(
      callOnce(clock, { route: 'book', url: new URL(stub.url), timeoutMs: 5_000 }),
    );
    await stub.received(1);
    const ended = jest.fn();
    void result.then(ended);
    await clock.advance(4_999);
    expect(ended).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(await result).toMatchObject({ failure: 'timeout' });
  });
});
