import { describe, expect, it, jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';
import type { LargeBodies } from '../../../../lambda/http/large-bodies.ts';
import { byResource, type EndpointRequest, pipeline } from '../../../../lambda/http/pipeline.ts';
import { type HttpResponse, ok } from '../../../../lambda/http/response.ts';
import type { ClientAddress, RateLimiter } from '../../../../lambda/rate-limit/rate-limiter.ts';
import type { RateLimitResult } from '../../../../lambda/rate-limit/sliding-window.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../../support/api-event.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ALLOWED: RateLimitResult = { allowed: true, remaining: 41, resetAt: NOW + 29_001 };
const REFUSED: RateLimitResult = { allowed: false, remaining: 0, resetAt: NOW + 12_000 };
const POLICY = '"per-ip";q=60;w=60';

class FakeLimiter implements RateLimiter {
  readonly limit = 60;
  readonly checked: string[] = [];
  known: RateLimitResult | undefined;
  result: Promise<RateLimitResult | undefined> = Promise.resolve(ALLOWED);

  cachedRefusal(): RateLimitResult | undefined {
    return this.known;
  }

  check({ address }: ClientAddress): Promise<RateLimitResult | undefined> {
    this.checked.push(address);
    return this.result;
  }
}

type Work = (request: EndpointRequest<'list-markets'>) => Promise<HttpResponse> | HttpResponse;

function rig(
  work: Work = () => ok('[]', { 'Cache-Control': 'public, max-age=60, stale-if-error=0' }),
  off = false,
) {
  const limiter = new FakeLimiter();
  const endpoint = jest.fn(work);
  const logger = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const handler = pipeline({
    route: 'list-markets',
    logger,
    rateLimit: {
      callers: { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID] },
      limiter: off ? undefined : limiter,
      now: () => NOW,
    },
    endpoint,
  });
  const send = async (options: EventOptions = {}) => {
    const { statusCode, headers, body } = await handler(apiEvent(options), {} as Context);
    return { status: statusCode, headers: headers ?? {}, body };
  };
  return { limiter, endpoint, handler, send };
}

function failing(error: unknown): Work {
  return () => Promise.reject(error);
}

const long = 'x'.repeat(20_001);

describe('a header that was sent several times', () => {
  it('is handed on as one list', async () => {
    let seen: string | undefined;
    const { send } = rig(({ headers }) => {
      seen = headers['if-none-match'];
      return { status: 200, body: '[]', headers: {} };
    });
    await send({ headers: { 'If-None-Match': ['"a"', '"b"'] } });
    expect(seen).toBe('"a", "b"');
  });
});

describe('a counted response', () => {
  it.each<[number, string, Work | undefined, EventOptions]>([
    [200, 'with data', undefined, {}],
    [200, 'to HEAD', undefined, { method: 'HEAD' }],
    [304, 'to a caller who has it', () => ({ status: 304, body: '', headers: {} }), {}],
    [400, 'to a bad parameter', undefined, { query: { limit: ['many'] } }],
    [404, 'from the endpoint', failing(new ServiceError('no_order_book', 'None.')), {}],
    [405, 'to another method', undefined, { method: 'DELETE' }],
    [405, 'to a small POST', undefined, { method: 'POST', body: '{}' }],
    [410, 'for a snapshot that is gone', failing(new ServiceError('snapshot_gone', 'Gone.')), {}],
    [413, 'to a large POST', undefined, { method: 'POST', body: long }],
    [429, 'of the endpoint itself', failing(new ServiceError('rate_limited', 'Later.')), {}],
    [500, 'when something breaks', failing(new TypeError('boom')), {}],
    [502, 'when the data is stale', failing(new ServiceError('snapshot_stale', 'Old.')), {}],
  ])('%i %s counts once and tells what is left', async (status, _name, work, options) => {
    const { limiter, send } = rig(work);
    const response = await send({
      ...options,
      headers: { 'CloudFront-Viewer-Address': '198.51.100.10:443' },
    });
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({ 'RateLimit-Policy': POLICY, RateLimit: '"per-ip";r=41;t=30' });
    expect(limiter.checked).toEqual(['198.51.100.10']);
  });

  it('keeps the policy and says nothing of what is left when the table does not respond', async () => {
    const { limiter, send } = rig();
    limiter.result = Promise.resolve(undefined);
    const { status, headers } = await send();
    expect(status).toBe(200);
    expect(headers['RateLimit-Policy']).toBe(POLICY);
    expect(headers).not.toHaveProperty('RateLimit');
  });

  it('is neither counted nor marked for a partner', async () => {
    const { limiter, send } = rig();
    limiter.result = Promise.resolve(REFUSED);
    const { status, headers } = await send({ apiKeyId: 'partner-key' });
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('RateLimit'))).toEqual([]);
    expect(limiter.checked).toEqual([]);
  });

  it('is neither counted nor marked when the limit is off', async () => {
    const { limiter, send } = rig(undefined, true);
    const { status, headers } = await send();
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('RateLimit'))).toEqual([]);
    expect(limiter.checked).toEqual([]);
  });

  it('has the path of the front door, or of the API with its stage', async () => {
    const { endpoint, send } = rig();
    await send();
    await send({ apiKeyId: null });
    expect(endpoint.mock.calls.map(([request]) => request.path)).toEqual([
      '/api/markets',
      '/dev/api/markets',
    ]);
  });
});

describe('a refused request', () => {
  const refused = {
    status: 429,
    headers: {
      'Retry-After': '60',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'Content-Type': 'application/json; charset=utf-8',
      'RateLimit-Policy': POLICY,
      RateLimit: '"per-ip";r=0;t=12',
    },
  };

  it('is told so in the form of every error', async () => {
    const { limiter, send } = rig();
    limiter.result = Promise.resolve(REFUSED);
    const response = await send();
    expect(response).toMatchObject(refused);
    expect(JSON.parse(response.body)).toEqual({
      error: expect.stringMatching(/wait 60 seconds/),
      code: 'rate_limited',
      requestId: 'request-1',
    });
  });

  it('has no body when it is HEAD', async () => {
    const { limiter, send } = rig();
    limiter.result = Promise.resolve(REFUSED);
    expect(await send({ method: 'HEAD' })).toMatchObject({ ...refused, body: '' });
  });

  it('does not wait for the endpoint, and nothing comes of it when that fails later', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    let fail: (error: Error) => void = () => undefined;
    const { limiter, endpoint, send } = rig(
      () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    );
    limiter.result = Promise.resolve(REFUSED);
    expect(await send()).toMatchObject(refused);
    expect(endpoint).toHaveBeenCalledTimes(1);
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });

  it('is not even begun, nor counted, when the refusal is known beforehand', async () => {
    const { limiter, endpoint, send } = rig();
    limiter.known = REFUSED;
    expect(await send()).toMatchObject(refused);
    expect(endpoint).not.toHaveBeenCalled();
    expect(limiter.checked).toEqual([]);
    expect((await send({ apiKeyId: 'partner-key' })).status).toBe(200);
  });
});

describe('the fuse of large bodies', () => {
  const large = { take: jest.fn(() => new ServiceError('rate_limited', 'Ask for less.')) };
  const send = async (options: EventOptions, off = false) => {
    large.take.mockClear();
    const handler = pipeline({
      route: 'list-markets',
      logger: { info: jest.fn(), warn: jest.fn(), error: jest.fn() },
      rateLimit: {
        callers: { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID] },
        limiter: off ? undefined : new FakeLimiter(),
        largeBodies: large as unknown as LargeBodies,
        now: () => NOW,
      },
      endpoint: () => ok('[1]', {}),
    });
    return await handler(apiEvent(options), {} as Context);
  };

  it('refuses what it does not let through, and the response still tells of the limit', async () => {
    const { statusCode, headers, body } = await send({ headers: { 'Accept-Encoding': 'gzip' } });
    expect(large.take.mock.calls).toEqual([['[1]', 'gzip', 'request-1']]);
    expect({ statusCode, body: JSON.parse(body) }).toEqual({
      statusCode: 429,
      body: { error: 'Ask for less.', code: 'rate_limited', requestId: 'request-1' },
    });
    expect(headers).toMatchObject({ RateLimit: '"per-ip";r=41;t=30', 'Retry-After': '60' });
  });

  it('does not see a body that is not sent', async () => {
    await send({ method: 'HEAD' });
    expect(large.take.mock.calls).toEqual([['', undefined, 'request-1']]);
  });

  it.each<[string, EventOptions, boolean]>([
    ['partners', { apiKeyId: 'partner' }, false],
    ['anybody where nobody is limited', {}, true],
  ])('lets %s pass', async (_, options, off) => {
    expect((await send(options, off)).statusCode).toBe(200);
    expect(large.take).not.toHaveBeenCalled();
  });
});

describe('a request that is no read', () => {
  it('is not looked at before the limit is: nothing is parsed of a refused one', async () => {
    const { limiter, handler } = rig();
    limiter.result = Promise.resolve(REFUSED);
    const event = apiEvent({ method: 'POST' });
    const body = jest.fn(() => long);
    Object.defineProperty(event, 'body', { get: body });
    expect((await handler(event, {} as Context)).statusCode).toBe(429);
    expect(body).not.toHaveBeenCalled();
  });

  it.each([
    [20_000, 405],
    [20_001, 413],
    [40_001, 413],
    [6_000_000, 413],
  ])('has a body of %i characters at most: %i', async (characters, status) => {
    const { handler } = rig();
    for (const character of ['x', '🏈']) {
      const text = character.repeat(characters);
      const plain = apiEvent({ method: 'POST', body: text });
      const encoded = { ...plain, body: Buffer.from(text).toString('base64'), isBase64Encoded: true };
      for (const event of [plain, encoded]) {
        expect((await handler(event, {} as Context)).statusCode).toBe(status);
      }
    }
  });

  it.each([true, false])(
    'of which nothing but the length is looked at where that says enough (base64: %s)',
    async (isBase64Encoded) => {
      const { handler } = rig();
      // Nothing else can be had of it.
      const body = { length: 6_000_000 } as unknown as string;
      const event = { ...apiEvent({ method: 'POST' }), body, isBase64Encoded };
      expect((await handler(event, {} as Context)).statusCode).toBe(413);
    },
  );
});

describe('an endpoint that takes bodies', () => {
  const seen: (string | undefined)[] = [];
  const handler = pipeline({
    route: 'mcp',
    logger: { info: jest.fn(), warn: jest.fn(), error: jest.fn() },
    rateLimit: {
      callers: { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID] },
      limiter: undefined,
      now: () => NOW,
    },
    endpoint: async ({ body }) => {
      seen.push(body);
      return ok('{}', {});
    },
  });
  const send = (event: ReturnType<typeof apiEvent>) => handler(event, {} as Context);

  it('is given the body as it was meant, encoded or not', async () => {
    const plain = apiEvent({ method: 'POST', body: '{"é":1}' });
    await send(plain);
    await send({ ...plain, body: Buffer.from('{"é":1}').toString('base64'), isBase64Encoded: true });
    await send(apiEvent({ method: 'POST' }));
    expect(seen).toEqual(['{"é":1}', '{"é":1}', '']);
  });

  it('refuses other methods and bodies that are too long in words of its own', async () => {
    const get = await send(apiEvent({ method: 'GET' }));
    expect([get.statusCode, get.headers?.Allow, JSON.parse(get.body).error]).toEqual([
      405,
      'POST, OPTIONS',
      'Use POST: GET is not a method of this endpoint.',
    ]);
    const { statusCode, body } = await send(apiEvent({ method: 'POST', body: long }));
    expect([statusCode, JSON.parse(body).error]).toEqual([
      413,
      'The body of a POST may have at most 20000 characters: ask for less at once.',
    ]);
    expect(seen).toHaveLength(3);
  });
});

describe('an endpoint that is read', () => {
  it('has no body of a request, and says how it is read', async () => {
    const bodies: unknown[] = [];
    const { send } = rig((request) => {
      bodies.push('body' in request);
      return ok('[]', {});
    });
    await send({ body: 'x' });
    expect(bodies).toEqual([false]);
    expect(JSON.parse((await send({ method: 'POST', body: long })).body)).toMatchObject({
      error: 'The body of a POST may have at most 20000 characters: this endpoint is read with GET.',
    });
    // Of another method the length of a body means nothing.
    expect((await send({ method: 'PUT', body: long })).status).toBe(405);
  });
});

describe('a function behind several endpoints', () => {
  const handler = byResource(['list-markets', 'get-status'], (route) => async () => ({
    statusCode: 200,
    body: route,
  }));
  const send = (resource: string) => handler({ ...apiEvent(), resource }, {} as Context);

  it('asks the one whose resource a request has reached', async () => {
    expect((await send('/api/markets')).body).toBe('list-markets');
    expect((await send('/api/status')).body).toBe('get-status');
  });

  it('fails where there is none', async () => {
    await expect(send('/api/other')).rejects.toThrow('No endpoint here is /api/other');
  });
});

describe('an endpoint', () => {
  it.each([
    ['GET', true],
    ['HEAD', true],
    ['DELETE', false],
  ])('of %s runs while the rate limit is checked: %s', async (method, expected) => {
    let begun = false;
    const { limiter, send } = rig(() => {
      begun = true;
      return ok('[]', {});
    });
    let decide: (result: RateLimitResult) => void = () => undefined;
    limiter.result = new Promise((resolve) => {
      decide = resolve;
    });
    const responding = send({ method });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(expected);
    decide(ALLOWED);
    expect((await responding).status).toBe(expected ? 200 : 405);
  });
});
