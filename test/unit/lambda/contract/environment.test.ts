import { describe, expect, it } from '@jest/globals';
import { callsUpstream, readEnvironment } from '../../../../lambda/contract/environment.ts';
import { UPSTREAMS } from '../../../../lambda/contract/upstreams.ts';

const complete = {
  CLOB_URL: 'https://clob.example/',
  EDGE_CACHE: 'off',
  RATE_LIMIT_TABLE: 'rate-limits',
  REQUESTS_PER_MINUTE: '60',
  FRONT_DOOR: 'on',
  PUBLIC_API_KEY_IDS: 'public-key',
};
const read = (changes: Readonly<Record<string, string | undefined>>) =>
  readEnvironment('get-order-book', { ...complete, ...changes });

describe('the environment of a function', () => {
  it('is read into what the handler needs', () => {
    expect(read({})).toEqual({
      CLOB_URL: 'https://clob.example',
      EDGE_CACHE: false,
      RATE_LIMIT_TABLE: 'rate-limits',
      REQUESTS_PER_MINUTE: 60,
      FRONT_DOOR: true,
      PUBLIC_API_KEY_IDS: ['public-key'],
    });
  });

  it('is refused with the name of what is missing or malformed', () => {
    expect(() => read({ RATE_LIMIT_TABLE: undefined })).toThrow('RATE_LIMIT_TABLE is not set');
    expect(() => read({ EDGE_CACHE: 'yes' })).toThrow('EDGE_CACHE cannot be read');
    expect(() => read({ PUBLIC_API_KEY_IDS: '' })).toThrow('PUBLIC_API_KEY_IDS cannot be read');
  });

  it('tells the status whether the upstream, which it never calls, is simulated', () => {
    const status = { SNAPSHOT_TABLE: 't', FRESH_SECONDS: '120', STALE_IF_ERROR_SECONDS: '0' };
    const rest = { ...status, REFRESH_INTERVAL_SECONDS: '120', SERVICE_VERSION: 'v1' };
    const simulated = (url: string) => readEnvironment('get-status', { ...rest, CLOB_URL: url }).CLOB_URL;
    expect([simulated('http://127.0.0.1:4001'), simulated(UPSTREAMS.clob.url)]).toEqual([true, false]);
    expect([callsUpstream('get-status', 'clob'), callsUpstream('get-order-book', 'clob')]).toEqual([
      false,
      true,
    ]);
  });

  it.each([
    ['1', 1],
    ['10000', 10_000],
    ['off', 'off'],
    ['10001', 'off'],
  ])('takes a limit of %s requests as %s', (value, limit) => {
    expect(read({ REQUESTS_PER_MINUTE: value }).REQUESTS_PER_MINUTE).toBe(limit);
  });

  it.each(['', '0', '-1', '1.5', '1e3', 'on', ' 60', 'OFF'])('refuses a limit of "%s"', (value) => {
    expect(() => read({ REQUESTS_PER_MINUTE: value })).toThrow('REQUESTS_PER_MINUTE cannot be read');
  });
});
