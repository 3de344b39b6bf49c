// `select` filters and sorts the markets of a snapshot, as GET /api/markets and the search do. Each
// test has five markets, whose slugs are a to e, and states the fields that matter as one value for
// each of them: `{ spread: [0.02, undefined, 0.01, 0.01, 0.05] }`. A result is a text of slugs, for
// example "ca".

import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { type MarketQuery, select } from '../../../../lambda/core/query/select-markets.ts';
import { AS_OF, loadedSnapshot, testMarket } from '../../../support/markets.ts';

const HOUR_MS = 3_600_000;
/** Times as text, this many hours after `AS_OF`. */
const inHours = (...hours: readonly number[]) =>
  hours.map((n) => new Date(AS_OF + n * HOUR_MS).toISOString());

const SLUGS = ['a', 'b', 'c', 'd', 'e'];
/** The values of the markets a to e, by field. */
type Values = Readonly<Partial<Record<keyof Market, readonly unknown[]>>>;

/** The markets a to e with these values, in list order. Their ids ascend, too. */
function marketsWith(values: Values): readonly Market[] {
  return SLUGS.map((slug, n) => {
    const market = Object.entries(values).map(([field, ofMarkets]) => [field, ofMarkets[n]]);
    return testMarket(n, { slug, ...Object.fromEntries(market) });
  });
}

/**
 * The slugs of the selected markets.
 *
 * @param found the slugs of the markets that a search found, best first
 */
function selected(values: Values, query: MarketQuery, found?: string): string {
  const foundPositions = found?.split('').map((slug) => SLUGS.indexOf(slug));
  const snapshot = loadedSnapshot(marketsWith(values));
  const positions = select(snapshot, query, AS_OF, foundPositions);
  return positions.map((position) => SLUGS[position]).join('');
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
  ])(
    'by %s puts equal markets by volume, then id, and those without a value last [sentence 20]',
    (sort, values, descending, ascending) => {
      const all = { ...VOLUMES, ...values };
      expect(selected(all, { sort, order: 'desc' })).toBe(descending);
      expect(selected(all, { sort, order: 'asc' })).toBe(ascending);
      const ascendsByDefault = sort === 'endDate' || sort === 'spread';
      expect(selected(all, { sort })).toBe(ascendsByDefault ? ascending : descending);
    },
  );

  it.each([
    ['1h', 'oneHourPriceChange'],
    ['1d', 'oneDayPriceChange'],
    ['7d', 'sevenDayPriceChange'],
    ['30d', 'thirtyDayPriceChange'],
  ] as const)('by the change of %s, or by its size, descends by default', (window, field) => {
    const values = { [field]: [-3, null, 1, 0, 3] };
    const change = `change${window}` as const;
    expect(selected(values, { sort: change })).toBe('ecdab');
    expect(selected(values, { sort: change, order: 'asc' })).toBe('adceb');
    const move = `move${window}` as const;
    expect(selected(values, { sort: move })).toBe('aecdb');
    expect(selected(values, { sort: move, order: 'asc' })).toBe('dcaeb');
  });

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
    [{ endsAfter: { kind: 'at', time: AS_OF + 4 * HOUR_MS } }, { endDate }, 'bcd'],
    [{ endsBefore: { kind: 'after', milliseconds: 4 * HOUR_MS } }, { endDate }, 'ae'],
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

// A change is doubtful if the service cannot trust the price at its start. The markets 0 to 3 have
// falling volumes, by which a doubtful change and an unknown one are sorted.
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
  it('names markets by condition ids, slugs and tokens', () => {
    const { id } = testMarket(0);
    const tokenOfNo = testMarket(2).outcomes[1]?.tokenId ?? '';
    expect(selected(VOLUMES, { ids: [id.toUpperCase()] })).toBe('a');
    expect(selected(VOLUMES, { ids: ['c'] })).toBe('c');
    expect(selected(VOLUMES, { ids: [tokenOfNo] })).toBe('c');
  });

  it('decides the order, even with a direction', () => {
    expect(selected(VOLUMES, { ids: ['c', 'a', 'e'] })).toBe('cae');
    expect(selected(VOLUMES, { ids: ['c', 'a', 'e'], order: 'asc' })).toBe('cae');
  });

  it('may have unknown and repeated names, which are left out', () => {
    expect(selected(VOLUMES, { ids: ['c', 'unknown', 'a', testMarket(2).id] })).toBe('ca');
  });

  it('can be sorted and filtered', () => {
    expect(selected(VOLUMES, { ids: ['c', 'a'], sort: 'volume' })).toBe('ac');
    expect(selected(VOLUMES, { ids: ['c', 'a'], minVolume: 5_001 })).toBe('');
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
