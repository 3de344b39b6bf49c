import { expect, it } from '@jest/globals';
import { UpstreamError } from '../../../../lambda/http-client/upstream-error.ts';

it('tells what lies beneath it, where fetch has wrapped it', () => {
  const root = new Error('getaddrinfo ENOTFOUND gamma-api.polymarket.com');
  const cause = new TypeError('fetch failed', { cause: root });
  expect(new UpstreamError({ route: 'r', failure: 'network', cause }).reason).toBe(String(root));
  expect(new UpstreamError({ route: 'r', failure: 'timeout' }).reason).toBeUndefined();
});

it.each([
  ['ECONNRESET', true],
  ['EPIPE', true],
  ['UND_ERR_SOCKET', true],
  ['ECONNREFUSED', false],
  ['ENOTFOUND', false],
  ['EAI_AGAIN', false],
  ['UND_ERR_CONNECT_TIMEOUT', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
])('%s is a stale socket: %p', (code, stale) => {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
  expect(new UpstreamError({ route: 'r', failure: 'network', cause }).staleSocket).toBe(stale);
  expect(new UpstreamError({ route: 'r', failure: 'timeout', cause }).staleSocket).toBe(false);
});
