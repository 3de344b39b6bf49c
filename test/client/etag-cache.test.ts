import { describe, expect, it } from '@jest/globals';
import { EtagCache } from '../../packages/client/src/etag-cache.ts';

const tagged = (body: string) =>
  new Response(body, { headers: { etag: `"${body}"`, 'x-total-count': '9' } });
const notModified = (headers: Record<string, string> = {}) =>
  new Response(null, { status: 304, headers });

describe('EtagCache', () => {
  it('restores the body with the headers of both responses, the newer ones first', async () => {
    const cache = new EtagCache(2);
    const response = tagged('a');
    await cache.store('/a', response);
    expect(await response.text()).toBe('a');
    const restored = cache.restore('/a', notModified({ ratelimit: 'r=7', 'x-total-count': '8' }));
    expect([restored?.status, await restored?.text()]).toEqual([200, 'a']);
    const headers = ['ratelimit', 'x-total-count', 'etag'].map((name) =>
      restored?.headers.get(name),
    );
    expect(headers).toEqual(['r=7', '8', '"a"']);
  });

  it('stores only responses that have an ETag', async () => {
    const cache = new EtagCache(2);
    await cache.store('/a', new Response('a'));
    expect([cache.etagOf('/a'), cache.restore('/a', notModified())]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('removes the least recently used response first', async () => {
    const cache = new EtagCache(2);
    await cache.store('/a', tagged('a'));
    await cache.store('/b', tagged('b'));
    cache.restore('/a', notModified());
    await cache.store('/c', tagged('c'));
    expect(['/a', '/b', '/c'].map((url) => cache.etagOf(url))).toEqual(['"a"', undefined, '"c"']);
  });
});
