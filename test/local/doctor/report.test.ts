import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { examine } from '../../../local/doctor/facts.ts';
import { firstContact } from '../../../local/doctor/first-contact.ts';
import { reportOf } from '../../../local/doctor/report.ts';
import type { ObservedCall } from '../../../local/doctor/visit.ts';
import { type FaultSpec, startSimulator } from '../../../local/simulator/index.ts';

const upstream = await startSimulator({ markets: 300, lifecycle: false });
// It generates its closed markets now, so that no call waits for them.
await fetch(`${upstream.url}/markets/keyset?closed=true`, {
  headers: { 'user-agent': 'a-test/1' },
});
const urls = { gamma: upstream.url, clob: upstream.url, data: upstream.url };
afterEach(() => upstream.clearFaults());
afterAll(() => upstream.stop());

describe('the first contact', () => {
  it('is one line if everything works', async () => {
    expect(await firstContact(urls)).toBe(
      'As expected from Polymarket: list, prices, changes, books, histories, past.',
    );
  });

  it.each<[string, FaultSpec, RegExp]>([
    ['list', { route: 'markets-keyset', kind: 'loop-cursor' }, /^list: STOPS .*\n {2}Check that/m],
    ['prices', { route: 'prices', kind: 'status', status: 400 }, /^prices: STOPS .*\n {2}Check/m],
    [
      'changes',
      { route: 'batch-prices-history', kind: 'status', status: 404 },
      /^changes: WORSE .*\n {2}Wait: /m,
    ],
    ['books', { route: 'book', kind: 'empty' }, /^books: WORSE .*\n {2}Use the best prices/m],
    [
      'histories',
      { route: 'prices-history', kind: 'truncate' },
      /^histories: WORSE .*\n {2}Use the histories/m,
    ],
    [
      'past',
      { route: 'v2-resolutions', kind: 'empty' },
      /^past: WORSE .* more: npm run doctor\.\n {2}Do not run/m,
    ],
  ])('says what is wrong with %s, and what to do', async (area, fault, text) => {
    upstream.addFault(fault);
    const lines = await firstContact(urls);
    expect(lines).toMatch(text);
    expect(lines.split('\n')[0]).not.toContain(area);
    expect(lines).toContain('npm run doctor -- --report FILE');
  });

  it('says once that an upstream is away', async () => {
    const stopped = await startSimulator({ markets: 1 });
    await stopped.stop();
    const { url } = stopped;
    const lines = await firstContact({ gamma: url, clob: url, data: url });
    expect(lines).toMatch(
      /^Nothing of Polymarket works as expected\.\nlist, prices, .*past: STOPS/,
    );
    expect(lines.split('\n')).toHaveLength(4);
  });
});

describe('the report', () => {
  const now = '2026-11-24T12:00:00Z';
  async function report(): Promise<string> {
    const calls: ObservedCall[] = [];
    const facts = await examine(urls, (call) => calls.push(call));
    return reportOf(facts, calls, { urls, now });
  }

  it('has facts, statuses, times and the types of fields', async () => {
    const text = await report();
    expect(text).toMatch(/^Market Data Proxy .*2026-11-24T12:00:00Z\n/);
    expect(text).toMatch(
      /^list {7}ok {5}Gamma lists open markets \(100 markets, 0 of them closed\)$/m,
    );
    expect(text).toMatch(/^gamma \/markets\/keyset {2}200: \d+; \d+ to \d+ ms$/m);
    expect(text).toMatch(/^ {2}\.markets\[\]\.clobTokenIds {2}.*JSON as text: \d+/m);
    expect(text).toMatch(/^ {2}\.\*\.BUY {2}number as text: \d+$/m);
  });

  it('has no text, id or address of upstream', async () => {
    const { fetch } = globalThis;
    const secret = 'Will the secret be told?';
    globalThis.fetch = async (...args) => {
      const response = await fetch(...args);
      const text = (await response.text()).replace(/"question":"[^"]*"/g, `"question":"${secret}"`);
      return new Response(text.replace('"slug":', `"${secret}":1,"slug":`), response);
    };
    const text = await report();
    globalThis.fetch = fetch;
    expect(text).toContain('.markets[].question  text: ');
    expect(text).not.toMatch(/secret|\d{9}|0x|127\.0\.0\.1|will-/i);
  });

  it('names an upstream in place of its address', async () => {
    const calls: ObservedCall[] = [
      { upstream: 'clob', path: '/book', status: 'no response', ms: 5, received: undefined },
    ];
    const seen = `no response: cannot connect to ${new URL(upstream.url).host}`;
    const fact = {
      area: 'books',
      fact: 'a',
      otherwise: 'b',
      isNeeded: false,
      holds: false,
      seen,
    } as const;
    const text = reportOf([fact], calls, {
      urls: { ...urls, gamma: 'http://a.example', data: 'http://b.example' },
      now,
    });
    expect(text).toContain('no response: cannot connect to clob');
    expect(text).toContain('clob /book  no response: 1; 5 to 5 ms');
  });
});
