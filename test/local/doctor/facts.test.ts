import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { callOnce } from '../../../lambda/io/upstream/http-call.ts';
import type { Finding } from '../../../local/doctor/fact.ts';
import { examine, exitStatus } from '../../../local/doctor/facts.ts';
import { CHANGE_FACTS, HISTORY_FACTS, PAST_FACTS } from '../../../local/doctor/history-facts.ts';
import { LIST_FACTS } from '../../../local/doctor/list-facts.ts';
import { BOOK_FACTS, PRICE_FACTS } from '../../../local/doctor/price-facts.ts';
import { Visit } from '../../../local/doctor/visit.ts';
import { type FaultSpec, startSimulator } from '../../../local/simulator/index.ts';

/** All facts that the doctor looks at. */
const FACTS = [
  ...LIST_FACTS,
  ...PRICE_FACTS,
  ...BOOK_FACTS,
  ...CHANGE_FACTS,
  ...HISTORY_FACTS,
  ...PAST_FACTS,
];
const upstream = await startSimulator({ markets: 300, lifecycle: false });
// It generates its closed markets now, so that no call waits for them.
await fetch(`${upstream.url}/markets/keyset?closed=true`, {
  headers: { 'user-agent': 'a-test/1' },
});

describe('the doctor', () => {
  afterEach(() => upstream.clearFaults());
  afterAll(() => upstream.stop());
  const urls = { gamma: upstream.url, clob: upstream.url, data: upstream.url };

  it('finds that all facts hold for the simulator', async () => {
    const facts = await examine(urls);
    expect(facts.filter(({ holds }) => !holds)).toEqual([]);
    expect(exitStatus(facts)).toBe(0);
  });

  it('exits with 1 if only the facts hold that the service needs', async () => {
    const facts = await examine(urls);
    expect(exitStatus(facts.map((one) => ({ ...one, holds: one.isNeeded })))).toBe(1);
  });

  /** What one fact finds. */
  async function look(name: string, call = callOnce): Promise<Finding> {
    const fact = FACTS.find((one) => one.fact === name);
    if (!fact) throw new Error(`no fact ${name}`);
    return fact.look(new Visit(urls, call)).catch(({ message }) => [false, message]);
  }

  it.each<[FaultSpec, string, RegExp]>([
    [
      { route: 'gamma', kind: 'status' },
      'Gamma lists open markets',
      /^markets-keyset: status 500$/,
    ],
    [
      { route: 'gamma', kind: 'broken-markets', share: 0.5 },
      'the service can read the markets',
      /version_unknown v9: \d/,
    ],
    [
      { route: 'gamma', kind: 'loop-cursor' },
      'the cursor leads to other markets',
      /^0 of 100 markets are new$/,
    ],
    [
      { route: 'prices', kind: 'prices-missing', share: 0.9 },
      'CLOB returns both sides of books',
      /^1?\d of 100 tokens$/,
    ],
    [
      { route: 'prices', kind: 'prices-missing', share: 1 },
      'CLOB prices ids of Protocol V2',
      /^0 of \d+ tokens$|^prices: wrong_shape$/,
    ],
    [
      { route: 'prices', kind: 'status', status: 400 },
      'CLOB prices a call that names unknown and resolved tokens',
      /^prices: status 400$/,
    ],
    [
      { route: 'last-trades-prices', kind: 'status', status: 400 },
      'CLOB returns last trades',
      /^last-trades-prices: status 400$/,
    ],
    [
      { route: 'books', kind: 'status', status: 400 },
      'CLOB returns many order books',
      /^books: status 400$/,
    ],
    [
      { route: 'book', kind: 'status', status: 500 },
      'CLOB says that an unknown token has no book',
      /^book: status 500$/,
    ],
    [
      { route: 'v2-resolutions', kind: 'empty' },
      'the Data API returns resolutions',
      /^v2-resolutions: wrong_shape$/,
    ],
    [
      { route: 'data', kind: 'html', status: 403 },
      'a history ends with the payout',
      /^v2-prices-history: status 403$/,
    ],
    [
      { route: 'data', kind: 'truncate' },
      'the Data API returns a whole life',
      /^v2-prices-history: not_json 200$/,
    ],
  ])('finds with the fault %j that it does not hold: %s', async (fault, fact, seen) => {
    upstream.addFault(fault);
    expect(await look(fact)).toEqual([false, expect.stringMatching(seen)]);
  });

  /** Calls whose responses have a text in place of another. */
  const replacing =
    (text: RegExp, by: string): typeof callOnce =>
    async (...args) => {
      const reply = await callOnce(...args);
      return { ...reply, body: JSON.parse(JSON.stringify(reply.body).replace(text, by)) };
    };

  it.each([
    [/"volumeNum"/g, '"x"', 'Gamma sorts by volume', /^0 of 100 markets have a volume, 0 are out/],
    [/"volume(Num)?"/g, '"x"', 'the service can read the markets', /^0 of 100, volume: 100$/],
    [/"timestamp":(\d+)/g, '"timestamp":$1000', 'the Data API returns a whole life', /wrong_shape/],
    [/"tags":/g, '"labels":', 'markets have tags', /^0 of \d+ markets$/],
    [/"volume24hr":/g, '"x":', 'markets have a volume of 24 hours', /^0 of \d+ markets$/],
    [/"slug":"/g, '"slug":"x', 'Gamma finds open markets by id, slug and token', /^not by slug$/],
    [/"payouts":/g, '"x":', 'the Data API returns resolutions', /^0 of 20 markets have payouts$/],
  ])('finds with %s as %s that it does not hold: %s', async (text, by, fact, seen) => {
    const finding = await look(fact, replacing(text, by));
    expect(finding).toEqual([false, expect.stringMatching(seen)]);
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
    const finding = await look("this machine's clock agrees with CLOB's");
    globalThis.fetch = fetch;
    expect(finding).toEqual([false, expect.stringMatching(seen)]);
  });

  it('says which upstream does not respond', async () => {
    const stopped = await startSimulator({ markets: 1 });
    await stopped.stop();
    const facts = await examine({ gamma: stopped.url, clob: stopped.url, data: stopped.url });
    expect(facts[0]?.seen).toBe('markets-keyset: network ECONNREFUSED');
    expect(exitStatus(facts)).toBe(2);
  });
});
