// `select` filters and sorts the markets of a snapshot, as GET /api/markets and the search do. Each
// test has five markets, a to e, and states the fields that matter as one value for each of them:
// `{ spread: [0.02, undefined, 0.01, 0.01, 0.05] }`. A result is a text of names, for example "ca".

import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { type MarketQuery, select } from '../../../../lambda/core/query/select-markets.ts';
import { AS_OF, loadedSnapshot, testMarket } from '../../../support/markets.ts';

const HOUR = 3_600_000;
/** Times as text, this many hours after `AS_OF`. */
const inHours = (...hours: readonly number[]) =>
  hours.map((n) => new Date(AS_OF + n * HOUR).toISOString());

const NAMES = ['a', 'b', 'c', 'd', 'e'];
/** The values of the markets a to e, by field. */
type Values = Readonly<Partial<Record<keyof Market, readonly unknown[]>>>;

/** The markets a to e with these values, in list order. Their ids ascend, too. */
function marketsWith(values: Values): readonly Market[] {
  return NAMES.map((slug, n) => {
    const market = Object.entries(values).map(([field, ofMarkets]) => [field, ofMarkets[n]]);
    return testMarket(n, { slug, ...Object.fromEntries(market) });
  });
}

/**
 * The names of the selected markets.
 *
 * @param found the names of the markets that a search found, best first
 */
function selected(values: Values, query: MarketQuery, found?: string): string {
  const foundPositions = found?.split('').map((name) => NAMES.indexOf(name));
  const snapshot = loadedSnapshot(marketsWith(values));
  const positions = select(snapshot, query, AS_OF, foundPositions);
  return positions.map((position) => NAMES[position]).join('');
}

const VOLUMES = { volume: [5_000, 5_000, 3_000, 3_000, 100] };

describe('a sort', () => {
  type Row = [sort: MarketQuery['sort'], values: Values, descending: string, ascending: string];
  it.each<Row>([
    ['volume', VOLUMES, 'abcde', 'ecdab'],
    ['liquidity', { liquidity: [10, 30, 30, 20, 60] }, 'ebcda', 'adbce'],
    ['volume24h', { volume24h: [100, undefined, 300, 200, 0] }, 'cdabe', 'beadc'],
    ['probability', { currentProbability: [90, 50, 45, 55, 44] }, 'adbce', 'ecbda'],
    ['spread', { spread: [0.02, undefined, 0.01, 0.01, 0.05] }, 'eacdb', 'cdaeb'],
    ['endDate', { endDate: inHours(1, 4, 4, 8, 2) }, 'dbcea', 'aebcd'],
    ['newest', { createdAt: [undefined, ...inHours(-3, -1, -2, -1)] }, 'cedba', 'bdcea'],
    ['change1h', { oneHourPriceChange: [-2, null, 1, 0, 3] }, 'ecdab', 'adceb'],
    ['change1d', { oneDayPriceChange: [-5, 3, null, 5, 0] }, 'dbeac', 'aebdc'],
    ['change7d', { sevenDayPriceChange: [undefined, 1, -4, 4, 0] }, 'dbeca', 'cebda'],
    ['change30d', { thirtyDayPriceChange: [2, undefined, -2, 0, 1] }, 'aedcb', 'cdeab'],
    // A move is the size of a change, up or down.
    ['move1h', { oneHourPriceChange: [-2, null, 1, 0, 3] }, 'eacdb', 'dcaeb'],
    ['move1d', { oneDayPriceChange: [-5, 3, null, 5, 0] }, 'adbec', 'ebadc'],
    ['move7d', { sevenDayPriceChange: [undefined, 1, -4, 4, 0] }, 'cdbea', 'ebcda'],
    ['move30d', { thirtyDayPriceChange: [2, undefined, -2, 0, 1] }, 'acedb', 'deacb'],
  ])(
    'by %s puts equal markets by volume, then id, and those without a value last [sentence 20]',
    (sort, values, descending, ascending) => {
      const all = { ...VOLUMES, ...values };
      expect(selected(all, { sort, order: 'desc' })).toBe(descending);
      expect(selected(all, { sort, order: 'asc' })).toBe(ascending);
      const byDefault = sort === 'endDate' || sort === 'spread' ? ascending : descending;
      expect(selected(all, { sort })).toBe(byDefault);
    },
  );

  it('is by volume when only the direction is set', () => {
    expect(selected(VOLUMES, { order: 'asc' })).toBe('ecdab');
    expect(selected(VOLUMES, { order: 'desc' })).toBe('abcde');
  });
});

describe('a filter', () => {
  const tags = [['nba', 'x'], ['Crypto'], ['weather', 'x'], ['weather'], ['nba']];
  const eventSlug = ['cup', undefined, 'cup', undefined, 'cup'];
  // Upstream omits the field for 0, so an absent one counts as 0.
  const volume24h = [100, undefined, 300, 200, 0];
  const endDate = inHours(1, 4, 4, 8, 2);

  it.each<[query: MarketQuery, values: Values, kept: string]>([
    [{ minVolume: 3_000 }, VOLUMES, 'abcd'],
    [{ minVolume24h: 200 }, { volume24h }, 'cd'],
    [{ minVolume24h: 0 }, { volume24h }, 'abcde'],
    [{ minLiquidity: 30 }, { liquidity: [10, 30, 30, 20, 60] }, 'bce'],
    [{ maxSpread: 0.01 }, { spread: [0.02, undefined, 0.01, 0.01, 0.05] }, 'cd'],
    [
      { minProbability: 45, maxProbability: 55 },
      { currentProbability: [90, 50, 45, 55, 44] },
      'bcd',
    ],
    [{ minMove1d: 3 }, { oneDayPriceChange: [-5, 3, null, 5, 0] }, 'abd'],
    [{ endsAfter: { kind: 'at', time: AS_OF + 4 * HOUR } }, { endDate }, 'bcd'],
    [{ endsBefore: { kind: 'after', milliseconds: 4 * HOUR } }, { endDate }, 'ae'],
    [{ tag: ['NBA', 'weather', 'none'] }, { tags }, 'acde'],
    [{ tag: ['crypto'] }, { tags }, 'b'],
    [{ event: 'cup' }, { eventSlug }, 'ace'],
    [
      { category: 'crypto' },
      { categories: [['sports'], ['crypto'], [], ['sports', 'crypto'], []] },
      'bd',
    ],
    [{ minVolume: 3_000, tag: ['x'], event: 'cup' }, { ...VOLUMES, tags, eventSlug }, 'ac'],
    [{ tag: ['nba'], sort: 'liquidity' }, { tags, liquidity: [10, 30, 30, 20, 60] }, 'ea'],
  ])('%j, of %j, keeps %s', (query, values, kept) => {
    expect(selected(values, query)).toBe(kept);
  });
});

// Upstream omits `volume24h` for 0. If it omits the field of every market, it has removed the
// field.
it('a market has no 24-hour volume, not even 0, if no market of the snapshot has the field', () => {
  const without = { volume24h: [] };
  expect(selected(without, { minVolume24h: 0 })).toBe('');
  expect(selected(without, { sort: 'volume24h', order: 'asc' })).toBe('abcde');
});

// A change is doubtful if the service cannot trust the price at its start.
describe('a doubtful change', () => {
  const list = loadedSnapshot([
    testMarket(0, { oneDayPriceChange: -30, doubtfulChanges: ['oneDayPriceChange'] }),
    testMarket(1, { oneDayPriceChange: 5 }),
    testMarket(2, { oneDayPriceChange: 20, doubtfulChanges: ['oneHourPriceChange'] }),
    testMarket(3, { oneDayPriceChange: null }),
  ]);

  it.each<[query: MarketQuery, positions: number[]]>([
    [{ sort: 'move1d' }, [2, 1, 0, 3]],
    [{ sort: 'move1d', order: 'asc' }, [1, 2, 0, 3]],
    [{ sort: 'change1d' }, [2, 1, 0, 3]],
    [{ sort: 'change1d', order: 'asc' }, [1, 2, 0, 3]],
  ])('comes last, as an unknown one: %j', (query, positions) => {
    expect(select(list, query, AS_OF)).toEqual(positions);
  });

  it('does not pass a minimum, not even of 0', () => {
    expect(select(list, { minMove1d: 0 }, AS_OF)).toEqual([1, 2]);
  });
});

describe('the parameter ids', () => {
  const [a, , c, , e] = marketsWith(VOLUMES) as [Market, Market, Market, Market, Market];

  it('names markets by condition ids, slugs and tokens', () => {
    const tokenOfNo = c.outcomes[1]?.tokenId ?? '';
    expect(selected(VOLUMES, { ids: [a.id.toUpperCase()] })).toBe('a');
    expect(selected(VOLUMES, { ids: [c.slug ?? ''] })).toBe('c');
    expect(selected(VOLUMES, { ids: [tokenOfNo] })).toBe('c');
  });

  it('decides the order, even with a direction', () => {
    expect(selected(VOLUMES, { ids: [c.id, a.id, e.id] })).toBe('cae');
    expect(selected(VOLUMES, { ids: [c.id, a.id, e.id], order: 'asc' })).toBe('cae');
  });

  it('may have unknown and repeated names, which are left out', () => {
    expect(selected(VOLUMES, { ids: [c.id, 'unknown', a.id, c.slug ?? ''] })).toBe('ca');
  });

  it('can be sorted and filtered', () => {
    expect(selected(VOLUMES, { ids: [c.id, a.id], sort: 'volume' })).toBe('ac');
    expect(selected(VOLUMES, { ids: [c.id, a.id], minVolume: 5_001 })).toBe('');
  });
});

describe('the result of a search', () => {
  it.each<[query: MarketQuery, expected: string]>([
    [{}, 'ceab'],
    [{ order: 'desc' }, 'ceab'],
    [{ sort: 'relevance' }, 'ceab'],
    [{ sort: 'relevance', order: 'asc' }, 'baec'],
    [{ order: 'asc' }, 'baec'],
    [{ sort: 'volume' }, 'abce'],
    [{ minVolume: 3_000 }, 'cab'],
    [{ ids: ['b', 'd'] }, 'b'],
  ])('that has c, e, a and b by relevance becomes with %j %s', (query, expected) => {
    expect(selected(VOLUMES, query, 'ceab')).toBe(expected);
  });
});
