/**
 * The doctor calls the upstreams, Polymarket's APIs, and examines facts: what the service needs of
 * them, such as "Gamma lists open markets". These tests give the simulator of Polymarket a fault,
 * and read what the doctor finds.
 */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { callOnce } from '../../../lambda/io/upstream/http-call.ts';
import type { Finding } from '../../../local/doctor/fact.ts';
import { examine, exitStatus } from '../../../local/doctor/facts.ts';
import { CHANGE_FACTS, HISTORY_FACTS, PAST_FACTS } from '../../../local/doctor/history-facts.ts';
import { LIST_FACTS } from '../../../local/doctor/list-facts.ts';
import { BOOK_FACTS, PRICE_FACTS } from '../../../local/doctor/price-facts.ts';
import { Visit } from '../../../local/doctor/visit.ts';
import { type FaultSpec, startSimulator } from '../../../local/simulator/index.ts';

const ALL_FACTS = [
  ...LIST_FACTS,
  ...PRICE_FACTS,
  ...BOOK_FACTS,
  ...CHANGE_FACTS,
  ...HISTORY_FACTS,
  ...PAST_FACTS,
];
const originalFetch = globalThis.fetch;
const upstream = await startSimulator({ markets: 300, lifecycle: false });
// The simulator generates its closed markets at the first request for them, which takes long. It
// rejects the default agent of `fetch`, as Polymarket does.
await fetch(`${upstream.url}/markets/keyset?closed=true`, {
  headers: { 'user-agent': 'a-test/1' },
});

describe('the doctor', () => {
  afterEach(() => {
    upstream.clearFaults();
    globalThis.fetch = originalFetch;
  });
  afterAll(() => upstream.stop());
  const urls = { gamma: upstream.url, clob: upstream.url, data: upstream.url };

  it('finds that all facts hold for the simulator', async () => {
    const facts = await examine(urls);
    expect(facts.filter(({ holds }) => !holds)).toEqual([]);
    expect(exitStatus(facts)).toBe(0);
  });

  it('exits with 1 if all facts hold that the service needs, and no others', async () => {
    const facts = await examine(urls);
    const onlyNeeded = facts.map((one) => ({ ...one, holds: one.isNeeded === true }));
    expect(exitStatus(onlyNeeded)).toBe(1);
  });

  /** Examines one fact. @returns a pair: whether it holds, and what the doctor saw of it */
  async function look(name: string, call = callOnce): Promise<Finding> {
    const fact = ALL_FACTS.find((one) => one.fact === name);
    if (!fact) throw new Error(`no fact ${name}`);
    return fact.look(new Visit(urls, call)).catch(({ message }) => [false, message]);
  }

  it.each<{ readonly fault: FaultSpec; readonly fact: string; readonly seen: RegExp }>([
    {
      fault: { route: 'gamma', kind: 'status' },
      fact: 'Gamma lists open markets',
      seen: /^markets-keyset: status 500$/,
    },
    {
      fault: { route: 'gamma', kind: 'broken-markets', share: 0.5 },
      fact: 'the service can read the markets',
      seen: /version_unknown v9: \d/,
    },
    {
      fault: { route: 'gamma', kind: 'loop-cursor' },
      fact: 'the cursor leads to other markets',
      seen: /^0 of 100 markets are new$/,
    },
    {
      fault: { route: 'prices', kind: 'prices-missing', share: 0.9 },
      fact: 'CLOB returns both sides of books',
      seen: /^1?\d of 100 tokens$/,
    },
    {
      fault: { route: 'prices', kind: 'prices-missing', share: 1 },
      fact: 'CLOB prices ids of Protocol V2',
      seen: /^0 of \d+ tokens$|^prices: wrong_shape$/,
    },
    {
      fault: { route: 'prices', kind: 'status', status: 400 },
      fact: 'CLOB prices a call that names unknown and resolved tokens',
      seen: /^prices: status 400$/,
    },
    {
      fault: { route: 'last-trades-prices', kind: 'status', status: 400 },
      fact: 'CLOB returns last trades',
      seen: /^last-trades-prices: status 400$/,
    },
    {
      fault: { route: 'books', kind: 'status', status: 400 },
      fact: 'CLOB returns many order books',
      seen: /^books: status 400$/,
    },
    {
      fault: { route: 'book', kind: 'status', status: 500 },
      fact: 'CLOB says that an unknown token has no book',
      seen: /^book: status 500$/,
    },
    {
      fault: { route: 'v2-resolutions', kind: 'empty' },
      fact: 'the Data API returns resolutions',
      seen: /^v2-resolutions: wrong_shape$/,
    },
    {
      fault: { route: 'data', kind: 'html', status: 403 },
      fact: 'a history ends with the payout',
      seen: /^v2-prices-history: status 403$/,
    },
    {
      fault: { route: 'data', kind: 'truncate' },
      fact: 'the Data API returns a whole life',
      seen: /^v2-prices-history: not_json 200$/,
    },
  ])('finds with the fault $fault that it does not hold: $fact', async ({ fault, fact, seen }) => {
    upstream.addFault(fault);
    expect(await look(fact)).toEqual([false, expect.stringMatching(seen)]);
  });

  /** Makes calls, and replaces a text in the JSON of their responses. */
  function replacing(text: RegExp, by: string): typeof callOnce {
    return async (...args) => {
      const reply = await callOnce(...args);
      return { ...reply, body: JSON.parse(JSON.stringify(reply.body).replace(text, by)) };
    };
  }

  it.each([
    {
      text: /"volumeNum"/g,
      by: '"x"',
      fact: 'Gamma sorts by volume',
      seen: /^0 of 100 markets have a volume, 0 are out/,
    },
    {
      text: /"volume(Num)?"/g,
      by: '"x"',
      fact: 'the service can read the markets',
      seen: /^0 of 100, volume: 100$/,
    },
    {
      text: /"timestamp":(\d+)/g,
      by: '"timestamp":$1000',
      fact: 'the Data API returns a whole life',
      seen: /wrong_shape/,
    },
    { text: /"tags":/g, by: '"labels":', fact: 'markets have tags', seen: /^0 of \d+ markets$/ },
    {
      text: /"volume24hr":/g,
      by: '"x":',
      fact: 'markets have a volume of 24 hours',
      seen: /^0 of \d+ markets$/,
    },
    {
      text: /"slug":"/g,
      by: '"slug":"x',
      fact: 'Gamma finds open markets by id, slug and token',
      seen: /^not by slug$/,
    },
    {
      text: /"payouts":/g,
      by: '"x":',
      fact: 'the Data API returns resolutions',
      seen: /^0 of 20 markets have payouts$/,
    },
  ])('finds with $by for $text that it does not hold: $fact', async ({ text, by, fact, seen }) => {
    const finding = await look(fact, replacing(text, by));
    expect(finding).toEqual([false, expect.stringMatching(seen)]);
  });

  /** Makes calls of `fetch`, and sets the clock of the responses (their header Date). */
  function withClockOff(seconds: number): typeof fetch {
    return async (...args) => {
      const response = await originalFetch(...args);
      const headers = new Headers(response.headers);
      headers.set('date', new Date(Date.now() + seconds * 1_000).toUTCString());
      return new Response(response.body, { status: response.status, headers });
    };
  }

  it.each([
    { upstreamSeconds: -90, seen: /^(89|9[0-5]) s ahead$/ },
    { upstreamSeconds: 90, seen: /^(8[5-9]|9[01]) s behind$/ },
  ])(
    'says how far the clock is off if upstream is at $upstreamSeconds s',
    async ({ upstreamSeconds, seen }) => {
      globalThis.fetch = withClockOff(upstreamSeconds);
      const finding = await look("this machine's clock agrees with CLOB's");
      expect(finding).toEqual([false, expect.stringMatching(seen)]);
    },
  );

  it('says which upstream does not respond', async () => {
    const stopped = await startSimulator({ markets: 1 });
    await stopped.stop();
    const facts = await examine({ gamma: stopped.url, clob: stopped.url, data: stopped.url });
    expect(facts[0]?.seen).toBe('markets-keyset: network ECONNREFUSED');
    // The service cannot run.
    expect(exitStatus(facts)).toBe(2);
  });
});
