import { describe, expect, it } from '@jest/globals';
import {
  UpstreamError,
  type UpstreamErrorDetails,
} from '../../../../lambda/io/upstream/upstream-error.ts';

// An `UpstreamError` is a failed call to Polymarket ("upstream"). Its getters say what follows for
// retries and for other calls of the same route. Polymarket's errors are JSON: `{"error":"…"}`.

const error = (details: Partial<UpstreamErrorDetails>) =>
  new UpstreamError({ route: 'book', failure: 'network', ...details });
const status = (code: number, excerpt = '{"error":"no"}') =>
  error({ failure: 'status', status: code, excerpt });

describe('a failed call', () => {
  it.each([400, 404, 413, 422])('with the status %i is about its request only', (code) => {
    expect(status(code).isAboutRequest).toBe(true);
  });

  it('that our own limit prevented says nothing about the route', () => {
    expect(error({ failure: 'rate_limited' }).isAboutRequest).toBe(true);
  });

  it.each([405, 410, 429, 500])('with the status %i is about the whole route', (code) => {
    expect(status(code).isAboutRequest).toBe(false);
  });

  it('is about the whole route if the response is HTML or absent', () => {
    expect(status(404, ' <html>').isAboutRequest).toBe(false);
    expect(error({ failure: 'network' }).isAboutRequest).toBe(false);
  });

  const errorBody = (text: string) =>
    error({ failure: 'error_body', status: 200, excerpt: `{"error":"${text}"}` });

  it.each([
    { when: 'a status 429', failed: status(429), isRateLimited: true },
    { when: 'our own limit', failed: error({ failure: 'rate_limited' }), isRateLimited: true },
    {
      when: 'the text of a limit with status 200',
      failed: errorBody('Too Many Requests'),
      isRateLimited: true,
    },
    {
      when: 'the text of a limit with status 500',
      failed: status(500, 'too many requests'),
      isRateLimited: false,
    },
    { when: 'another text', failed: errorBody('other'), isRateLimited: false },
  ])('after $when is due to a rate limit: $isRateLimited', ({ failed, isRateLimited }) => {
    expect(failed.isRateLimited).toBe(isRateLimited);
  });

  const socketError = (code: string) => Object.assign(new Error('socket'), { code });

  it.each(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])(
    'with the code %s of Node in its cause is a closed connection',
    (code) => {
      expect(error({ cause: socketError(code) }).isConnectionReset).toBe(true);
    },
  );

  it('is no closed connection if the connection was refused', () => {
    expect(error({ cause: socketError('ECONNREFUSED') }).isConnectionReset).toBe(false);
  });

  it('is no closed connection after a time-out', () => {
    const failed = error({ cause: socketError('ECONNRESET'), failure: 'timeout' });
    expect(failed.isConnectionReset).toBe(false);
  });

  it('has its cause as the reason', () => {
    expect(error({ cause: socketError('EPIPE') }).reason).toBe('Error: socket');
    expect(error({}).reason).toBeUndefined();
  });
});
