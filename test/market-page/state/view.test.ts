import { describe, expect, it } from '@jest/globals';
import {
  addressOf,
  eventQuery,
  FIELDS,
  listQuery,
  readView,
  showsEvents,
  showsToday,
  sortOf,
  TABS,
  volumeWords,
} from '../../../packages/market-page/src/state/view.ts';

// A view is what the page shows: a tab, and the reader's search, filters, order, event or market.
// Its address has all of it, and the query of its list follows from it.

/** The view of the address without any choice: the tab "top". */
const DEFAULT = readView('');

describe('an address', () => {
  it.each([
    '/',
    '/?view=movers',
    '/?view=events&category=crypto',
    '/?q=open+ai&category=tech&sort=liquidity&order=asc',
    '/?category=crypto&volume=100k&ends=7d&chance=even',
    '/event/fed-decision?view=events',
    '/market/0xabc?view=events&event=fed-decision',
  ])('%s describes a view, and the view has this address', (address) => {
    expect(addressOf(readView(address))).toBe(address);
    expect(readView(addressOf(readView(address)))).toEqual(readView(address));
  });

  it('of the old form shows the same as the new one', () => {
    expect(readView('/?view=movers&market=a-b')).toEqual(readView('/market/a-b?view=movers'));
    expect(readView('/?event=a%2Fb')).toEqual(readView('/event/a%2Fb'));
    expect(readView('/?event=fed&market=cut')).toEqual(readView('/market/cut?event=fed'));
  });

  it('with unknown values shows the first view', () => {
    expect(
      readView('?view=toString&category=cats&order=up&q=+&volume=1&ends=toString&chance='),
    ).toEqual(DEFAULT);
  });
});

describe('the list', () => {
  it('shows events only in their view, without a search or an event', () => {
    expect(showsEvents({ ...DEFAULT, tab: 'events' })).toBe(true);
    expect(showsEvents({ ...DEFAULT, tab: 'events', event: 'fed' })).toBe(false);
    expect(showsEvents({ ...DEFAULT, tab: 'events', query: 'fed' })).toBe(false);
    expect(showsEvents(DEFAULT)).toBe(false);
  });

  it('is the first screen only without any choice', () => {
    expect(showsToday(DEFAULT)).toBe(true);
    const choices = [
      'view=movers',
      'q=fed',
      'event=fed',
      'category=tech',
      'sort=volume',
      'volume=1m',
      'ends=1d',
    ];
    expect(choices.map((choice) => showsToday(readView(`?${choice}`)))).toEqual(
      choices.map(() => false),
    );
  });

  it('is sorted by its tab', () => {
    expect(sortOf(DEFAULT)).toBe(TABS.top.sort);
  });

  it('of a search is sorted by relevance, the default of the service', () => {
    expect(sortOf({ ...DEFAULT, query: 'fed' })).toBeUndefined();
  });

  it('of an event is sorted by probability', () => {
    expect(sortOf({ ...DEFAULT, event: 'fed' })).toBe('probability');
  });

  it("is sorted by the reader's choice first of all", () => {
    expect(sortOf({ ...DEFAULT, event: 'fed', sort: 'spread' })).toBe('spread');
  });
});

describe('the query of the list', () => {
  it.each(Object.keys(TABS))('has the fields of all columns in the view %s', (view) => {
    expect(listQuery(readView(`?view=${view}`)).fields).toEqual(
      expect.arrayContaining([
        'default',
        'sevenDayPriceChange',
        'thirtyDayPriceChange',
        'volume24h',
      ]),
    );
  });

  it("has the reader's filters, in place of those of the view", () => {
    expect(listQuery(readView('?view=movers&volume=1m&ends=7d&chance=even'))).toMatchObject({
      minVolume: 1_000_000,
      endsAfter: '0h',
      endsBefore: '7d',
      minProbability: 40,
      maxProbability: 60,
    });
  });

  it("of events has the reader's filters, except that of probability", () => {
    const view = readView('?view=events&category=tech&volume=1m&ends=7d&chance=even');
    expect(eventQuery(view)).toEqual({
      category: 'tech',
      minVolume: 1_000_000,
      endsAfter: '0h',
      endsBefore: '7d',
    });
  });

  it('has the day after today by UTC, where the dates of the upstream are', () => {
    const { endsAfter, endsBefore } = listQuery(readView('/?ends=tomorrow'));
    const from = Date.parse(String(endsAfter));
    const day = 86_400_000;
    expect(Date.parse(String(endsBefore)) - from).toBe(day);
    // Midnight UTC, at most a day from now. The page uses the real clock.
    expect(from % day).toBe(0);
    expect(from - Date.now()).toBeLessThanOrEqual(day);
    expect(from + day).toBeGreaterThan(Date.now() + day - 1_000);
  });

  it('of an event ignores filters, and an order without a sort: the page has no control for them', () => {
    const address = '/event/fed?category=crypto&volume=1m&ends=7d&chance=even&order=asc';
    const query = { event: 'fed', fields: FIELDS, sort: 'probability' };
    expect(listQuery(readView(address))).toEqual(query);
    expect(listQuery(readView(`${address}&sort=volume`))).toEqual({
      ...query,
      sort: 'volume',
      order: 'asc',
    });
  });

  // The view "movers" sorts by the change of an hour, and lists markets of more than $10,000.
  describe('of the view "movers"', () => {
    const movers = readView('?view=movers&category=crypto&order=asc');

    it('has the filter of the view, unless the reader removes it', () => {
      expect(listQuery(movers)).toMatchObject({
        minVolume: 10_000,
        sort: 'move1h',
        order: 'asc',
        category: 'crypto',
      });
      expect(volumeWords(movers)).toBe('volume over $10K');
      const unfiltered = { ...movers, volume: 'any' } as const;
      expect(listQuery(unfiltered)).not.toHaveProperty('minVolume');
      expect(volumeWords(unfiltered)).toBe('');
      expect(volumeWords(DEFAULT)).toBe('');
    });

    it('has neither filter nor sort of the view in a search', () => {
      const query = listQuery({ ...movers, query: 'fed' });
      expect(query).not.toHaveProperty('minVolume');
      expect(query).not.toHaveProperty('sort');
    });

    it('has neither filter nor sort of the view for an event', () => {
      const query = listQuery({ ...movers, event: 'fed' });
      expect(query).toMatchObject({ event: 'fed', sort: 'probability' });
      expect(query).not.toHaveProperty('minVolume');
    });
  });
});
