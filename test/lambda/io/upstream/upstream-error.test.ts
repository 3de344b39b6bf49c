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
    ...[400, 404, 413, 422].map((code) => status(code)),
    // Our own limit says nothing about the route.
    error({ failure: 'rate_limited' }),
  ])('is about the request: %s', (failed) => {
    expect(failed.isAboutRequest).toBe(true);
  });

  it.each([
    ...[405, 410, 429, 500].map((code) => status(code)),
    // A page is from another server than Polymarket's.
    status(404, ' <html>'),
    error({ failure: 'network' }),
  ])('is about the route: %s', (failed) => {
    expect(failed.isAboutRequest).toBe(false);
  });

  const errorBody = (text: string) =>
    error({ failure: 'error_body', status: 200, excerpt: `{"error":"${text}"}` });

  it.each([status(429), error({ failure: 'rate_limited' }), errorBody('Too Many Requests')])(
    'is a limit: %s',
    (failed) => {
      expect(failed.isRateLimited).toBe(true);
    },
  );

  it.each([status(500, 'too many requests'), errorBody('other')])('is no limit: %s', (failed) => {
    expect(failed.isRateLimited).toBe(false);
  });

  const socketError = (code: string) => Object.assign(new Error('socket'), { code });

  it.each(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])(
    'is a closed connection by the code of its cause: %s',
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
