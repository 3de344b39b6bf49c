import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { groupIntoEvents } from '../../../../lambda/core/query/market-events.ts';
import { type EventQuery, selectEvents } from '../../../../lambda/core/query/select-events.ts';
import { AS_OF, testMarket } from '../../../support/markets.ts';

const HOUR = 3_600_000;

describe('an event', () => {
  /** Four markets of the event "cup", and market 1 without an event. */
  const facts = { eventSlug: 'cup', endDate: '2026-12-01T00:00:00Z' };
  const markets = [
    testMarket(0, {
      ...facts,
      currentProbability: 20,
      volume: 0.1,
      liquidity: 1,
      tags: ['b', 'a'],
    }),
    testMarket(1, { volume: 5_000 }),
    testMarket(2, {
      ...facts,
      currentProbability: 70,
      volume: 0.2,
      liquidity: 2,
      volume24h: undefined,
      endDate: '2026-12-03T00:00:00+02:00',
      eventTitle: 'The cup',
      groupItemTitle: 'Falcons',
      outcome: 'Team Falcons',
      tags: ['c', 'a'],
      categories: ['sports'],
    }),
    testMarket(3, {
      ...facts,
      currentProbability: 20,
      volume: 7,
      volume24h: 1.5,
      categories: ['tech'],
    }),
    testMarket(4, { ...facts, currentProbability: 1, volume: 0, volume24h: 0, liquidity: 0 }),
  ];
  const { events, bySlug } = groupIntoEvents(markets);

  it('sums up its open markets: amounts, latest end, tags, and the favourite', () => {
    const favourite = testMarket(2);
    expect(events).toHaveLength(1);
    expect(bySlug.get('cup')?.endsAt).toBe(Date.parse('2026-12-03T00:00:00+02:00'));
    expect(bySlug.get('cup')?.summary).toEqual({
      slug: 'cup',
      title: 'The cup',
      volume: 7.3,
      volume24h: 501.5,
      liquidity: 1_003,
      endDate: '2026-12-03T00:00:00+02:00',
      markets: 4,
      tags: ['b', 'a', 'c', 'politics'],
      topMarkets: [
        {
          id: favourite.id,
          question: favourite.question,
          slug: favourite.slug,
          groupItemTitle: 'Falcons',
          currentProbability: 70,
          clobTokenId: favourite.clobTokenId,
          outcome: 'Team Falcons',
        },
        expect.objectContaining({ id: testMarket(0).id }),
        expect.objectContaining({ id: testMarket(3).id }),
      ],
    });
  });

  it('has its markets most probable first, ties in list order, and the categories of any of them', () => {
    expect(bySlug.get('cup')?.positions).toEqual([2, 0, 3, 4]);
    expect(bySlug.get('cup')?.categories).toEqual(new Set(['sports', 'tech']));
  });

  it('without a title has its slug as title', () => {
    expect(groupIntoEvents([testMarket(0, { eventSlug: 'cup' })]).events[0]?.summary.title).toBe(
      'cup',
    );
  });
});

describe('a query of events', () => {
  /** A market of an event that ends in so many hours. Event c has two markets, which add up. */
  const listed = (event: string, hours: number, fields: Partial<Market>) => ({
    ...fields,
    eventSlug: event,
    endDate: new Date(AS_OF + hours * HOUR).toISOString(),
  });
  const markets = [
    listed('b', 6, {
      volume: 500,
      volume24h: 30,
      liquidity: 50,
      tags: ['Crypto'],
      categories: ['tech'],
    }),
    listed('a', 1, {
      volume: 500,
      volume24h: 10,
      liquidity: 5,
      tags: ['nba'],
      categories: ['sports'],
    }),
    listed('c', 3, { volume: 200, volume24h: 15, liquidity: 40, categories: ['sports'] }),
    listed('c', 6, { volume: 100, volume24h: 5, liquidity: 40, categories: ['tech'] }),
    listed('d', 9, { volume: 100, volume24h: 30, liquidity: 5 }),
  ];
  const list = groupIntoEvents(markets.map((fields, n) => testMarket(n, fields)));
  const slugs = (query: EventQuery, found?: readonly number[]) =>
    selectEvents(list, query, AS_OF, found)
      .map(({ summary }) => summary.slug)
      .join('');

  it.each<[EventQuery, string]>([
    [{}, 'abcd'],
    [{ minVolume: 300 }, 'abc'],
    [{ minVolume24h: 30 }, 'bd'],
    [{ minLiquidity: 80 }, 'c'],
    [{ endsAfter: { kind: 'after', milliseconds: 6 * HOUR } }, 'bcd'],
    [{ endsBefore: { kind: 'at', time: AS_OF + 6 * HOUR } }, 'a'],
    [{ category: 'tech' }, 'bc'],
    [{ tag: ['NBA', 'crypto'] }, 'ab'],
    [{ minLiquidity: 50, category: 'sports' }, 'c'],
  ])('%j keeps %s, by volume, ties by slug', (query, kept) => {
    expect(slugs(query)).toBe(kept);
  });

  it('of a search keeps the events with a market that was found', () => {
    expect(slugs({}, [0, 3])).toBe('bc');
    expect(slugs({}, [])).toBe('');
  });

  it.each([
    ['volume', 'abcd', 'dcab', 'abcd'],
    ['volume24h', 'bdca', 'acbd', 'bdca'],
    ['liquidity', 'cbad', 'adbc', 'cbad'],
    ['endDate', 'dbca', 'abcd', 'abcd'],
  ] as const)(
    'sorted by %s is %s, ascending %s, usually %s, ties by volume',
    (sort, descending, ascending, usual) => {
      expect(slugs({ sort, order: 'desc' })).toBe(descending);
      expect(slugs({ sort, order: 'asc' })).toBe(ascending);
      expect(slugs({ sort })).toBe(usual);
    },
  );
});
