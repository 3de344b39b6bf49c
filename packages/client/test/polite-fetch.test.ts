import { describe, expect, it } from '@jest/globals';
import { Budget } from '../src/budget.ts';
import { EtagCache } from '../src/etag-cache.ts';
import { politeFetch } from '../src/polite-fetch.ts';
import { FakeTiming, failure, fakeService, json, type Responder } from './support/fake-service.ts';

function polite(responder: Responder, { limit = 60, retries = 2, etags = true } = {}) {
  const timing = new FakeTiming();
  const service = fakeService(responder);
  const budget = new Budget(limit, timing);
  const send = politeFetch({
    fetch: service.fetch,
    budget,
    etags: etags ? new EtagCache(2) : undefined,
    timing,
    retries,
  });
  return { timing, budget, ...service, get: (path: string) => send(new Request(`http://service${path}`)) };
}

describe('tags', () => {
  const tagged: Responder = (request) =>
    request.headers.get('if-none-match') === 'W/"1"'
      ? new Response(null, { status: 304, headers: { etag: 'W/"1"', ratelimit: '"per-ip";r=7;t=60' } })
      : json(['body'], { etag: 'W/"1"', 'x-total-count': '9' });

  it('turns a 304 into the response that is kept, with the newer headers', async () => {
    const { get } = polite(tagged);
    await get('/a');
    const again = await get('/a');
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(['body']);
    expect(again.headers.get('ratelimit')).toContain('r=7');
    expect(again.headers.get('x-total-count')).toBe('9');
  });

  it('forgets the least recently used response first', async () => {
    const { get, requests } = polite(tagged);
    for (const path of ['/a', '/b', '/a', '/c', '/a', '/b']) await get(path);
    const sent = requests.map(({ url, headers }) => [
      new URL(url).pathname,
      headers.get('if-none-match') !== null,
    ]);
    expect(sent).toEqual([
      ['/a', false],
      ['/b', false],
      ['/a', true],
      ['/c', false],
      ['/a', true],
      ['/b', false],
    ]);
  });

  it('sends no tag of its own where the platform keeps responses', async () => {
    const { get, requests } = polite(tagged, { etags: false });
    await get('/a');
    await get('/a');
    expect(requests.every(({ headers }) => headers.get('if-none-match') === null)).toBe(true);
  });
});

describe('being asked to wait', () => {
  it('waits for as long as Retry-After says and tries again', async () => {
    let calls = 0;
    const { get, timing } = polite(() =>
      ++calls === 1 ? failure(429, 'rate_limited', { 'retry-after': '60' }) : json('there'),
    );
    expect(await (await get('/')).json()).toBe('there');
    expect(timing.slept).toEqual([60_000]);
  });

  it('gives the refusal to the caller when it was tried often enough', async () => {
    const { get, requests } = polite(() => failure(502, 'snapshot_stale'));
    expect((await get('/')).status).toBe(502);
    expect(requests).toHaveLength(3);
  });

  it.each([400, 403, 404, 410, 500])('does not repeat what a repetition cannot mend: %d', async (status) => {
    const { get, requests } = polite(() => failure(status, 'whatever'));
    expect((await get('/')).status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  it('tries again when there is no response, and rejects with the last failure', async () => {
    const { get, requests } = polite(() => Promise.reject(new TypeError('fetch failed')));
    await expect(get('/')).rejects.toThrow('fetch failed');
    expect(requests).toHaveLength(3);
  });
});

describe('the budget', () => {
  it('never lets more than its requests out in any 60 seconds', async () => {
    const moments: number[] = [];
    const { get, timing } = polite(() => {
      moments.push(timing.now());
      timing.pass(700);
      return json(1);
    });
    for (let n = 0; n < 200; n++) await get('/');
    for (const start of moments) {
      expect(
        moments.filter((moment) => moment >= start && moment < start + 60_000).length,
      ).toBeLessThanOrEqual(60);
    }
  });

  it('heeds that others behind the address have used up the allowance', async () => {
    const { get, timing, budget } = polite(() => json(1, { ratelimit: '"per-ip";r=0;t=20' }));
    await get('/');
    expect(budget.left).toBe(0);
    await get('/');
    expect(timing.slept).toEqual([20_000]);
  });

  it('stops waiting when the caller gives up', async () => {
    const timing = new FakeTiming();
    const budget = new Budget(0, timing);
    await expect(budget.take(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
