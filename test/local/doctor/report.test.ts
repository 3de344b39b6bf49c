/**
 * The doctor calls the upstreams, Polymarket's APIs, and examines facts: what the service needs of
 * them. `firstContact` tells a user of a new server in a few lines what does not hold. A line has
 * STOPS if the service cannot work without the fact, otherwise WORSE. `reportOf` writes a report for
 * the maintainer.
 */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { examine, firstContact } from '../../../local/doctor/facts.ts';
import { type ObservedCall, observed, reportOf } from '../../../local/doctor/report.ts';
import { type FaultSpec, startSimulator } from '../../../local/simulator/index.ts';

const upstream = await startSimulator({ markets: 300, lifecycle: false });
// The simulator generates its closed markets at the first request for them, which takes long.
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

  it.each<{ readonly area: string; readonly fault: FaultSpec; readonly lines: RegExp }>([
    {
      area: 'list',
      fault: { route: 'markets-keyset', kind: 'loop-cursor' },
      lines: /^list: STOPS .*\n {2}Check that/m,
    },
    {
      area: 'books',
      fault: { route: 'book', kind: 'empty' },
      lines: /^books: WORSE .*\n {2}Use the best prices/m,
    },
    {
      area: 'past',
      fault: { route: 'v2-resolutions', kind: 'empty' },
      lines: /^past: WORSE .* more: npm run doctor\.\n {2}Do not run/m,
    },
  ])('says what is wrong with $area, and what to do', async ({ area, fault, lines }) => {
    upstream.addFault(fault);
    const text = await firstContact(urls);
    expect(text).toMatch(lines);
    const [asExpected] = text.split('\n');
    expect(asExpected).not.toContain(area);
    expect(text).toContain('npm run doctor -- --report FILE');
  });

  it('says that no upstream responds, in two lines for each area', async () => {
    const stopped = await startSimulator({ markets: 1 });
    await stopped.stop();
    const { url } = stopped;
    const lines = await firstContact({ gamma: url, clob: url, data: url });
    expect(lines).toMatch(/^As expected from Polymarket: nothing\.\nlist: STOPS .*ECONNREFUSED/);
    // Two lines for each of six areas, one before and one after them.
    expect(lines.split('\n')).toHaveLength(1 + 6 * 2 + 1);
  });
});

const now = '2026-11-24T12:00:00Z';

describe('the report', () => {
  async function report(): Promise<string> {
    const calls: ObservedCall[] = [];
    const facts = await examine(urls, observed(calls));
    return reportOf(facts, calls, now);
  }

  it('has facts, statuses, times and the types of fields', async () => {
    const text = await report();
    expect(text).toMatch(/^Market Data Proxy .*2026-11-24T12:00:00Z\n/);
    expect(text).toMatch(
      /^list {7}ok {5}Gamma lists open markets \(100 markets, 0 of them closed\)$/m,
    );
    expect(text).toMatch(/^markets-keyset {2}ok: \d+; \d+ to \d+ ms$/m);
    expect(text).toMatch(/^ {2}\.markets\[\]\.clobTokenIds {2}.*JSON as text: \d+/m);
    expect(text).toMatch(/^ {2}\.\*\.BUY {2}number as text: \d+$/m);
  });

  it('has results of failed calls, and no text, id or address of upstream', async () => {
    upstream.addFault({ route: 'book', kind: 'html', status: 451 });
    const text = await report();
    expect(text).toMatch(/^book {2}book: status 451: 2; /m);
    expect(text).toMatch(/^ {2}\.markets\[\]\.question {2}text: /m);
    expect(text).not.toMatch(/\d{9}|0x|127\.0\.0\.1|will |will-/i);
  });
});

describe('the shapes of a report', () => {
  it('have no key that can be a text of upstream', () => {
    const body = { list: [{ 'Will it rain?': 1 }, 'a', null] };
    const call = { route: 'book', result: 'ok', ms: 5, body };
    const lines = reportOf([], [call], now).split('\n');
    expect(lines).toContain('  .list[].*  number: 1');
    expect(lines).toContain('  .list[]  object: 1, text: 1, null: 1');
  });
});
