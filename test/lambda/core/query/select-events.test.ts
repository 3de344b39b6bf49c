import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { groupIntoEvents } from '../../../../lambda/core/query/market-events.ts';
import { type EventQuery, selectEvents } from '../../../../lambda/core/query/select-events.ts';
import { AS_OF, type MarketOverrides, testMarket } from '../../../support/markets.ts';

const HOUR_MS = 3_600_000;
/** A time as text, this many hours after `AS_OF`. */
const inHours = (hours: number) => new Date(AS_OF + hours * HOUR_MS).toISOString();

describe('an event', () => {
  /** The event "cup" of markets with these fields. */
  const cupOf = (...markets: readonly MarketOverrides[]) => {
    const members = markets.map((fields, n) => testMarket(n, { eventSlug: 'cup', ...fields }));
    return groupIntoEvents(members).bySlug.get('cup');
  };

  it('has the sums of its markets', () => {
    const cup = cupOf(
      { volume: 0.1, liquidity: 1, volume24h: undefined },
      { volume: 0.2, liquidity: 2, volume24h: 1.5 },
      { volume: 7, liquidity: 0, volume24h: 0 },
    );
    const sums = { volume: 7.3, liquidity: 3, volume24h: 1.5, markets: 3 };
    expect(cup?.summary).toMatchObject(sums);
  });

  it('ends when the last of its markets ends', () => {
    // An hour apart, although the text of the later one is lower.
    const [first, last] = ['2026-12-03T00:00:00+02:00', '2026-12-02T23:00:00Z'];
    const cup = cupOf({ endDate: first }, { endDate: last });
    expect(cup?.summary.endDate).toBe(last);
    expect(cup?.endsAt).toBe(Date.parse(last));
  });

  it('has the tags and the categories of all its markets', () => {
    const cup = cupOf(
      { tags: ['b', 'a'], categories: ['sports'] },
      { tags: ['c', 'a'], categories: ['tech'] },
    );
    expect(cup?.summary.tags).toEqual(['b', 'a', 'c']);
    expect(cup?.categories).toEqual(new Set(['sports', 'tech']));
  });

  it('has its markets most probable first, and equal ones in list order', () => {
    const cup = cupOf(
      { currentProbability: 20 },
      { currentProbability: 70 },
      { currentProbability: 20 },
      { currentProbability: 1 },
    );
    expect(cup?.positions).toEqual([1, 0, 2, 3]);
    const topIds = cup?.summary.topMarkets.map(({ id }) => id);
    expect(topIds).toEqual([testMarket(1).id, testMarket(0).id, testMarket(2).id]);
  });

  it('describes its top markets in a few fields', () => {
    const fields = { groupItemTitle: 'Falcons', outcome: 'Team Falcons', currentProbability: 70 };
    const { id, question, slug, clobTokenId } = testMarket(0);
    expect(cupOf(fields)?.summary.topMarkets).toEqual([
      { id, question, slug, clobTokenId, ...fields },
    ]);
  });

  it('has the title that one of its markets has', () => {
    expect(cupOf({}, { eventTitle: 'The cup' })?.summary.title).toBe('The cup');
  });

  it('has its slug as title if its markets have no title', () => {
    expect(cupOf({})?.summary.title).toBe('cup');
  });

  it('does not exist for a market without an event', () => {
    expect(groupIntoEvents([testMarket(0)]).events).toEqual([]);
  });
});

describe('a query of events', () => {
  /** Events a, b and d have one market each. Event c has two, which add up. */
  const MARKETS: readonly Partial<Market>[] = [
    {
      eventSlug: 'b',
      endDate: inHours(6),
      volume: 500,
      volume24h: 30,
      liquidity: 50,
      tags: ['Crypto'],
      categories: ['tech'],
    },
    {
      eventSlug: 'a',
      endDate: inHours(1),
      volume: 500,
      volume24h: 10,
      liquidity: 5,
      tags: ['nba'],
      categories: ['sports'],
    },
    {
      eventSlug: 'c',
      endDate: inHours(3),
      volume: 200,
      volume24h: 15,
      liquidity: 40,
      categories: ['sports'],
    },
    {
      eventSlug: 'c',
      endDate: inHours(6),
      volume: 100,
      volume24h: 5,
      liquidity: 40,
      categories: ['tech'],
    },
    { eventSlug: 'd', endDate: inHours(9), volume: 100, volume24h: 30, liquidity: 5 },
  ];
  const list = groupIntoEvents(MARKETS.map((fields, n) => testMarket(n, fields)));

  /**
   * The slugs of the selected events, for example "ca".
   *
   * @param found positions of the markets that a search found
   */
  const selected = (query: EventQuery, found?: readonly number[]) =>
    selectEvents(list, query, AS_OF, found)
      .map(({ summary }) => summary.slug)
      .join('');

  it.each<[EventQuery, string]>([
    [{}, 'abcd'],
    [{ minVolume: 300 }, 'abc'],
    [{ minVolume24h: 30 }, 'bd'],
    [{ minLiquidity: 80 }, 'c'],
    [{ endsAfter: { kind: 'after', milliseconds: 6 * HOUR_MS } }, 'bcd'],
    [{ endsBefore: { kind: 'at', time: AS_OF + 6 * HOUR_MS } }, 'a'],
    [{ category: 'tech' }, 'bc'],
    [{ tag: ['NBA', 'crypto'] }, 'ab'],
    [{ minLiquidity: 50, category: 'sports' }, 'c'],
  ])('%j keeps the events %s, by volume, and equal ones by slug', (query, kept) => {
    expect(selected(query)).toBe(kept);
  });

  it('of a search keeps the events with a market that was found', () => {
    expect(selected({}, [0, 3])).toBe('bc');
    expect(selected({}, [])).toBe('');
  });

  it.each([
    { sort: 'volume', descending: 'abcd', ascending: 'dcab', byDefault: 'abcd' },
    { sort: 'volume24h', descending: 'bdca', ascending: 'acbd', byDefault: 'bdca' },
    { sort: 'liquidity', descending: 'cbad', ascending: 'adbc', byDefault: 'cbad' },
    { sort: 'endDate', descending: 'dbca', ascending: 'abcd', byDefault: 'abcd' },
  ] as const)(
    'sorts by $sort: descending $descending, ascending $ascending, and equal ones by volume',
    ({ sort, descending, ascending, byDefault }) => {
      expect(selected({ sort, order: 'desc' })).toBe(descending);
      expect(selected({ sort, order: 'asc' })).toBe(ascending);
      expect(selected({ sort })).toBe(byDefault);
    },
  );
});
