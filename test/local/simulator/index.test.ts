import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { FaultSpec } from '../../../local/simulator/index.ts';
import { type Listed, NOW, type TestResponse, testSimulator } from './support.ts';

let now = NOW;
const simulator = await testSimulator({ v2Share: 0, markets: 120, now: () => now });
const listed = (await simulator.get('/markets/keyset?limit=50')).body.markets as Listed[];
const [token] = listed.flatMap(({ clobTokenIds }) => JSON.parse(clobTokenIds ?? '[]') as string[]);
afterAll(() => simulator.stop());
afterEach(() => {
  simulator.clearFaults();
  simulator.clearCalls();
});

const page = (query = 'limit=40'): Promise<TestResponse> => simulator.get(`/markets/keyset?${query}`);
const book = (): Promise<TestResponse> => simulator.get(`/book?token_id=${token}`);
const set = (fault: object): void => simulator.addFault(fault as FaultSpec);

describe('faults', () => {
  it.each([
    ['status', 500, { type: 'internal error', error: 'cannot get the information' }],
    ['html', 403, { text: '<h1>Forbidden</h1>' }],
    ['empty', 200, {}],
  ])('%s responds in place of the route, as often as times says', async (kind, status, body) => {
    set({ route: 'book', kind, times: 1 });
    expect(await book()).toMatchObject({ status, body });
    expect((await book()).body).toHaveProperty('bids');
  });

  it('truncate leaves no response that can be read', async () => {
    set({ route: 'gamma', kind: 'truncate' });
    await expect(page()).rejects.toThrow();
    expect((await book()).status).toBe(200);
  });

  it.each([
    [{ route: 'boook', kind: 'status' }, '"route" must be one of *, gamma, clob, data, markets-keyset'],
    [{ route: 'book', kind: 'missing', share: 'all' }, '"share" must be a number that is not negative.'],
  ])('refuses %j', (fault, message) => {
    expect(() => set(fault)).toThrow(message);
  });
});

describe('/_control', () => {
  it('sets, lists and removes faults', async () => {
    const fault = { route: 'book', kind: 'status', status: 404 };
    simulator.clearCalls();
    expect(await simulator.post('/_control/faults', fault)).toMatchObject({ status: 201, body: fault });
    expect((await book()).status).toBe(404);
    const { faults, kinds, calls } = (await simulator.get('/_control')).body;
    expect(faults).toEqual([{ spec: fault, hits: 1 }]);
    expect(kinds).toHaveProperty('hang', 'never responds');
    expect(calls).toEqual({ book: { calls: 1, maxIn10Seconds: 1 } });
    await fetch(`${simulator.url}/_control/faults`, { method: 'DELETE' });
    expect((await book()).status).toBe(200);
    expect(await simulator.post('/_control/faults', { kind: 'status' })).toMatchObject({ status: 400 });
  });

  it('is closed to web pages', async () => {
    expect((await simulator.get('/_control', { origin: 'https://example.com' })).status).toBe(403);
    expect((await simulator.get('/_control/nothing')).status).toBe(404);
  });
});

describe('the limits of calls', () => {
  it('are those of upstream in any 10 seconds', async () => {
    const call = () => simulator.get('/v2/prices-history');
    const allowed = await Promise.all(Array.from({ length: 200 }, call));
    expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([400]));
    const refused = await call();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
    now += 10_000;
    expect((await call()).status).toBe(400);
    expect(simulator.calls()['v2-prices-history']).toEqual({ calls: 202, maxIn10Seconds: 201 });
  });

  it('refuse the user agent of Node', async () => {
    expect((await simulator.get('/book', { 'user-agent': 'node' })).status).toBe(403);
  });
});
