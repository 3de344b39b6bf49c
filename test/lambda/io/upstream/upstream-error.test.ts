import { describe, expect, it } from '@jest/globals';
import {
  UpstreamError,
  type UpstreamErrorDetails,
} from '../../../../lambda/io/upstream/upstream-error.ts';

const error = (details: Partial<UpstreamErrorDetails>) =>
  new UpstreamError({ route: 'book', failure: 'network', ...details });
const status = (code: number, excerpt = '{"error":"no"}') =>
  error({ failure: 'status', status: code, excerpt });

describe('a failed call', () => {
  it.each([
    ...[400, 404, 413, 422].map((code) => [status(code), true] as const),
    [status(404, ' <html>'), false],
    [error({ failure: 'rate_limited' }), true],
    ...[405, 410, 429, 500].map((code) => [status(code), false] as const),
    [error({}), false],
  ])('is about the request or about the route: %s, %p', (failed, expected) => {
    expect(failed.isAboutRequest).toBe(expected);
  });

  it.each([
    [status(429), true],
    [error({ failure: 'rate_limited' }), true],
    [error({ failure: 'error_body', status: 200, excerpt: '{"error":"Too Many Requests"}' }), true],
    [error({ failure: 'error_body', status: 200, excerpt: '{"error":"other"}' }), false],
    [status(500, 'too many requests'), false],
  ])('is a limit or not: %s, %p', (failed, expected) => {
    expect(failed.isRateLimited).toBe(expected);
  });

  it.each([
    ...['ECONNRESET', 'EPIPE', 'ECONNABORTED'].map((code) => [code, true] as const),
    ['ECONNREFUSED', false] as const,
  ])('is a stale socket by the code of a cause: %s', (code, expected) => {
    const cause = Object.assign(new Error('socket'), { code });
    expect(error({ cause }).isConnectionReset).toBe(expected);
    expect(error({ cause, failure: 'timeout' }).isConnectionReset).toBe(false);
    expect(error({ cause }).reason).toBe('Error: socket');
    expect(error({}).reason).toBeUndefined();
  });
});
