/**
 * `ApiError` is the error with which the client package rejects when the service, or a proxy
 * before it, responds with an error. `retryAfterSeconds` reads the header Retry-After.
 */
import { describe, expect, it } from '@jest/globals';
import { ApiError, retryAfterSeconds } from '../../packages/client/src/errors.ts';
import { failure } from './support/fake-service.ts';

describe('ApiError', () => {
  it('has the sentence, the code, the status and the request id of the service', async () => {
    // Its body has `error: 'It is rate_limited.'` and `requestId: 'r-1'`.
    const response = failure(429, 'rate_limited', { 'retry-after': '60' });
    expect(new ApiError(response, await response.json())).toMatchObject({
      message: 'It is rate_limited.',
      code: 'rate_limited',
      status: 429,
      requestId: 'r-1',
      retryAfterSeconds: 60,
    });
  });

  it.each([{ body: null }, { body: '<html>' }, { body: { error: 7, code: null, requestId: 1 } }])(
    'describes a response by its status if the service did not write it: $body',
    ({ body }) => {
      const response = new Response(null, { status: 503, headers: { 'x-request-id': 'r-2' } });
      expect(new ApiError(response, body)).toMatchObject({
        message: 'The service responded with status 503.',
        code: 'http_503',
        requestId: 'r-2',
        retryAfterSeconds: undefined,
      });
    },
  );

  it('is recognised among other errors', () => {
    const error = new ApiError(failure(404, 'no_market'), { code: 'no_market' });
    expect(ApiError.is(error)).toBe(true);
    expect(ApiError.is(new Error('other'))).toBe(false);
  });

  it('is recognised by one of several codes', () => {
    const error = new ApiError(failure(404, 'no_market'), { code: 'no_market' });
    expect(ApiError.is(error, 'no_event', 'no_market')).toBe(true);
    expect(ApiError.is(error, 'no_event')).toBe(false);
  });

  it('has a type that refuses a misspelt code', () => {
    type Code = Parameters<typeof ApiError.is>[1];
    const isCode: 'no_markt' extends Code ? true : false = false;
    expect(isCode).toBe(false);
  });
});

describe('retryAfterSeconds', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const read = (value: string) =>
    retryAfterSeconds(new Response(null, { headers: { 'retry-after': value } }), now);

  it.each([
    ['0', 0],
    [' 60 ', 60],
    ['Sat, 21 Nov 2026 12:00:07 GMT', 7],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
  ])('reads seconds, and a date as the seconds until then: "%s"', (value, seconds) => {
    expect(read(value)).toBe(seconds);
  });
});
