import { describe, expect, it } from '@jest/globals';
import { byVolume, type Market } from '../../../../lambda/core/domain/market.ts';
import { checkRanges, type MarketQuery, select } from '../../../../lambda/core/query/select-markets.ts';
import { Dice } from '../../../support/dice.ts';
import { AS_OF, loadedSnapshot, randomMarkets, testMarket } from '../../../support/markets.ts';

const HOUR = 3_600_000;
const markets = randomMarkets(300, new Dice(14));
const snapshot = loadedSnapshot(markets);

const positionsOf = (query: MarketQuery, found?: readonly number[]) => select(snapshot, query, AS_OF, found);
/** Ids, so that a failure is short. */
const idsOf = (query: MarketQuery, found?: readonly number[]) =>
  positionsOf(query, found).map((position) => markets[position]?.id);
const ids = (some: readonly Market[]) => some.map(({ id }) => id);

const size = (value: number | null | undefined) => (typeof value === 'number' ? Math.abs(value) : undefined);
/** The meaning of each sort, written a second time. */
const VALUES: Record<string, (market: Market) => number | undefined> = {
  volume: (market) => market.volume,
  liquidity: (market) => market.liquidity,
  volume24h: (market) => market.volume24h ?? 0,
  probability: (market) => market.currentProbability,
  spread: (market) => market.spread,
  endDate: (market) => Date.parse(market.endDate),
  newest: (market) => (market.createdAt && Date.parse(market.createdAt)) || undefined,
  change1d: (market) => market.oneDayPriceChange ?? undefined,
  change7d: (market) => market.sevenDayPriceChange,
  change30d: (market) => market.thirtyDayPriceChange,
  move1d: (market) => size(market.oneDayPriceChange),
  move7d: (market) => size(market.sevenDayPriceChange),
  move30d: (market) => size(market.thirtyDayPriceChange),
};

function sortedPlainly(sort: string, order: 'asc' | 'desc', some: readonly Market[] = markets): readonly string[] {
  const sorted = some.toSorted((a, b) => {
    const [one, other] = [VALUES[sort]?.(a), VALUES[sort]?.(b)];
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined) || byVolume(a, b);
    }
    return (order === 'asc' ? one - other : other - one) || byVolume(a, b);
  });
  return ids(sorted);
}

describe('a sort', () => {
  it.each(Object.keys(VALUES).flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'by %s, %s: ties by volume, then id; markets without the value last',
    (sort, order) => {
      expect(idsOf({ sort: sort as 'volume', order })).toEqual(sortedPlainly(sort, order));
    },
  );

  it('is ascending for end date and spread, descending for the others', () => {
    for (const sort of ['endDate', 'spread'] as const) {
      expect(idsOf({ sort })).toEqual(sortedPlainly(sort, 'asc'));
    }
    for (const sort of ['move1d', 'newest', 'volume', 'probability'] as const) {
      expect(idsOf({ sort })).toEqual(sortedPlainly(sort, 'desc'));
    }
  });

  it('by the size of a change puts doubtful changes last; by the change itself, it does not', () => {
    const [doubtful, ...others] = [-30, 5, 20, null].map((oneDayPriceChange, n) =>
      testMarket(n, { oneDayPriceChange }),
    );
    const snapshot = loadedSnapshot([{ ...doubtful, doubtfulChanges: ['oneDayPriceChange'] } as Market, ...others]);
    expect(select(snapshot, { sort: 'move1d' }, AS_OF)).toEqual([2, 1, 0, 3]);
    expect(select(snapshot, { sort: 'change1d', order: 'asc' }, AS_OF)).toEqual([0, 1, 2, 3]);
    expect(select(snapshot, { sort: 'move7d' }, AS_OF)).toEqual([0, 1, 2, 3]);
  });

  it('is by volume when only the direction is set; the order of ids stays', () => {
    expect(idsOf({ order: 'asc' })).toEqual(sortedPlainly('volume', 'asc'));
    expect(idsOf({ order: 'desc' })).toEqual(ids(markets));
    const named = [5, 2, 9].map((position) => markets[position]?.id ?? '');
    expect(positionsOf({ ids: named, order: 'asc' })).toEqual([5, 2, 9]);
  });

  it('is that of the list without a query, which parses no market', () => {
    const market = () => {
      throw new Error('No market is needed');
    };
    const unread = { length: 3, positionOf: () => undefined, market, markets: [] };
    expect(select(unread, {}, AS_OF)).toEqual([0, 1, 2]);
  });
});

describe('a filter', () => {
  const CASES: readonly (readonly [MarketQuery, (market: Market) => boolean])[] = [
    [{ minVolume: 3_000 }, ({ volume }) => volume >= 3_000],
    [{ minVolume24h: 200 }, ({ volume24h }) => volume24h !== undefined && volume24h >= 200],
    [{ minVolume24h: 0 }, () => true],
    [{ minLiquidity: 30 }, ({ liquidity }) => liquidity >= 30],
    [{ maxSpread: 0.01 }, ({ spread }) => spread !== undefined && spread <= 0.01],
    [{ minProbability: 45, maxProbability: 55 }, ({ currentProbability: percent }) => percent >= 45 && percent <= 55],
    [{ minMove1d: 3 }, ({ oneDayPriceChange: change }) => change !== null && Math.abs(change) >= 3],
    [{ endsAfter: { kind: 'at', time: AS_OF + 4 * HOUR } }, ({ endDate }) => Date.parse(endDate) >= AS_OF + 4 * HOUR],
    [
      { endsBefore: { kind: 'after', milliseconds: 4 * HOUR } },
      ({ endDate }) => Date.parse(endDate) < AS_OF + 4 * HOUR,
    ],
    [{ tag: ['NBA', 'weather', 'none'] }, ({ tags }) => tags.includes('nba') || tags.includes('weather')],
    [{ tag: ['crypto'] }, ({ tags }) => tags.includes('Crypto')],
    [{ event: 'event-2' }, ({ eventSlug }) => eventSlug === 'event-2'],
    [{ category: 'crypto' }, ({ categories }) => categories.includes('crypto')],
    [
      { minVolume: 3_000, tag: ['a'], event: 'event-1' },
      ({ volume, tags, eventSlug }) => volume >= 3_000 && tags.includes('a') && eventSlug === 'event-1',
    ],
  ];

  it.each(CASES)('%j keeps the markets that fulfil it, and their order', (filter, fulfils) => {
    const kept = markets.filter(fulfils);
    expect(idsOf(filter)).toEqual(ids(kept));
    expect(idsOf({ ...filter, sort: 'liquidity' })).toEqual(sortedPlainly('liquidity', 'desc', kept));
  });
});

it('a market has no 24-hour volume, not even 0, if no market of the snapshot has the field', () => {
  const without = loadedSnapshot(markets.slice(0, 5).map(({ volume24h: _, ...market }) => market));
  expect(select(without, { minVolume24h: 0 }, AS_OF)).toEqual([]);
  expect(select(without, { sort: 'volume24h', order: 'asc' }, AS_OF)).toEqual([0, 1, 2, 3, 4]);
});

describe('ids', () => {
  const [third, ninth] = [markets[3], markets[9]] as [Market, Market];

  it('are condition ids, slugs and tokens; their order is kept, unknown and repeated ones are left out', () => {
    const other = ninth.outcomes[1]?.tokenId ?? '';
    const upper = third.id.toUpperCase();
    expect(idsOf({ ids: [other, 'unknown', upper, ninth.slug ?? ''] })).toEqual(ids([ninth, third]));
  });

  it('are sorted when a sort is given, and filtered', () => {
    expect(idsOf({ ids: [ninth.id, third.id], sort: 'volume' })).toEqual(ids([third, ninth]));
    expect(idsOf({ ids: [ninth.id, third.id], minVolume: third.volume + 1 })).toEqual([]);
  });
});

describe('the result of a search', () => {
  const found = [20, 10, 200, 30];

  it('keeps its order of relevance, also reversed', () => {
    expect(positionsOf({}, found)).toEqual(found);
    expect(positionsOf({ order: 'desc' }, found)).toEqual(found);
    expect(positionsOf({ sort: 'relevance' }, found)).toEqual(found);
    expect(positionsOf({ sort: 'relevance', order: 'asc' }, found)).toEqual([30, 200, 10, 20]);
    expect(positionsOf({ order: 'asc' }, found)).toEqual([30, 200, 10, 20]);
  });

  it('is filtered and sorted as the list', () => {
    expect(positionsOf({ sort: 'volume' }, found)).toEqual([10, 20, 30, 200]);
    const minVolume = markets[20]?.volume ?? 0;
    expect(positionsOf({ minVolume }, found)).toEqual(
      found.filter((position) => (markets[position]?.volume ?? 0) >= minVolume),
    );
    expect(positionsOf({ ids: [markets[10]?.id ?? '', markets[5]?.id ?? ''] }, found)).toEqual([10]);
  });
});

describe('ranges', () => {
  const at = (time: number) => ({ kind: 'at', time }) as const;
  const later = (milliseconds: number) => ({ kind: 'after', milliseconds }) as const;

  it.each<[MarketQuery, string]>([
    [{ minProbability: 55, maxProbability: 45 }, 'minProbability'],
    [{ endsAfter: at(AS_OF), endsBefore: at(AS_OF) }, 'endsAfter'],
    [{ endsAfter: later(HOUR), endsBefore: at(AS_OF + HOUR - 1) }, 'endsAfter'],
  ])('%j contradicts itself', (filter, name) => {
    expect(() => checkRanges(filter, AS_OF)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
    expect(() => checkRanges(filter, AS_OF)).toThrow(name);
  });

  it.each<[MarketQuery]>([
    [{}],
    [{ minProbability: 50, maxProbability: 50 }],
    [{ minProbability: 50 }],
    [{ endsAfter: at(AS_OF), endsBefore: later(1) }],
    [{ endsAfter: at(AS_OF) }],
    [{ endsBefore: at(AS_OF) }],
  ])('%j can be fulfilled', (filter) => {
    expect(() => checkRanges(filter, AS_OF)).not.toThrow();
  });
});
