/**
 * The simulator imitates Polymarket's APIs over HTTP. A test, or a developer through `/_control`,
 * can give it faults: from then on, responses of a route are errors, are late, or lack data.
 */
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type FaultSpec, startSimulator } from '../../../local/simulator/index.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

const NOW = Date.parse('2026-11-21T12:00:00Z');
/** The simulator's clock. A test can move it. */
let now = NOW;
// All markets are of Protocol V1, and none opens or closes.
const simulator = await startSimulator({
  markets: 120,
  v2Share: 0,
  lifecycle: false,
  now: () => now,
});
afterAll(() => simulator.stop());
beforeEach(() => {
  now = NOW;
  simulator.clearFaults();
  simulator.clearCalls();
});

async function send(path: string, init: RequestInit = {}) {
  // The simulator rejects the user agent of Node.js.
  const headers = { 'user-agent': 'a-test/1' };
  const response = await fetch(`${simulator.url}${path}`, { headers, ...init });
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? await response.json() : {},
  };
}
const post = (path: string, body: unknown) =>
  send(path, { method: 'POST', body: JSON.stringify(body) });

interface Listed {
  readonly clobTokenIds: string;
  readonly outcomePrices: string;
}
const { markets } = (await send('/markets/keyset?limit=50')).body as { markets: Listed[] };
// Only a price that is not close to 0 moves.
const moving = markets.find(({ outcomePrices }) => Number(JSON.parse(outcomePrices)[0]) > 0.2);
const [token] = JSON.parse(moving?.clobTokenIds ?? '[]') as string[];
const book = () => send(`/book?token_id=${token}`);

describe('a fault', () => {
  // The test of the doctor shows the other kinds.
  it('replaces the response of its route as often as times says', async () => {
    simulator.addFault({ route: 'book', kind: 'status', times: 1 });
    expect((await send('/markets/keyset')).status).toBe(200);
    const error = { type: 'internal error', error: 'cannot get the information' };
    expect(await book()).toMatchObject({ status: 500, body: error });
    expect((await book()).body).toHaveProperty('bids');
  });

  it.each(['missing', 'broken-markets'] as const)(
    'does nothing on a route without markets: %s',
    async (kind) => {
      const without = await book();
      simulator.addFault({ route: 'book', kind });
      expect(await book()).toMatchObject({ status: 200, body: without.body });
    },
  );

  it.each([
    {
      fault: { route: 'boook', kind: 'status' },
      message: '"route" must be one of *, gamma, clob, data, markets-keyset',
    },
    {
      fault: { route: 'book', kind: 'missing', share: 'all' },
      message: '"share" must be a number that is not negative.',
    },
  ])('is refused: $message', ({ fault, message }) => {
    expect(() => simulator.addFault(fault as unknown as FaultSpec)).toThrow(message);
  });
});

describe('/_control', () => {
  it('sets, lists and removes faults', async () => {
    const fault = { route: 'book', kind: 'status', status: 404 };
    expect(await post('/_control/faults', fault)).toMatchObject({ status: 201, body: fault });
    expect((await book()).status).toBe(404);
    const { faults, kinds, calls } = (await send('/_control')).body as Record<string, unknown>;
    expect(faults).toEqual([{ spec: fault, hits: 1 }]);
    expect(kinds).toHaveProperty('hang', 'never responds');
    expect(calls).toEqual({ book: { calls: 1, maxIn10Seconds: 1 } });
    await send('/_control/faults', { method: 'DELETE' });
    expect((await book()).status).toBe(200);
    expect(await post('/_control/faults', { kind: 'status' })).toMatchObject({ status: 400 });
  });

  it('is closed to web pages', async () => {
    expect((await send('/_control', { headers: { origin: 'https://example.com' } })).status).toBe(
      403,
    );
    expect((await send('/_control/nothing')).status).toBe(404);
  });
});

describe('the limits of calls', () => {
  it('are those of upstream in any 10 seconds', async () => {
    // Without a token, an allowed call gets 400.
    const call = () => send('/v2/prices-history');
    const allowed = await Promise.all(Array.from({ length: 200 }, call));
    expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([400]));
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBeNull();
    now += 10_000;
    expect((await call()).status).toBe(400);
    expect(simulator.calls()['v2-prices-history']).toEqual({ calls: 202, maxIn10Seconds: 201 });
  });

  it('refuse the user agent of Node', async () => {
    expect((await send('/book', { headers: { 'user-agent': 'node' } })).status).toBe(403);
  });
});

it('a history has for every time the middle of the book that was served then', async () => {
  const response = await send(`/prices-history?market=${token}&interval=1d&fidelity=90`);
  const { history } = response.body as { history: { t: number; p: number }[] };
  for (const { t, p } of history.slice(0, 8)) {
    now = t * 1_000;
    const sides = ['BUY', 'SELL'].map((side) => ({ token_id: token, side }));
    // The best prices by token and side.
    const prices = (await post('/prices', sides)).body as Record<string, Record<string, string>>;
    const { BUY, SELL } = prices[String(token)] ?? {};
    expect((Number(BUY) + Number(SELL)) / 2).toBeCloseTo(p, 9);
  }
});
