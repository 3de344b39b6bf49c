import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';
import { cacheControl } from '../../../../lambda/http/cache-control.ts';
import { errorResponse, ok, toResult } from '../../../../lambda/http/response.ts';

describe('an error as a response', () => {
  const of = (error: unknown, allowed?: readonly string[]) => {
    const { status, body, headers } = errorResponse(error, 'r-1', allowed);
    return { status, body: JSON.parse(body), headers };
  };

  it('that nobody expected says that it is ours, and nothing else', () => {
    expect(of(new TypeError('secret'))).toEqual({
      status: 500,
      body: {
        error: 'Something went wrong on our side; try again in a moment.',
        code: 'internal_error',
        requestId: 'r-1',
      },
      headers: { 'Cache-Control': 'no-store' },
    });
  });

  it('says what is allowed with 405, and nowhere else', () => {
    expect(of(new ServiceError('method_not_allowed', 'x'), ['GET', 'POST']).headers.Allow).toBe('GET, POST');
    expect(of(new ServiceError('method_not_allowed', 'x')).headers.Allow).toBe('GET, HEAD, OPTIONS');
    expect(of(new ServiceError('snapshot_gone', 'x')).headers).not.toHaveProperty('Allow');
  });

  it('says when to come back with 429, and where somebody knows', () => {
    expect(of(new ServiceError('rate_limited', 'x')).headers['Retry-After']).toBe('60');
    const limited = new ServiceError('upstream_unavailable', 'x', { retryAfterSeconds: 7 });
    expect(of(limited).headers['Retry-After']).toBe('7');
    expect(of(new ServiceError('upstream_unavailable', 'x')).headers).not.toHaveProperty('Retry-After');
  });
});

describe('a response', () => {
  it('carries what every response carries, and to HEAD no body', () => {
    const result = toResult(ok('[]', { ETag: '"1"' }), 'r-2', false);
    expect(result).toMatchObject({
      statusCode: 200,
      body: '[]',
      headers: {
        Vary: 'Accept-Encoding',
        'X-Request-Id': 'r-2',
        ETag: '"1"',
        'Access-Control-Allow-Origin': '*',
      },
    });
    expect(toResult(ok('[]', {}), 'r-3', true).body).toBe('');
  });

  it('may be kept by browsers, by the edge only where that is wished, and never beyond an error', () => {
    expect(cacheControl(30, false)).toBe('public, max-age=30, s-maxage=0, stale-if-error=0');
    expect(cacheControl(30, true)).toBe('public, max-age=30, stale-if-error=0');
  });
});
