// The pipeline passes each request of API Gateway to its endpoint and returns the response. It
// checks the method, the parameters and the rate limit, adds the common headers, and turns errors
// into JSON.

import { describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ServiceError } from '../../../lambda/core/domain/service-error.ts';
import type { Endpoint } from '../../../lambda/http/endpoint.ts';
import { pipeline } from '../../../lambda/http/pipeline.ts';
import { ok } from '../../../lambda/http/response.ts';
import type { Decision } from '../../../lambda/io/rate-limit/rate-limiter.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../support/api-event.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
/** The decisions of the limiter. A response has their times in whole seconds, rounded up. */
const ALLOWED: Decision = { allowed: true, remaining: 41, resetAt: NOW + 29_001 };
const REFUSED: Decision = { allowed: false, remaining: 0, resetAt: NOW + 12_000 };
/** The header for a limit of 60 requests in a window of 60 s. */
const POLICY = '"per-ip";q=60;w=60';
const CONTEXT = {} as Context;
/** A character more than a body may have. */
const LONG_BODY = 'x'.repeat(20_001);

type Route = 'list-markets' | 'mcp';
type Respond = Endpoint<Route>;

/** A pipeline around an endpoint, with a limit that allows every request. */
function setUp(
  respond: Respond = () => ok('[]', { 'Cache-Control': 'no-cache' }),
  route: Route = 'list-markets',
) {
  const limiter = {
    limit: 60,
    check: jest.fn<(address: string) => Promise<Decision | undefined>>().mockResolvedValue(ALLOWED),
    immediateRefusal: jest.fn<(address: string) => Decision | undefined>(),
  };
  const endpoint = jest.fn(respond);
  const logger = { warn: jest.fn(), error: jest.fn() };
  const metrics = { add: jest.fn(), flush: jest.fn() };
  const handler = pipeline({
    route,
    logger,
    metrics,
    callers: { frontDoor: true, publicKeyIds: [PUBLIC_KEY_ID] },
    limiter,
    endpoint,
    clock: { now: () => NOW },
  });
  const sendEvent = async (event: APIGatewayProxyEvent) => {
    const { statusCode, headers = {}, body } = await handler(event, CONTEXT);
    return { status: statusCode, headers, body };
  };
  const send = (options: EventOptions = {}) => sendEvent(apiEvent(options));
  return { handler, limiter, endpoint, logger, metrics, sendEvent, send };
}

const failing = (error: unknown) => () => Promise.reject(error);

const NO_MARKET = new ServiceError('no_market', 'None.');

/** The same request with its body in base64. */
const asBase64 = (event: APIGatewayProxyEvent): APIGatewayProxyEvent => ({
  ...event,
  body: Buffer.from(event.body ?? '').toString('base64'),
  isBase64Encoded: true,
});

describe('every response', () => {
  it('has the common headers [sentence 4]', async () => {
    expect((await setUp().send()).headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      Vary: 'Accept-Encoding',
      'X-Request-Id': 'request-1',
    });
  });

  const csv = { 'Content-Type': 'text/csv', Vary: 'Accept' };

  it('has the headers that the endpoint sets, in place of the common ones', async () => {
    const { send } = setUp(() => ok('a,b', csv));
    expect(await send()).toMatchObject({ status: 200, body: 'a,b', headers: csv });
  });

  it('to HEAD is the one to GET without its body', async () => {
    const { send } = setUp(() => ok('a,b', csv));
    expect(await send({ method: 'HEAD' })).toEqual({ ...(await send()), body: '' });
  });

  it.each<{ status: number; kind: string; respond?: Respond; request?: EventOptions }>([
    { status: 200, kind: 'with data' },
    { status: 400, kind: 'to a wrong parameter', request: { query: { limit: ['many'] } } },
    { status: 404, kind: 'of the endpoint', respond: failing(NO_MARKET) },
    { status: 413, kind: 'to a large POST', request: { method: 'POST', body: LONG_BODY } },
  ])(
    'is counted once and says what is left of the limit: a $status $kind',
    async ({ status, respond, request }) => {
      const { limiter, send } = setUp(respond);
      const response = await send(request);
      expect(response.status).toBe(status);
      expect(response.headers).toMatchObject({
        'RateLimit-Policy': POLICY,
        RateLimit: '"per-ip";r=41;t=30',
      });
      expect(limiter.check).toHaveBeenCalledTimes(1);
    },
  );

  it('has only the policy while the limiter cannot decide', async () => {
    const { limiter, send } = setUp();
    limiter.check.mockResolvedValue(undefined);
    const { status, headers } = await send();
    expect(status).toBe(200);
    expect(headers['RateLimit-Policy']).toBe(POLICY);
    expect(headers).not.toHaveProperty('RateLimit');
  });
});

describe('a request that is not counted [sentence 10]', () => {
  const ignore = { add() {}, flush() {}, warn() {}, error() {} };
  /** As for every route with the limit off, and for the page. */
  const withoutLimiter = pipeline({
    route: 'list-markets',
    endpoint: () => ok('[]', {}),
    callers: { frontDoor: false, publicKeyIds: [PUBLIC_KEY_ID] },
    limiter: undefined,
    logger: ignore,
    metrics: ignore,
  });

  it.each([
    ['of a partner', setUp().handler, 'partner-key'],
    ['without a limiter', withoutLimiter, PUBLIC_KEY_ID],
  ])('gets no headers of the limit: %s', async (_which, handler, apiKeyId) => {
    const { statusCode, headers = {} } = await handler(apiEvent({ apiKeyId }), CONTEXT);
    expect(statusCode).toBe(200);
    expect(headers).not.toHaveProperty('RateLimit-Policy');
  });
});

describe('a refused request', () => {
  const REFUSAL = {
    status: 429,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json; charset=utf-8',
      // Always a whole window: after it, no earlier request counts.
      'Retry-After': '60',
      'RateLimit-Policy': POLICY,
      RateLimit: '"per-ip";r=0;t=12',
    },
  };

  it('does not wait for the endpoint, and a later failure there has no effect', async () => {
    const unhandled = jest.fn();
    process.once('unhandledRejection', unhandled);
    const { promise, reject } = Promise.withResolvers<never>();
    const { limiter, endpoint, send } = setUp(() => promise);
    limiter.check.mockResolvedValue(REFUSED);
    expect(await send()).toMatchObject(REFUSAL);
    expect(endpoint).toHaveBeenCalledTimes(1);
    reject(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('reaches neither endpoint nor table while the container remembers the refusal', async () => {
    const { limiter, endpoint, send } = setUp();
    limiter.immediateRefusal.mockReturnValue(REFUSED);
    expect(await send()).toMatchObject(REFUSAL);
    expect(endpoint).not.toHaveBeenCalled();
    expect(limiter.check).not.toHaveBeenCalled();
  });
});

describe('reads', () => {
  it.each(['GET', 'HEAD'])('run while the limit is checked: %s', async (method) => {
    const { limiter, endpoint, send } = setUp();
    const { promise, resolve } = Promise.withResolvers<Decision>();
    limiter.check.mockReturnValue(promise);
    const response = send({ method });
    await new Promise((next) => setImmediate(next));
    expect(endpoint).toHaveBeenCalledTimes(1);
    resolve(ALLOWED);
    expect((await response).status).toBe(200);
  });

  it('get parameters, the sent query, lower-case headers and the path', async () => {
    const { endpoint, send } = setUp();
    const headers = { Accept: 'text/csv', 'If-None-Match': ['"a"', '"b"'] };
    await send({ query: { limit: ['5'], x: ['y'] }, headers });
    expect(endpoint.mock.calls[0]?.[0]).toEqual({
      parameters: { limit: 5, offset: 0 },
      sent: { limit: '5' },
      headers: { accept: 'text/csv', 'if-none-match': '"a", "b"' },
      path: '/api/markets',
    });
  });
});

describe('requests that are not reads', () => {
  it('wait for the check, so that a refused body is not read', async () => {
    const { limiter, sendEvent } = setUp();
    limiter.check.mockResolvedValue(REFUSED);
    const event = apiEvent({ method: 'POST' });
    const body = jest.fn(() => LONG_BODY);
    Object.defineProperty(event, 'body', { get: body });
    expect((await sendEvent(event)).status).toBe(429);
    expect(body).not.toHaveBeenCalled();
  });

  it('get the preflight headers for OPTIONS, and are not counted [sentence 4]', async () => {
    const { limiter, send } = setUp();
    const { status, headers, body } = await send({ method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(body).toBe('');
    expect(headers['Access-Control-Allow-Methods']).toBe('GET,HEAD,OPTIONS');
    expect(limiter.check).not.toHaveBeenCalled();
  });

  it('get a 405 that names the allowed methods [sentence 8]', async () => {
    const { headers, body } = await setUp().send({ method: 'DELETE' });
    expect(headers.Allow).toBe('GET, HEAD, OPTIONS');
    const error = 'This endpoint does not support DELETE. Use GET.';
    expect(JSON.parse(body)).toMatchObject({ code: 'method_not_allowed', error });
  });

  // Characters, not bytes: a football takes four bytes in UTF-8. API Gateway may send base64.
  it.each([
    [20_000, 405],
    [20_001, 413],
    [6_000_000, 413],
  ])('with a body of %i characters get a %i [sentence 38]', async (characters, expected) => {
    const { sendEvent } = setUp();
    for (const character of ['x', '🏈']) {
      const text = character.repeat(characters);
      const plain = apiEvent({ method: 'POST', body: text });
      for (const event of [plain, asBase64(plain)]) {
        const { status, body } = await sendEvent(event);
        expect(status).toBe(expected);
        expect(JSON.parse(body).error).toContain('Use GET');
      }
    }
  });
});

describe('an error', () => {
  const requestId = 'request-1';

  it('that is unexpected is a 500 without its text, is logged, and counts', async () => {
    const { logger, metrics, send } = setUp(failing(new TypeError('secret detail')));
    const { status, headers, body } = await send();
    expect(status).toBe(500);
    expect(headers['Cache-Control']).toBe('no-store');
    expect(JSON.parse(body)).toEqual({
      error: expect.not.stringContaining('secret'),
      code: 'internal_error',
      requestId,
    });
    expect(metrics.add.mock.calls).toEqual([['InternalErrors', 1]]);
    expect(metrics.flush).toHaveBeenCalledTimes(1);
    expect(logger.error).toHaveBeenCalledTimes(1);
  });

  it('of the endpoint has its code, its sentence and Retry-After [sentence 37]', async () => {
    const { metrics, send } = setUp(() => {
      throw new ServiceError('snapshot_missing', 'Wait.', { retryAfterSeconds: 15 });
    });
    const { status, headers, body } = await send();
    expect(status).toBe(502);
    expect(headers['Cache-Control']).toBe('no-store');
    expect(headers['Retry-After']).toBe('15');
    expect(JSON.parse(body)).toEqual({ error: 'Wait.', code: 'snapshot_missing', requestId });
    expect(metrics.add).not.toHaveBeenCalled();
  });
});

describe('an endpoint that takes bodies', () => {
  it('gets the decoded body', async () => {
    const { endpoint, sendEvent } = setUp(undefined, 'mcp');
    const plain = apiEvent({ method: 'POST', body: '{"é":1}' });
    for (const event of [plain, asBase64(plain), apiEvent({ method: 'POST' })])
      await sendEvent(event);
    expect(endpoint.mock.calls.map(([{ body }]) => body)).toEqual(['{"é":1}', '{"é":1}', '']);
  });

  it('rejects other methods', async () => {
    const { status, headers } = await setUp(undefined, 'mcp').send();
    expect(status).toBe(405);
    expect(headers.Allow).toBe('POST, OPTIONS');
  });

  it('rejects long bodies [sentence 38]', async () => {
    const request = { method: 'POST', body: LONG_BODY };
    const { status, body } = await setUp(undefined, 'mcp').send(request);
    expect(status).toBe(413);
    expect(JSON.parse(body).error).toContain('20000 characters. Send a smaller request.');
  });
});
