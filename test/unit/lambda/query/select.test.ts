import { describe, expect, it } from '@jest/globals';
import { byVolume, type MarketRecord } from '../../../../lambda/domain/market.ts';
import { COLUMN_NAMES, type ColumnName } from '../../../../lambda/query/columns.ts';
import type { MarketFilter } from '../../../../lambda/query/market-filter.ts';
import { MarketTable } from '../../../../lambda/query/market-table.ts';
import type { Direction } from '../../../../lambda/query/orders.ts';
import { type MarketQuery, select } from '../../../../lambda/query/select.ts';
import { Dice } from '../../../support/dice.ts';
import { diceRecords, marketRecord } from '../../../support/market-record.ts';

const AS_OF = 1_800_000_000_000;
const HOUR = 3_600_000;
const dice = new Dice(14);
const markets = diceRecords(300, dice);
const table = new MarketTable(markets);

const positionsOf = (query: Partial<MarketQuery>, found?: readonly number[]) =>
  Array.from(select(table, { filter: {}, ...query }, AS_OF, found));
const marketsOf = (query: Partial<MarketQuery>, found?: readonly number[]) =>
  positionsOf(query, found).map((position) => table.market(position));

/** What the columns mean, said once more without them. */
const VALUES: Record<ColumnName, (market: MarketRecord) => number | undefined> = {
  volume: (market) => market.volume,
  liquidity: (market) => market.liquidity,
  volume24h: (market) => market.volume24h,
  probability: (market) => market.currentProbability,
  spread: (market) => market.spread,
  endDate: (market) => Date.parse(market.endDate),
  newest: (market) => (market.createdAt && Date.parse(market.createdAt)) || undefined,
  change1d: (market) => market.oneDayPriceChange ?? undefined,
  change7d: (market) => market.sevenDayPriceChange,
  change30d: (market) => market.thirtyDayPriceChange,
  move1d: (market) => (market.oneDayPriceChange === null ? undefined : Math.abs(market.oneDayPriceChange)),
  move7d: (market) => market.sevenDayPriceChange && Math.abs(market.sevenDayPriceChange),
  move30d: (market) => market.thirtyDayPriceChange && Math.abs(market.thirtyDayPriceChange),
};

function sortedPlainly(sort: ColumnName, direction: Direction): MarketRecord[] {
  const value = VALUES[sort];
  return [...markets].sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined) || byVolume(a, b);
    }
    return (direction === 'asc' ? one - other : other - one) || byVolume(a, b);
  });
}

describe('a sort', () => {
  it.each(COLUMN_NAMES.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'by %s, %s: ties by volume, then id; markets without the value last',
    (sort, direction) => {
      expect(marketsOf({ sort, direction })).toEqual(sortedPlainly(sort, direction));
    },
  );

  it('is by volume where only the way round is told, and by relevance in a search; the order of ids stays', () => {
    expect(marketsOf({ direction: 'asc' })).toEqual(sortedPlainly('volume', 'asc'));
    expect(marketsOf({ direction: 'desc' })).toEqual(sortedPlainly('volume', 'desc'));
    expect(positionsOf({ direction: 'asc' }, [3, 1, 2])).toEqual([2, 1, 3]);
    expect(positionsOf({ direction: 'desc' }, [3, 1, 2])).toEqual([3, 1, 2]);
    const ids = [5, 2, 9].map((position) => table.market(position).id);
    expect(positionsOf({ ids, direction: 'asc' })).toEqual([5, 2, 9]);
  });

  it('goes up for end date and spread, down for all others, unless told', () => {
    expect(positionsOf({ sort: 'endDate' })).toEqual(positionsOf({ sort: 'endDate', direction: 'asc' }));
    expect(positionsOf({ sort: 'spread' })).toEqual(positionsOf({ sort: 'spread', direction: 'asc' }));
    expect(positionsOf({ sort: 'move1d' })).toEqual(positionsOf({ sort: 'move1d', direction: 'desc' }));
  });

  it('is that of the list without one', () => {
    expect(positionsOf({})).toEqual(markets.map((_, position) => position));
  });
});

describe('a filter', () => {
  const CASES: readonly (readonly [MarketFilter, (market: MarketRecord) => boolean])[] = [
    [{ minVolume: 3_000 }, ({ volume }) => volume >= 3_000],
    [{ minVolume24h: 200 }, ({ volume24h }) => volume24h !== undefined && volume24h >= 200],
    [{ minLiquidity: 30 }, ({ liquidity }) => liquidity >= 30],
    [{ maxSpread: 0.01 }, ({ spread }) => spread !== undefined && spread <= 0.01],
    [
      { minProbability: 45, maxProbability: 55 },
      ({ currentProbability: percent }) => percent >= 45 && percent <= 55,
    ],
    [
      { minMove1d: 3 },
      ({ oneDayPriceChange }) => oneDayPriceChange !== null && Math.abs(oneDayPriceChange) >= 3,
    ],
    [
      { endsAfter: { kind: 'at', time: AS_OF + 4 * HOUR } },
      ({ endDate }) => Date.parse(endDate) >= AS_OF + 4 * HOUR,
    ],
    [
      { endsBefore: { kind: 'after', milliseconds: 4 * HOUR } },
      ({ endDate }) => Date.parse(endDate) < AS_OF + 4 * HOUR,
    ],
    [{ tag: ['NBA', 'weather', 'none'] }, ({ tags }) => tags.includes('nba') || tags.includes('weather')],
    [{ event: 'event-2' }, ({ eventSlug }) => eventSlug === 'event-2'],
    [{ category: 'crypto' }, ({ tags, question }) => tags.includes('Crypto') || question.includes('bitcoin')],
    [{ category: 'sports' }, ({ tags, question }) => tags.includes('nba') || question.includes('Super Bowl')],
    [{ category: 'tech' }, () => false],
    [
      { minVolume: 3_000, tag: ['a'], event: 'event-1' },
      ({ volume, tags, eventSlug }) => volume >= 3_000 && tags.includes('a') && eventSlug === 'event-1',
    ],
  ];

  it.each(CASES)('%j keeps the markets that fulfil it, and their order', (filter, fulfils) => {
    expect(marketsOf({ filter })).toEqual(markets.filter(fulfils));
    expect(marketsOf({ filter, sort: 'liquidity' })).toEqual(
      sortedPlainly('liquidity', 'desc').filter(fulfils),
    );
  });

  it('takes whole words that stand together for a category', () => {
    const words = ['A super day for the bowl', 'The Super Bowl', 'Superbowl?', 'Texas Tech by 8?'];
    const some = new MarketTable(words.map((question, n) => marketRecord(n, { question, tags: [] })));
    const sports = Array.from(select(some, { filter: { category: 'sports' } }, AS_OF));
    expect(sports).toEqual([1, 2]);
  });
});

describe('ids', () => {
  const [third, ninth] = [markets[3], markets[9]] as [MarketRecord, MarketRecord];

  it('are condition ids in any case, slugs and tokens; their order is kept, unknown ones are left out', () => {
    const other = ninth.outcomes[1]?.tokenId ?? '';
    const ids = [other, 'unknown', third.id.toUpperCase().replace('0X', '0x'), third.clobTokenId];
    expect(marketsOf({ ids })).toEqual([ninth, third]);
    expect(marketsOf({ ids: [third.slug ?? ''] })).toEqual([third]);
  });

  it('are sorted when a sort is given, and filtered', () => {
    expect(marketsOf({ ids: [ninth.id, third.id], sort: 'volume' })).toEqual([third, ninth]);
    expect(marketsOf({ ids: [ninth.id, third.id], filter: { minVolume: third.volume + 1 } })).toEqual([]);
  });
});

describe('what a search found', () => {
  const found = [20, 10, 200, 30];

  it('keeps its order of relevance, also turned round', () => {
    expect(positionsOf({}, found)).toEqual(found);
    expect(positionsOf({ sort: 'relevance' }, found)).toEqual(found);
    expect(positionsOf({ sort: 'relevance', direction: 'asc' }, found)).toEqual([30, 200, 10, 20]);
  });

  it('is filtered and sorted like the list', () => {
    expect(positionsOf({ sort: 'volume' }, found)).toEqual([10, 20, 30, 200]);
    const volume = markets[20]?.volume ?? 0;
    const filter = { minVolume: volume };
    expect(marketsOf({ filter }, found).every((market) => market.volume >= volume)).toBe(true);
    expect(positionsOf({ ids: [markets[10]?.id ?? '', markets[5]?.id ?? ''] }, found)).toEqual([10]);
  });
});
