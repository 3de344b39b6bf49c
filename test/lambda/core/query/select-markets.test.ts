import { describe, expect, it } from '@jest/globals';
import { FILTERS } from '../../../../lambda/core/contract/route-table/market-parameters.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import {
  checkRanges,
  type MarketQuery,
  select,
} from '../../../../lambda/core/query/select-markets.ts';
import { AS_OF, loadedSnapshot, testMarket } from '../../../support/markets.ts';

const HOUR = 3_600_000;
/** End dates or creation dates, so many hours after `AS_OF`. */
const inHours = (...hours: readonly number[]) =>
  hours.map((n) => new Date(AS_OF + n * HOUR).toISOString());

const NAMES = [...'abcde'];
/**
 * The list of all tests: five markets a to e in list order, one column each. A test names the
 * markets that it expects by these letters.
 */
const FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  volume: [5_000, 5_000, 3_000, 3_000, 100],
  liquidity: [10, 30, 30, 20, 60],
  volume24h: [100, undefined, 300, 200, 0],
  currentProbability: [90, 50, 45, 55, 44],
  spread: [0.02, undefined, 0.01, 0.01, 0.05],
  endDate: inHours(1, 4, 4, 8, 2),
  createdAt: [undefined, ...inHours(-3, -1, -2, -1)],
  oneHourPriceChange: [-2, null, 1, 0, 3],
  oneDayPriceChange: [-5, 3, null, 5, 0],
  sevenDayPriceChange: [undefined, 1, -4, 4, 0],
  thirtyDayPriceChange: [2, undefined, -2, 0, 1],
  eventSlug: ['cup', undefined, 'cup', undefined, 'cup'],
  tags: [['nba', 'x'], ['Crypto'], ['weather', 'x'], ['weather'], ['nba']],
  categories: [['sports'], ['crypto'], [], ['sports', 'crypto'], []],
};
const markets = NAMES.map((slug, n) => {
  const fields = Object.entries(FIELDS).map(([name, values]) => [name, values[n]]);
  return testMarket(n, { slug, ...Object.fromEntries(fields) });
});
const [a, b, c, , e] = markets as [Market, Market, Market, Market, Market];
const snapshot = loadedSnapshot(markets);

/** The names of the selected markets. @param found those of a search, best first */
function selected(query: MarketQuery, found?: string): string {
  const positions = found === undefined ? undefined : [...found].map((name) => NAMES.indexOf(name));
  return select(snapshot, query, AS_OF, positions)
    .map((position) => NAMES[position])
    .join('');
}

describe('a sort', () => {
  it.each([
    ['volume', 'abcde', 'ecdab'],
    ['liquidity', 'ebcda', 'adbce'],
    ['volume24h', 'cdabe', 'beadc'],
    ['probability', 'adbce', 'ecbda'],
    ['spread', 'eacdb', 'cdaeb'],
    ['endDate', 'dbcea', 'aebcd'],
    ['newest', 'cedba', 'bdcea'],
    ['change1h', 'ecdab', 'adceb'],
    ['change1d', 'dbeac', 'aebdc'],
    ['change7d', 'dbeca', 'cebda'],
    ['change30d', 'aedcb', 'cdeab'],
    ['move1h', 'eacdb', 'dcaeb'],
    ['move1d', 'adbec', 'ebadc'],
    ['move7d', 'cdbea', 'ebcda'],
    ['move30d', 'acedb', 'deacb'],
  ] as const)(
    'by %s is %s, ascending %s: ties by volume, then id; markets without the value last [sentence 20]',
    (sort, descending, ascending) => {
      expect(selected({ sort, order: 'desc' })).toBe(descending);
      expect(selected({ sort, order: 'asc' })).toBe(ascending);
      expect(selected({ sort })).toBe(
        sort === 'endDate' || sort === 'spread' ? ascending : descending,
      );
    },
  );

  it('is by volume when only the direction is set; the order of ids stays', () => {
    expect(selected({ order: 'asc' })).toBe('ecdab');
    expect(selected({ order: 'desc' })).toBe('abcde');
    expect(selected({ ids: [c.id, a.id, e.id], order: 'asc' })).toBe('cae');
  });
});

it.each<[MarketQuery, string]>([
  [{ minVolume: 3_000 }, 'abcd'],
  [{ minVolume24h: 200 }, 'cd'],
  [{ minVolume24h: 0 }, 'abcde'],
  [{ minLiquidity: 30 }, 'bce'],
  [{ maxSpread: 0.01 }, 'cd'],
  [{ minProbability: 45, maxProbability: 55 }, 'bcd'],
  [{ minMove1d: 3 }, 'abd'],
  [{ endsAfter: { kind: 'at', time: AS_OF + 4 * HOUR } }, 'bcd'],
  [{ endsBefore: { kind: 'after', milliseconds: 4 * HOUR } }, 'ae'],
  [{ tag: ['NBA', 'weather', 'none'] }, 'acde'],
  [{ tag: ['crypto'] }, 'b'],
  [{ event: 'cup' }, 'ace'],
  [{ category: 'crypto' }, 'bd'],
  [{ minVolume: 3_000, tag: ['x'], event: 'cup' }, 'ac'],
  [{ tag: ['nba', 'weather'], sort: 'liquidity' }, 'ecda'],
])('a filter %j keeps %s', (query, kept) => {
  expect(selected(query)).toBe(kept);
});

it('a market has no 24-hour volume, not even 0, if no market of the snapshot has the field', () => {
  const without = loadedSnapshot(markets.map(({ volume24h: _, ...market }) => market));
  expect(select(without, { minVolume24h: 0 }, AS_OF)).toEqual([]);
  expect(select(without, { sort: 'volume24h', order: 'asc' }, AS_OF)).toEqual([0, 1, 2, 3, 4]);
});

describe('a doubtful change', () => {
  const list = loadedSnapshot([
    testMarket(0, { oneDayPriceChange: -30, doubtfulChanges: ['oneDayPriceChange'] }),
    testMarket(1, { oneDayPriceChange: 5 }),
    testMarket(2, { oneDayPriceChange: 20, doubtfulChanges: ['oneHourPriceChange'] }),
    testMarket(3, { oneDayPriceChange: null }),
  ]);

  it.each<[MarketQuery, number[]]>([
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

describe('ids', () => {
  it('are condition ids, slugs and tokens; their order is kept, unknown and repeated ones are left out', () => {
    const other = c.outcomes[1]?.tokenId ?? '';
    expect(selected({ ids: [other, 'unknown', a.id.toUpperCase(), c.slug ?? ''] })).toBe('ca');
  });

  it('are sorted when a sort is given, and filtered', () => {
    expect(selected({ ids: [c.id, a.id], sort: 'volume' })).toBe('ac');
    expect(selected({ ids: [c.id, a.id], minVolume: 5_001 })).toBe('');
  });
});

it.each<[MarketQuery, string]>([
  [{}, 'ceab'],
  [{ order: 'desc' }, 'ceab'],
  [{ sort: 'relevance' }, 'ceab'],
  [{ sort: 'relevance', order: 'asc' }, 'baec'],
  [{ order: 'asc' }, 'baec'],
  [{ sort: 'volume' }, 'abce'],
  [{ minVolume: 3_000 }, 'cab'],
  [{ ids: [b.id, testMarket(3).id] }, 'b'],
])(
  'the result of a search that has c, e, a and b by relevance is with %j %s',
  (query, expected) => {
    expect(selected(query, 'ceab')).toBe(expected);
  },
);

describe('ranges', () => {
  const VOLUME_AT_MOST = { field: 'volume', is: 'atMost' } as const;
  const at = (time: number) => ({ kind: 'at', time }) as const;
  const later = (milliseconds: number) => ({ kind: 'after', milliseconds }) as const;

  it.each<[MarketQuery, string]>([
    [{ minProbability: 55, maxProbability: 45 }, 'minProbability'],
    [{ endsAfter: at(AS_OF), endsBefore: at(AS_OF) }, 'endsAfter'],
    [{ endsAfter: later(HOUR), endsBefore: at(AS_OF + HOUR - 1) }, 'endsAfter'],
  ])('%j contradicts itself', (filter, name) => {
    expect(() => checkRanges(FILTERS, filter, AS_OF)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter' }),
    );
    expect(() => checkRanges(FILTERS, filter, AS_OF)).toThrow(name);
  });

  it.each<[MarketQuery]>([
    [{}],
    [{ minProbability: 50, maxProbability: 50 }],
    [{ minProbability: 50 }],
    [{ endsAfter: at(AS_OF), endsBefore: later(1) }],
    [{ endsAfter: at(AS_OF) }],
    [{ endsBefore: at(AS_OF) }],
  ])('%j can be fulfilled', (filter) => {
    expect(() => checkRanges(FILTERS, filter, AS_OF)).not.toThrow();
  });

  it('are those of any field that two filters bound', () => {
    const bounds = {
      minVolume: FILTERS.minVolume,
      maxVolume: { ...FILTERS.maxSpread, bound: VOLUME_AT_MOST },
    } as const;
    const check = (minVolume: number, maxVolume: number) =>
      checkRanges(bounds, { minVolume, maxVolume }, AS_OF);
    expect(() => check(2, 1)).toThrow('The parameter minVolume must be at most maxVolume');
    expect(() => check(1, 1)).not.toThrow();
  });
});
