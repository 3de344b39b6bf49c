import { expect, it } from '@jest/globals';
import { UpstreamError } from '../../../../lambda/http-client/upstream-error.ts';

it('tells what lies beneath it, where fetch has wrapped it', () => {
  const root = new Error('getaddrinfo ENOTFOUND gamma-api.polymarket.com');
  const cause = new TypeError('fetch failed', { cause: root });
  expect(new UpstreamError({ route: 'r', failure: 'network', cause }).reason).toBe(String(root));
  expect(new UpstreamError({ route: 'r', failure: 'timeout' }).reason).toBeUndefined();
});
