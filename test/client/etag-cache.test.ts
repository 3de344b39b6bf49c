/**
 * The client package stores responses that have an ETag, and sends the ETag with the next request.
 * If the service responds with 304, the stored response is still right, and `EtagCache` restores
 * it.
 */
import { describe, expect, it } from '@jest/globals';
import { EtagCache } from '../../packages/client/src/etag-cache.ts';

/** A response with an ETag. */
const tagged = (body: string) =>
  new Response(body, { headers: { etag: `"${body}"`, 'x-total-count': '9' } });

/** What a caller gets for a 304 with these headers. */
function restored(cache: EtagCache, url: string, headers: Record<string, string> = {}) {
  const cached = cache.get(url);
  return cached && cache.restore(url, cached, new Response(null, { status: 304, headers }));
}

// Each cache of these tests has places for two responses.
describe('EtagCache', () => {
  it('restores the body with the headers of both responses, the newer ones first', async () => {
    const cache = new EtagCache(2);
    const response = tagged('a');
    await cache.store('/a', response);
    expect(await response.text()).toBe('a');
    const again = restored(cache, '/a', { ratelimit: 'r=7', 'x-total-count': '8' });
    expect(again?.status).toBe(200);
    expect(await again?.text()).toBe('a');
    const headers = ['ratelimit', 'x-total-count', 'etag'].map((name) => again?.headers.get(name));
    expect(headers).toEqual(['r=7', '8', '"a"']);
  });

  it('stores only responses that have an ETag', async () => {
    const cache = new EtagCache(2);
    await cache.store('/a', new Response('a'));
    expect(cache.get('/a')).toBeUndefined();
  });

  it('removes the least recently used response first', async () => {
    const cache = new EtagCache(2);
    await cache.store('/a', tagged('a'));
    await cache.store('/b', tagged('b'));
    restored(cache, '/a');
    await cache.store('/c', tagged('c'));
    expect(['/a', '/b', '/c'].map((url) => cache.get(url)?.etag)).toEqual([
      '"a"',
      undefined,
      '"c"',
    ]);
  });
});
