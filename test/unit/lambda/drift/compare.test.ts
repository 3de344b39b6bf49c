import { describe, expect, it } from '@jest/globals';
import { compare } from '../../../../lambda/drift/compare.ts';
import type { Known, Observation } from '../../../../lambda/drift/observation.ts';
import { Sightings } from '../../../../lambda/drift/sightings.ts';
import { readGammaMarket } from '../../../../lambda/polymarket/gamma-market.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { protocolFixtures, readRecording, withRecordings } from '../../../support/recordings.ts';

const QUERY = 'limit=100&order=volumeNum&ascending=false&closed=false&include_tag=true';
const SCHEMA = 'https://gamma-api.polymarket.com/schemas/MarketsKeysetListResponse.json';

type Market = Readonly<Record<string, unknown>>;

/** What a run would see of these markets, on one page that is not the last. */
function observed(markets: readonly Market[], overrides: Partial<Observation> = {}): Observation {
  const sightings = new Sightings();
  const envelope = { $schema: SCHEMA, markets, next_cursor: 'x' };
  sightings.sawPage(new URLSearchParams(QUERY), envelope, markets.map(readGammaMarket));
  const seen = sightings.take('clob-batch');
  if (!seen) throw new Error('Nothing seen');
  return { ...seen, ...overrides };
}

const MARKETS = Array.from({ length: 100 }, (_, n) => gammaRecord({ volumeNum: 1_000 - n, version: 'v1' }));
const known = (seen = observed(MARKETS)): Known => compare(undefined, seen).known;
const changes = (seen: Observation, before = known()) =>
  compare(before, seen).changes.map(({ what, before: was, after }) => [what, was, after]);
const some = (share: number, change: (market: Market) => Market) =>
  MARKETS.map((market, n) => (n < share * MARKETS.length ? change(market) : market));
const without = (key: string) => (market: Market) =>
  Object.fromEntries(Object.entries(market).filter(([name]) => name !== key));

describe('an upstream that stays as it is', () => {
  it('has not changed on the first run, nor on the next ones, and nothing is to be written', () => {
    const first = compare(undefined, observed(MARKETS));
    expect(first.changes).toEqual([]);
    const second = compare(first.known, observed(MARKETS));
    expect(second).toEqual({ changes: [], known: first.known });
    expect(second.known).toBe(first.known);
  });

  it.each<[string, readonly Market[]]>([
    ['a key that sports alone have', some(0.15, (market) => ({ ...market, gameId: 7 }))],
    ['a key that fewer have than usual', some(0.6, without('image'))],
    ['a key that is null', MARKETS.map((market) => ({ ...market, positionIds: null }))],
    ['a few markets that are skipped', some(0.04, without('question'))],
  ])('has not changed by %s', (_, markets) => {
    expect(changes(observed(markets))).toEqual([]);
  });

  it('has not changed when a run saw little or nothing of it', () => {
    const { pageSize, ...little } = observed(MARKETS.slice(0, 2).map(without('image')));
    expect(pageSize).toBe(2);
    expect(changes(little)).toEqual([]);
    const nothing: Observation = {
      shapes: {},
      records: 0,
      skipped: {},
      unknownVersions: [],
      schemas: [],
      honoured: {},
    };
    expect(changes(nothing)).toEqual([]);
  });
});

describe('an upstream that is not what it was', () => {
  it.each<[string, Observation, readonly string[]]>([
    [
      'a new key',
      observed(some(0.35, (market) => ({ ...market, positionIds: ['1', '2'] }))),
      ['key positionIds of a market', 'absent', '35 %, list'],
    ],
    [
      'a key that is gone',
      observed(MARKETS.map(without('image'))),
      ['key image of a market', '100 %', 'absent'],
    ],
    [
      'another type',
      observed(MARKETS.map((market) => ({ ...market, outcomes: ['Yes', 'No'] }))),
      ['type of outcomes of a market', 'string', 'list'],
    ],
    [
      'a new key of events',
      observed(
        MARKETS.map((market) => ({
          ...market,
          events: [{ id: '1', slug: 'x', title: 'x', endDate: 'x', version: 'v2' }],
        })),
      ),
      ['key version of a event', 'absent', '100 %, string'],
    ],
    [
      'a version that is not known',
      observed(some(0.01, (market) => ({ ...market, version: 'v3' }))),
      ['protocol versions that are not known', 'none', 'v3'],
    ],
    [
      'markets that cannot be read',
      observed(some(0.1, without('question'))),
      ['share of markets skipped for question', '0 %', '10 %'],
    ],
    [
      'another schema',
      observed(MARKETS, { schemas: ['https://x/y.json'] }),
      ['$schema', SCHEMA, 'https://x/y.json'],
    ],
    ['smaller pages', observed(MARKETS, { pageSize: 50 }), ['markets of a page', '100', '50']],
    [
      'a filter that is ignored',
      observed(some(0.1, (market) => ({ ...market, closed: true }))),
      ['filter closed=false', 'honoured', 'ignored'],
    ],
    [
      'an order that is ignored',
      observed(MARKETS.toReversed()),
      ['filter order=volumeNum', 'honoured', 'ignored'],
    ],
    [
      'another route for histories',
      observed(MARKETS, { historyRoute: 'data' }),
      ['route of the price histories', 'clob-batch', 'data'],
    ],
  ])('by %s rings once, with before and after', (_, seen, change) => {
    const before = known();
    const found = compare(before, seen);
    expect(found.changes.map(({ what, before: was, after }) => [what, was, after])).toContainEqual(change);
    expect(compare(found.known, seen).changes).toEqual([]);
  });

  it('rings again when a key that was gone is back', () => {
    const gone = compare(known(), observed(MARKETS.map(without('image'))));
    expect(changes(observed(MARKETS), gone.known)).toEqual([
      ['key image of a market', 'absent', '100 %, string'],
    ]);
  });
});

describe('the recordings, one after the other', () => {
  withRecordings('ring for what a later one has that an earlier one had not, and never twice', () => {
    const all = readRecording<Market[]>('gamma-markets.json').toSorted((a, b) =>
      String(a.updatedAt).localeCompare(String(b.updatedAt)),
    );
    const parts = Array.from({ length: 4 }, (_, n) =>
      all.slice((n * all.length) / 4, ((n + 1) * all.length) / 4),
    );
    const quiet = { schemas: [], honoured: {}, pageSize: 100 };
    let memory = compare(undefined, observed(parts[0] ?? [], quiet)).known;
    const rung: string[] = [];
    for (const part of parts) {
      const seen = observed(part, quiet);
      const found = compare(memory, seen);
      rung.push(...found.changes.map(({ what }) => what));
      expect(compare(found.known, seen).changes).toEqual([]);
      memory = found.known;
    }
    // The recordings come from several hands, some of which left keys out: those ring as they come and go.
    expect(rung.length).toBeLessThan(10);
    console.log(`Changes from January to June: ${rung.join('; ') || 'none'}`);
    // The same markets in another order are the same upstream.
    const shuffled = all.toSorted((a, b) => String(a.id).localeCompare(String(b.id)));
    expect(compare(memory, observed(shuffled.slice(0, 400), quiet)).changes).toEqual([]);

    const october = protocolFixtures().filter(({ name }) => name === 'gamma-market-v1-live');
    const now = october.flatMap(({ object }) => Array.from({ length: 60 }, () => object));
    const found = compare(memory, observed(now, quiet)).changes.map(({ what }) => what);
    expect(found).toContain('key version of a market');
  });
});
