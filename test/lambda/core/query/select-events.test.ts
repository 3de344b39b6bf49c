import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { groupIntoEvents } from '../../../../lambda/core/query/market-events.ts';
import { type EventQuery, selectEvents } from '../../../../lambda/core/query/select-events.ts';
import { Dice } from '../../../support/dice.ts';
import { AS_OF, randomMarkets, testMarket } from '../../../support/markets.ts';

const HOUR = 3_600_000;

describe('an event', () => {
  const facts = { eventSlug: 'cup', endDate: '2026-12-01T00:00:00Z' };
  const markets = [
    testMarket(0, { ...facts, currentProbability: 20, volume: 0.1, liquidity: 1, tags: ['b', 'a'] }),
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
    testMarket(3, { ...facts, currentProbability: 20, volume: 7, volume24h: 1.5, categories: ['tech'] }),
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
    expect(groupIntoEvents([testMarket(0, { eventSlug: 'cup' })]).events[0]?.summary.title).toBe('cup');
  });
});

describe('a query of events', () => {
  /** 40 events of a few markets each, with ties. */
  const dice = new Dice(5);
  const markets = randomMarkets(120, dice).map(
    (market, n): Market => ({
      ...market,
      eventSlug: `event-${(n * 7) % 40}`,
      endDate: dateOf(dice),
      volume: 100 * Math.floor(dice.between(0, 4)),
    }),
  );
  const list = groupIntoEvents(markets);
  const all = list.events;
  const slugs = (query: EventQuery, found?: readonly number[]) =>
    selectEvents(list, query, AS_OF, found).map(({ summary }) => summary.slug);
  type Event = (typeof all)[number];
  const plainly = (keeps: (event: Event) => boolean) => all.filter(keeps).map(({ summary }) => summary.slug);

  function dateOf(from: Dice): string {
    return new Date(AS_OF + Math.floor(from.between(0, 9)) * HOUR).toISOString();
  }

  it('without conditions has all events, by volume, ties by slug', () => {
    const order = [...all].sort(
      (a, b) => b.summary.volume - a.summary.volume || (a.summary.slug < b.summary.slug ? -1 : 1),
    );
    expect(slugs({})).toEqual(order.map(({ summary }) => summary.slug));
    expect(slugs({})).toHaveLength(40);
    expect(new Set(all.map(({ summary }) => summary.volume)).size).toBeLessThan(40);
  });

  it.each<[EventQuery, (event: Event) => boolean]>([
    [{ minVolume: 500 }, ({ summary }) => summary.volume >= 500],
    [{ minVolume24h: 600 }, ({ summary }) => summary.volume24h >= 600],
    [{ minLiquidity: 80 }, ({ summary }) => summary.liquidity >= 80],
    [{ endsAfter: { kind: 'after', milliseconds: 6 * HOUR } }, ({ endsAt }) => endsAt >= AS_OF + 6 * HOUR],
    [{ endsBefore: { kind: 'at', time: AS_OF + 6 * HOUR } }, ({ endsAt }) => endsAt < AS_OF + 6 * HOUR],
    [{ category: 'tech' }, ({ categories }) => categories.has('tech')],
    [{ tag: ['NBA', 'crypto'] }, ({ summary: { tags } }) => tags.includes('nba') || tags.includes('Crypto')],
    [
      { minLiquidity: 60, category: 'sports' },
      ({ summary, categories }) => summary.liquidity >= 60 && categories.has('sports'),
    ],
  ])('%j keeps the events that fulfil it', (query, keeps) => {
    expect(slugs(query)).toEqual(plainly(keeps));
    expect(slugs(query).length).toBeGreaterThan(0);
    expect(slugs(query).length).toBeLessThan(40);
  });

  it('of a search keeps the events with a market that was found', () => {
    const found = [3, 50, 51];
    expect(slugs({}, found)).toEqual(plainly(({ positions }) => positions.some((at) => found.includes(at))));
    expect(slugs({}, [])).toEqual([]);
  });

  it.each([
    ['volume', 'desc', ({ summary }: Event) => summary.volume],
    ['volume24h', 'desc', ({ summary }: Event) => summary.volume24h],
    ['liquidity', 'desc', ({ summary }: Event) => summary.liquidity],
    ['endDate', 'asc', ({ endsAt }: Event) => endsAt],
  ] as const)('sorts by %s, usually %s, ties by volume', (sort, usual, value) => {
    const sorted = (order: 'asc' | 'desc') => {
      const sign = order === 'asc' ? 1 : -1;
      return [...all].sort((a, b) => sign * (value(a) - value(b)) || all.indexOf(a) - all.indexOf(b));
    };
    for (const order of ['asc', 'desc'] as const) {
      expect(slugs({ sort, order })).toEqual(sorted(order).map(({ summary }) => summary.slug));
    }
    expect(slugs({ sort })).toEqual(slugs({ sort, order: usual }));
    expect(slugs({ sort, order: 'asc' })).not.toEqual(slugs({ sort, order: 'desc' }));
  });
});
