import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type FaultSpec, type SimulatedUpstream, startUpstream } from 'polymarket-simulator';
import { type Examination, examine, FACTS } from '../../../../lambda/doctor/doctor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** The examination has no pauses here: its clock goes on by itself. */
const clock = { now: Date.now, after: immediately };

function immediately(ms: number, callback: () => void): () => void {
  if (ms > 1_000) return () => undefined; // a time-out
  const timer = setImmediate(callback);
  return () => clearImmediate(timer);
}

let upstream: SimulatedUpstream;
beforeAll(async () => {
  upstream = await startUpstream({ markets: 120, rateLimits: false });
});
afterEach(() => {
  upstream.clearFaults();
});
afterAll(() => upstream.close());

type Fetch = typeof globalThis.fetch;

function examination(fetch: Fetch = globalThis.fetch, url = upstream.url): Promise<Examination> {
  const urls = { gamma: url, clob: url, data: url };
  return examine({ urls, fetch, clock, deadline: Date.now() + 60_000 });
}

const changed = ({ facts }: Examination) =>
  facts.flatMap(({ upstream: name, fact, verdict }) => (verdict === 'changed' ? [`${name}: ${fact}`] : []));

/** The upstream with the body of a route changed. */
function drifted(route: RegExp, change: (body: string) => string): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!route.test(String(input))) return response;
    const { status, headers } = response;
    const kept = [...headers].filter(([name]) => !/^content-(length|encoding)$/.test(name));
    return new Response(change(await response.text()), { status, headers: kept });
  };
}

describe('the doctor', () => {
  it('finds nothing wrong with the upstream that is documented, in about thirty calls', async () => {
    const found = await examination();
    expect(found.facts.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
    expect(found).toMatchObject({ verdict: 'well', facts: { length: FACTS.length } });
    expect(found.calls).toBeGreaterThan(20);
    expect(found.calls).toBeLessThan(40);
  });

  it.each<[string, FaultSpec, string, Examination['verdict']]>([
    [
      'a batch route that is gone',
      { route: 'batch-prices-history', kind: 'status', status: 410 },
      'clob: gives the histories of twenty tokens',
      'degraded',
    ],
    [
      'midpoints that are HTML',
      { route: 'midpoints', kind: 'html', status: 200 },
      'clob: gives the midpoints of a page of tokens',
      'stopped',
    ],
    [
      'a catalogue that blocks us',
      { route: 'markets-keyset', kind: 'html', status: 403 },
      'gamma: lets this address in',
      'stopped',
    ],
    ['a CLOB that is down', { route: 'clob', kind: 'reset' }, 'clob: gives the book of a token', 'stopped'],
    [
      'a Data API that is down',
      { route: 'data', kind: 'reset' },
      'data: gives the history of a token',
      'degraded',
    ],
  ])('finds %s', async (_, fault, fact, verdict) => {
    upstream.addFault(fault);
    const found = await examination();
    expect(changed(found)).toContain(fact);
    expect(found.verdict).toBe(verdict);
  });

  it.each<[string, Fetch, string]>([
    [
      'ids under another name',
      drifted(/keyset/, (body) =>
        body.replaceAll('"clobTokenIds"', '"assetIds"').replaceAll('"positionIds"', '"x"'),
      ),
      'gamma: its markets can be read',
    ],
    [
      'a new version',
      drifted(/keyset/, (body) => body.replaceAll('"v1"', '"v3"')),
      'gamma: nearly every version is v1 or v2',
    ],
    [
      'pages of fifty',
      drifted(/keyset\?limit=100/, (body) => {
        const page = JSON.parse(body);
        return JSON.stringify({ ...page, markets: page.markets.slice(0, 50) });
      }),
      'gamma: gives 100 markets a page',
    ],
    [
      'books with the best level first',
      drifted(/\/book\?/, (body) => {
        const book = JSON.parse(body);
        return body.startsWith('{"error') ? body : JSON.stringify({ ...book, bids: book.bids?.toReversed() });
      }),
      'clob: the best level of each side is the last',
    ],
    [
      'the book of another token',
      drifted(/\/book\?/, (body) => body.replace(/"asset_id":"\d/, '"asset_id":"99')),
      'clob: gives the book of a token',
    ],
    [
      'histories in percent',
      drifted(/prices-history\?market/, (body) => body.replaceAll(/"p":0\.(\d\d)/g, '"p":$1.')),
      'clob: gives the history of a token',
    ],
    [
      'a cursor that leads nowhere',
      drifted(/after_cursor/, () => '{"markets":[]}'),
      'gamma: after_cursor leads to new markets',
    ],
    [
      'other prices on standby',
      drifted(/v2\/prices-history/, (body) => body.replaceAll(/"price":0\.\d+/g, '"price":0.9999')),
      'data: its prices agree with CLOB’s',
    ],
  ])('notices %s, and says what it means', async (_, fetch, fact) => {
    const found = await examination(fetch);
    expect(changed(found)).toContain(fact);
    const meanings = found.facts.filter(({ verdict }) => verdict === 'changed').map(({ meaning }) => meaning);
    expect(meanings.every((meaning) => (meaning?.length ?? 0) > 10)).toBe(true);
  });

  it('that reaches nobody blames no fact that it could not look at', async () => {
    const found = await examination(async () => {
      throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
    });
    expect(found).toMatchObject({ calls: 0, verdict: 'stopped' });
    const verdicts = Object.groupBy(found.facts, ({ verdict }) => verdict);
    expect(verdicts.holds).toBeUndefined();
    expect(verdicts.untested?.length).toBeGreaterThan(20);
    expect(found.facts[0]?.seen).toBe('getaddrinfo ENOTFOUND');
  });

  it('gives up on time', async () => {
    const still = new ManualClock();
    const urls = { gamma: 'http://a', clob: 'http://a', data: 'http://a' };
    const found = await examine({ urls, fetch: globalThis.fetch, clock: still, deadline: still.now() });
    expect(found).toMatchObject({ calls: 0, verdict: 'stopped' });
    expect(found.facts[0]?.seen).toBe('the time was up');
  });
});
