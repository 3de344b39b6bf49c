import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { FaultSpec } from '../../../local/simulator/index.ts';
import { type Listed, type TestResponse, type TestSimulator, testSimulator } from './support.ts';

const simulator = await testSimulator({ v2Share: 0, markets: 120 });
const listed = (await simulator.get('/markets/keyset?limit=50')).body.markets as Listed[];
const tokens = listed.flatMap(({ clobTokenIds }) => JSON.parse(clobTokenIds ?? '[]') as string[]);
/** Those of single tests. */
const others: TestSimulator[] = [];
afterAll(() => Promise.all([simulator, ...others].map((one) => one.stop())));
afterEach(() => {
  simulator.clearFaults();
  simulator.clearCalls();
});

const page = (query = 'limit=40'): Promise<TestResponse> => simulator.get(`/markets/keyset?${query}`);
/** Both sides by token. */
const books = async (check: (book: object) => void = () => undefined): Promise<Record<string, object>> => {
  const sides = tokens.flatMap((token_id) => ['BUY', 'SELL'].map((side) => ({ token_id, side })));
  const found = (await simulator.post('/prices', sides)).body as Record<string, object>;
  Object.values(found).forEach(check);
  return found;
};
const book = (): Promise<TestResponse> => simulator.get(`/book?token_id=${tokens[0]}`);
const count = ({ body }: TestResponse): number => (body.markets as unknown[]).length;
const set = (fault: object): void => simulator.addFault(fault as FaultSpec);

describe('faults', () => {
  it.each([
    ['status', {}, 500, { type: 'internal error', error: 'cannot get the information' }],
    ['html', {}, 403, { text: '<h1>Forbidden</h1>' }],
    ['throttled', {}, 429, { text: '<h1>Too Many Requests</h1>' }],
    ['error-200', {}, 200, { error: 'Too Many Requests' }],
    ['empty', {}, 200, {}],
  ])('%s %j responds in place of the route', async (kind, options, status, body) => {
    set({ route: 'book', kind, ...options });

    expect(await book()).toMatchObject({ status, body });
    expect((await page()).status).toBe(200);
  });

  it.each(['reset', 'reset-body', 'truncate', 'malformed'])('%s leaves no response that can be read', async (kind) => {
    set({ route: 'gamma', kind });

    await expect(page()).rejects.toThrow();
  });

  it('missing, duplicates and loop-cursor change pages of the catalogue', async () => {
    const { next_cursor } = (await page()).body;
    set({ route: 'markets-keyset', kind: 'missing', share: 0.5, times: 1 });
    expect(count(await page())).toBeLessThan(35);
    set({ route: 'markets-keyset', kind: 'duplicates', times: 1 });
    expect(count(await page())).toBe(70);
    set({ route: 'markets-keyset', kind: 'loop-cursor', times: 2 });
    const looped = await page(`limit=40&after_cursor=${next_cursor}`);
    const again = await page(`limit=40&after_cursor=${looped.body.next_cursor}`);

    expect((again.body.markets as Listed[])[0]?.id).toBe('500000');
  });

  it.each([
    ['prices-empty', (book: object) => expect(book).toEqual({ BUY: '0', SELL: '0' })],
    ['prices-wide', (book: object) => expect(book).toEqual({ BUY: '0.01', SELL: '0.99' })],
    [
      'prices-invalid',
      (book: object) => {
        for (const side of Object.values(book)) {
          expect(typeof side === 'string' && Number(side) > 0 && Number(side) < 1).toBe(false);
        }
      },
    ],
  ])('%s changes the books of a share of the tokens', async (kind, check) => {
    const all = await books();
    set({ route: 'prices', kind, times: 1 });
    expect(Object.keys(await books(check))).toEqual(Object.keys(all));
    set({ route: 'prices', kind: 'prices-missing', share: 0.5, times: 1 });
    expect(Object.keys(await books()).length).toBeLessThan(Object.keys(all).length * 0.8);
    set({ route: 'prices', kind, share: 0, times: 1 });
    expect(await books()).toEqual(all);
  });

  it('act on some requests only, as times, after and every say', async () => {
    const statuses = async (fault: object): Promise<number[]> => {
      simulator.clearFaults();
      set({ route: '*', kind: 'status', ...fault });
      const responses: number[] = [];
      for (let n = 0; n < 5; n++) responses.push((await book()).status);
      return responses;
    };

    expect(await statuses({ times: 2 })).toEqual([500, 500, 200, 200, 200]);
    expect(await statuses({ after: 3 })).toEqual([200, 200, 200, 500, 500]);
    expect(await statuses({ every: 2 })).toEqual([500, 200, 500, 200, 500]);
  });

  it.each([
    [{ route: 'boook', kind: 'status' }, '"route" must be one of *, gamma, clob, data, markets-keyset'],
    [{ route: 'book', kind: 'slow', ms: 'long' }, '"ms" must be a number that is not negative.'],
  ])('refuses %j', (fault, message) => {
    expect(() => set(fault)).toThrow(message);
  });
});

describe('/_control', () => {
  it('sets, lists and removes faults', async () => {
    const fault = { route: 'book', kind: 'status', status: 404 };
    expect(await simulator.post('/_control/faults', fault)).toMatchObject({ status: 201, body: fault });
    expect((await book()).status).toBe(404);
    const { faults, kinds } = (await simulator.get('/_control/faults')).body;
    expect(faults).toEqual([{ spec: fault, seen: 1, hits: 1 }]);
    expect(kinds).toHaveProperty('hang', 'never responds');
    await fetch(`${simulator.url}/_control/faults`, { method: 'DELETE' });

    expect((await book()).status).toBe(200);
    expect(await simulator.post('/_control/faults', { kind: 'status' })).toMatchObject({ status: 400 });
  });

  it('counts calls by route and the most in any 10 seconds', async () => {
    let now = 0;
    const counted = await testSimulator({ markets: 1, now: () => now });
    others.push(counted);
    for (const at of [0, 1_000, 9_000, 12_000, 30_000]) {
      now = at;
      await counted.get('/book');
    }
    const { body } = await counted.get('/_control/calls');
    await fetch(`${counted.url}/_control/calls`, { method: 'DELETE' });

    expect(body).toEqual({ book: { calls: 5, mostIn10Seconds: 3 } });
    expect(counted.calls()).toEqual({});
  });

  it('allows an address as many calls in any 10 seconds as upstream does, and then responds with 429', async () => {
    let now = 0;
    const limited = await testSimulator({ markets: 1, now: () => now });
    others.push(limited);
    const statuses = async (calls: number): Promise<number[]> => {
      const answers = await Promise.all(Array.from({ length: calls }, () => limited.get('/v2/prices-history')));
      return [...new Set(answers.map(({ status }) => status))];
    };

    expect(await statuses(200)).toEqual([400]);
    const refused = await limited.get('/v2/prices-history');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
    now = 10_000;
    expect(await statuses(1)).toEqual([400]);
  });

  it('is closed to web pages', async () => {
    expect((await simulator.get('/_control', { origin: 'https://example.com' })).status).toBe(403);
    expect((await simulator.get('/_control/nothing')).status).toBe(404);
  });
});

describe('startSimulator', () => {
  it('refuses the user agent of Node', async () => {
    expect((await simulator.get('/book', { 'user-agent': 'node' })).status).toBe(403);
  });
});
