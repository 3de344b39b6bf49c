import { Logger } from '@aws-lambda-powertools/logger';
import { describe, expect, it, jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';
import { type EndpointRequest, endpoint } from '../../../../lambda/http/pipeline.ts';
import { perIpGate } from '../../../../lambda/http/rate-limit-middleware.ts';
import { type Answer, ok } from '../../../../lambda/http/response.ts';
import type { AddressLimit, Verdict } from '../../../../lambda/rate-limit/sliding-window.ts';
import { apiEvent, type EventOptions, PUBLIC_KEY_ID } from '../../../support/api-event.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ALLOWED: Verdict = { allowed: true, remaining: 41, resetAt: NOW + 29_001 };
const REFUSED: Verdict = { allowed: false, remaining: 0, resetAt: NOW + 12_000 };
const POLICY = '"per-ip";q=60;w=60';

class FakeLimit implements AddressLimit {
  readonly limit = 60;
  readonly counted: string[] = [];
  known: Verdict | undefined;
  verdict: Promise<Verdict | undefined> = Promise.resolve(ALLOWED);

  knownRefusal(): Verdict | undefined {
    return this.known;
  }

  count(address: string): Promise<Verdict | undefined> {
    this.counted.push(address);
    return this.verdict;
  }
}

type Work = (request: EndpointRequest<'list-markets'>) => Promise<Answer> | Answer;

function rig(
  work: Work = () => ok('[]', { 'Cache-Control': 'public, max-age=60, stale-if-error=0' }),
  off = false,
) {
  const limit = new FakeLimit();
  const answer = jest.fn(work);
  const logger = new Logger({ logLevel: 'SILENT' });
  const gate = off ? undefined : perIpGate(limit, PUBLIC_KEY_ID, () => NOW);
  const handler = endpoint({
    route: 'list-markets',
    logger,
    access: { publicKeyId: PUBLIC_KEY_ID, gate },
    answer,
  });
  const send = async (options: EventOptions = {}) => {
    const { statusCode, headers, body } = await handler(apiEvent(options), {} as Context);
    return { status: statusCode, headers: headers ?? {}, body };
  };
  return { limit, answer, send };
}

function failing(error: unknown): Work {
  return () => Promise.reject(error);
}

const long = 'x'.repeat(20_001);

describe('a counted answer', () => {
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
    const { limit, send } = rig(work);
    const answer = await send({ ...options, headers: { 'CloudFront-Viewer-Address': '198.51.100.10:443' } });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ 'RateLimit-Policy': POLICY, RateLimit: '"per-ip";r=41;t=30' });
    expect(limit.counted).toEqual(['198.51.100.10']);
  });

  it('keeps the policy and says nothing of what is left when the table does not answer', async () => {
    const { limit, send } = rig();
    limit.verdict = Promise.resolve(undefined);
    const { status, headers } = await send();
    expect(status).toBe(200);
    expect(headers['RateLimit-Policy']).toBe(POLICY);
    expect(headers).not.toHaveProperty('RateLimit');
  });

  it('is neither counted nor marked for a partner', async () => {
    const { limit, send } = rig();
    limit.verdict = Promise.resolve(REFUSED);
    const { status, headers } = await send({ apiKeyId: 'partner-key' });
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('RateLimit'))).toEqual([]);
    expect(limit.counted).toEqual([]);
  });

  it('is neither counted nor marked when the limit is off', async () => {
    const { limit, send } = rig(undefined, true);
    const { status, headers } = await send();
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('RateLimit'))).toEqual([]);
    expect(limit.counted).toEqual([]);
  });

  it('has the path of the front door, or of the API with its stage', async () => {
    const { answer, send } = rig();
    await send();
    await send({ apiKeyId: null });
    expect(answer.mock.calls.map(([request]) => request.path)).toEqual(['/api/markets', '/dev/api/markets']);
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
    const { limit, send } = rig();
    limit.verdict = Promise.resolve(REFUSED);
    const answer = await send();
    expect(answer).toMatchObject(refused);
    expect(JSON.parse(answer.body)).toEqual({
      error: expect.stringMatching(/wait 60 seconds/),
      code: 'rate_limited',
      requestId: 'request-1',
    });
  });

  it('has no body when it is HEAD', async () => {
    const { limit, send } = rig();
    limit.verdict = Promise.resolve(REFUSED);
    expect(await send({ method: 'HEAD' })).toMatchObject({ ...refused, body: '' });
  });

  it('does not wait for its work, and nothing comes of it when that fails later', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    let fail: (error: Error) => void = () => undefined;
    const { limit, answer, send } = rig(
      () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    );
    limit.verdict = Promise.resolve(REFUSED);
    expect(await send()).toMatchObject(refused);
    expect(answer).toHaveBeenCalledTimes(1);
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });

  it('is not even begun, nor counted, when the refusal is known beforehand', async () => {
    const { limit, answer, send } = rig();
    limit.known = REFUSED;
    expect(await send()).toMatchObject(refused);
    expect(answer).not.toHaveBeenCalled();
    expect(limit.counted).toEqual([]);
    expect((await send({ apiKeyId: 'partner-key' })).status).toBe(200);
  });
});

describe('the work of a request', () => {
  it('is done while the gate is asked', async () => {
    let begun = false;
    const { limit, send } = rig(() => {
      begun = true;
      return ok('[]', {});
    });
    let admit: (verdict: Verdict) => void = () => undefined;
    limit.verdict = new Promise((resolve) => {
      admit = resolve;
    });
    const answering = send();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(true);
    admit(ALLOWED);
    expect((await answering).status).toBe(200);
  });
});
