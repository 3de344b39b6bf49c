import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { examine, exitStatus } from '../../../local/doctor/facts.ts';
import { type FaultSpec, startSimulator } from '../../../local/simulator/index.ts';

const upstream = await startSimulator({ markets: 300, lifecycle: false });
// It generates its closed markets now, so that no call waits for them.
await fetch(`${upstream.url}/markets/keyset?closed=true`, {
  headers: { 'user-agent': 'a-test/1' },
});

describe('the doctor', () => {
  afterEach(() => upstream.clearFaults());
  afterAll(() => upstream.stop());
  const urls = () => ({ gamma: upstream.url, clob: upstream.url, data: upstream.url });

  it('finds that all facts hold for the simulator', async () => {
    const facts = await examine(urls());
    expect(facts.filter(({ holds }) => !holds)).toEqual([]);
    const seen = facts.map((fact) => fact.seen);
    expect(seen).toContain('status 200; unknown token: missing; resolved token: missing');
    expect(seen).toContainEqual(
      expect.stringMatching(
        /^status 200, \d+ of \d+ tokens; one of each protocol: status 200, 2 of 2$/,
      ),
    );
    expect(exitStatus(facts)).toBe(0);
  });

  it.each<[string, FaultSpec, 1 | 2, RegExp]>([
    [
      'a missing catalogue',
      { route: 'gamma', kind: 'status' },
      2,
      /status 500, no list of markets/,
    ],
    [
      'unreadable markets',
      { route: 'gamma', kind: 'broken-markets', share: 0.5 },
      2,
      /version_unknown v9: \d/,
    ],
    [
      'a cursor that leads back',
      { route: 'gamma', kind: 'loop-cursor' },
      2,
      /^0 of 100 markets are new/,
    ],
    [
      'missing prices',
      { route: 'prices', kind: 'prices-missing', share: 0.9 },
      2,
      / of 100 tokens, BUY above/,
    ],
    [
      'rejected ids',
      { route: 'prices', kind: 'status', status: 400 },
      2,
      /^status 400; unknown token/,
    ],
    [
      'unpriced v2 ids',
      { route: 'prices', kind: 'prices-missing', share: 1 },
      2,
      /^status 200, 0 of \d+ tokens; one/,
    ],
    [
      'empty books',
      { route: 'prices', kind: 'prices-missing', share: 1 },
      2,
      /^status 200, 0 of 100 tokens/,
    ],
    [
      'no last trades',
      { route: 'last-trades-prices', kind: 'status', status: 400 },
      1,
      /^status 400, 0 of 100 tokens/,
    ],
    [
      'no books',
      { route: 'books', kind: 'status', status: 400 },
      1,
      /^status 400, 0 of 100 books, best bid as in .prices: 0$/,
    ],
    [
      'no resolutions',
      { route: 'v2-resolutions', kind: 'empty' },
      1,
      /^status 200, no row, payouts missing$/,
    ],
    [
      'no settlement',
      { route: 'v2-resolutions', kind: 'empty' },
      1,
      /^last point [01], payout undefined millionths$/,
    ],
    [
      'a blocked address',
      { route: 'data', kind: 'html', status: 403 },
      1,
      /data blocks this address, status 403/,
    ],
    ['a route without JSON', { route: 'data', kind: 'truncate' }, 1, /status 200, not JSON/],
  ])('finds %s', async (_what, fault, status, seen) => {
    upstream.addFault(fault);
    const facts = await examine(urls());
    expect(exitStatus(facts)).toBe(status);
    expect(facts.filter(({ holds }) => !holds).map((fact) => fact.seen)).toContainEqual(
      expect.stringMatching(seen),
    );
  });

  it.each<[string, RegExp, 1 | 2, string]>([
    ['the number', /"volumeNum"/g, 1, '0 of 100 markets have a volume, 0 are out of order'],
    ['every form', /"volume(Num)?"/g, 2, '0 of 100 markets have a volume, 0 are below 0 USD'],
  ])('notices when Gamma renames %s of the volume', async (_what, name, status, seen) => {
    const { fetch } = globalThis;
    globalThis.fetch = async (...args) => {
      const response = await fetch(...args);
      return new Response((await response.text()).replace(name, '"volumeUsd"'), response);
    };
    const facts = await examine(urls());
    globalThis.fetch = fetch;
    expect(facts.filter(({ holds }) => !holds).map((fact) => fact.seen)).toContain(seen);
    expect(exitStatus(facts)).toBe(status);
  });

  it('notices when the Data API sends milliseconds', async () => {
    const { fetch } = globalThis;
    globalThis.fetch = async (...args) => {
      const response = await fetch(...args);
      const text = (await response.text()).replace(/"timestamp":(\d+)/g, '"timestamp":$1000');
      return new Response(text, response);
    };
    const facts = await examine(urls());
    globalThis.fetch = fetch;
    expect(facts.filter(({ holds }) => !holds).map((fact) => fact.seen)).toContainEqual(
      expect.stringMatching(/points, \d+ prices, 0 times in seconds/),
    );
  });

  it.each([
    [-90, /^(89|9[0-5]) s ahead$/],
    [90, /^(8[5-9]|9[01]) s behind$/],
  ])('says how far the clock is off if upstream is at %i s', async (seconds, seen) => {
    const { fetch } = globalThis;
    globalThis.fetch = async (...args) => {
      const response = await fetch(...args);
      const headers = new Headers(response.headers);
      headers.set('date', new Date(Date.now() + seconds * 1_000).toUTCString());
      return new Response(response.body, { status: response.status, headers });
    };
    const facts = await examine(urls());
    globalThis.fetch = fetch;
    const [clock, ...others] = facts.filter(({ holds }) => !holds);
    expect(clock?.seen).toMatch(seen);
    expect(others).toEqual([]);
    expect(exitStatus(facts)).toBe(1);
  });

  it('says which upstream does not respond', async () => {
    const stopped = await startSimulator({ markets: 1 });
    await stopped.stop();
    const facts = await examine({ gamma: stopped.url, clob: stopped.url, data: stopped.url });
    expect(facts[0]?.seen).toMatch(/^no response: .*127\.0\.0\.1:\d+/);
    expect(exitStatus(facts)).toBe(2);
  });
});
