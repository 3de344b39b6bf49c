// An event is all markets with one `eventSlug`, for example the teams of a cup. `groupIntoEvents`
// sums up their fields, and `selectEvents` filters and sorts the events, as GET /api/events does.

import { describe, expect, it } from '@jest/globals';
import { groupIntoEvents, type MarketEvent } from '../../../../lambda/core/query/market-events.ts';
import { type EventQuery, selectEvents } from '../../../../lambda/core/query/select-events.ts';
import { AS_OF, type MarketOverrides, testMarket } from '../../../support/markets.ts';

const HOUR_MS = 3_600_000;
/** A time as text, this many hours after `AS_OF`. */
const inHours = (hours: number) => new Date(AS_OF + hours * HOUR_MS).toISOString();
/** The events of markets with these fields. */
const eventsOf = (...markets: readonly MarketOverrides[]) =>
  groupIntoEvents(markets.map((fields, n) => testMarket(n, fields)));

/** The slugs of events in their order, for example "ca". */
const slugsOf = (events: readonly MarketEvent[]) =>
  events.map(({ summary }) => summary.slug).join('');

describe('an event', () => {
  /** The event "cup" of markets with these fields. */
  const cupOf = (...markets: readonly MarketOverrides[]) =>
    eventsOf(...markets.map((fields) => ({ eventSlug: 'cup', ...fields }))).bySlug.get('cup');

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
    // 22:00 and 23:00 in UTC, although the text of the later time sorts first.
    const earlier = '2026-12-03T00:00:00+02:00';
    const later = '2026-12-02T23:00:00Z';
    const cup = cupOf({ endDate: earlier }, { endDate: later });
    expect(cup?.summary.endDate).toBe(later);
    expect(cup?.endsAt).toBe(Date.parse(later));
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
    expect(eventsOf({ eventSlug: undefined }).events).toEqual([]);
  });
});

describe('a query of events', () => {
  /** Events a, b and d have one market each, event c has two. */
  const MARKETS = [
    { eventSlug: 'b', volume: 500, volume24h: 30, liquidity: 50, endDate: inHours(6) },
    { eventSlug: 'a', volume: 500, volume24h: 10, liquidity: 5, endDate: inHours(1) },
    { eventSlug: 'c', volume: 200, volume24h: 15, liquidity: 40, endDate: inHours(3) },
    { eventSlug: 'c', volume: 100, volume24h: 5, liquidity: 40, endDate: inHours(6) },
    { eventSlug: 'd', volume: 100, volume24h: 30, liquidity: 5, endDate: inHours(9) },
  ];
  const EVENTS = eventsOf(...MARKETS);

  it.each<{ query: EventQuery; kept: string }>([
    { query: {}, kept: 'abcd' },
    { query: { minVolume: 300 }, kept: 'abc' },
    { query: { minVolume24h: 30 }, kept: 'bd' },
    { query: { minLiquidity: 80 }, kept: 'c' },
    { query: { endsAfter: { kind: 'after', milliseconds: 6 * HOUR_MS } }, kept: 'bcd' },
    { query: { endsBefore: { kind: 'at', time: AS_OF + 6 * HOUR_MS } }, kept: 'a' },
  ])('$query keeps the events $kept, by volume, and equal ones by slug', ({ query, kept }) => {
    expect(slugsOf(selectEvents(EVENTS, query, AS_OF))).toBe(kept);
  });

  it.each<{ query: EventQuery; kept: string }>([
    { query: { category: 'tech' }, kept: 'bc' },
    { query: { tag: ['NBA', 'crypto'] }, kept: 'ab' },
    { query: { category: 'sports', minLiquidity: 50 }, kept: 'c' },
  ])('$query keeps the events $kept if any of their markets matches', ({ query, kept }) => {
    const events = eventsOf(
      { eventSlug: 'a', volume: 9, liquidity: 5, tags: ['nba'], categories: ['sports'] },
      { eventSlug: 'b', volume: 8, liquidity: 50, tags: ['Crypto'], categories: ['tech'] },
      { eventSlug: 'c', volume: 1, liquidity: 40, categories: ['sports'] },
      { eventSlug: 'c', volume: 1, liquidity: 40, categories: ['tech'] },
    );
    expect(slugsOf(selectEvents(events, query, AS_OF))).toBe(kept);
  });

  it('of a search keeps the events with a market that was found', () => {
    // Positions in the list of markets: the only one of event b, and the second one of event c.
    const found = [0, 3];
    expect(slugsOf(selectEvents(EVENTS, {}, AS_OF, found))).toBe('bc');
    expect(selectEvents(EVENTS, {}, AS_OF, [])).toEqual([]);
  });

  it.each([
    { sort: 'volume', descending: 'abcd', ascending: 'dcab' },
    { sort: 'volume24h', descending: 'bdca', ascending: 'acbd' },
    { sort: 'liquidity', descending: 'cbad', ascending: 'adbc' },
    { sort: 'endDate', descending: 'dbca', ascending: 'abcd' },
  ] as const)(
    'sorts by $sort: descending $descending, ascending $ascending, and equal ones by volume',
    ({ sort, descending, ascending }) => {
      const sorted = (order?: 'asc' | 'desc') =>
        slugsOf(selectEvents(EVENTS, { sort, order }, AS_OF));
      expect(sorted('desc')).toBe(descending);
      expect(sorted('asc')).toBe(ascending);
      expect(sorted()).toBe(sort === 'endDate' ? ascending : descending);
    },
  );
});
