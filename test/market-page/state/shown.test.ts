import { describe, expect, it } from '@jest/globals';
import {
  addressOf,
  eventQuery,
  listQuery,
  readShown,
  showsEvents,
  showsToday,
  sortOf,
  VIEWS,
} from '../../../packages/market-page/src/state/shown.ts';

const DEFAULT = readShown('');

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
    expect(addressOf(readShown(address))).toBe(address);
    expect(readShown(addressOf(readShown(address)))).toEqual(readShown(address));
  });

  it('of the old form shows the same as the new one', () => {
    expect(readShown('/?view=movers&market=a-b')).toEqual(readShown('/market/a-b?view=movers'));
    expect(readShown('/?event=a%2Fb')).toEqual(readShown('/event/a%2Fb'));
    expect(readShown('/?event=fed&market=cut')).toEqual(readShown('/market/cut?event=fed'));
  });

  it('with unknown values shows the first view', () => {
    expect(readShown('?view=toString&category=cats&order=up&q=+&volume=1&ends=toString&chance=')).toEqual(DEFAULT);
  });
});

describe('the list', () => {
  it('shows events only in their view, without a search or an event', () => {
    expect(showsEvents({ ...DEFAULT, view: 'events' })).toBe(true);
    expect(showsEvents({ ...DEFAULT, view: 'events', event: 'fed' })).toBe(false);
    expect(showsEvents({ ...DEFAULT, view: 'events', query: 'fed' })).toBe(false);
    expect(showsEvents(DEFAULT)).toBe(false);
  });

  it('is the first screen only without any choice', () => {
    expect(showsToday(DEFAULT)).toBe(true);
    const choices = ['view=movers', 'q=fed', 'event=fed', 'category=tech', 'sort=volume', 'volume=1m', 'ends=1d'];
    expect(choices.map((choice) => showsToday(readShown(`?${choice}`)))).toEqual(choices.map(() => false));
  });

  it("is sorted by the reader's choice, else by view; a search by relevance, an event by probability", () => {
    expect(sortOf(DEFAULT)).toBe(VIEWS.top.sort);
    expect(sortOf({ ...DEFAULT, query: 'fed' })).toBeUndefined();
    expect(sortOf({ ...DEFAULT, event: 'fed' })).toBe('probability');
    expect(sortOf({ ...DEFAULT, event: 'fed', sort: 'spread' })).toBe('spread');
  });
});

describe('the query of the list', () => {
  it.each(Object.keys(VIEWS))('names the 7- and 30-day changes in the view %s', (view) => {
    expect(listQuery(readShown(`?view=${view}`)).fields).toEqual(
      expect.arrayContaining(['default', 'sevenDayPriceChange', 'thirtyDayPriceChange', 'volume24h']),
    );
  });

  it("has the reader's filters, in place of those of the view", () => {
    const query = listQuery(readShown('?view=movers&volume=1m&ends=7d&chance=even'));
    expect(query).toMatchObject({ minVolume: 1_000_000, endsAfter: '0h', endsBefore: '7d' });
    expect(query).toMatchObject({ minProbability: 40, maxProbability: 60 });
    const events = eventQuery(readShown('?view=events&category=tech&volume=1m&ends=7d&chance=even'));
    expect(events).toEqual({ category: 'tech', minVolume: 1_000_000, endsAfter: '0h', endsBefore: '7d' });
  });

  it('has the filter of the view, but not for an event or a search', () => {
    const movers = readShown('?view=movers&category=crypto&order=asc');
    expect(listQuery(movers)).toMatchObject({
      minVolume: 10_000,
      sort: 'move1h',
      order: 'asc',
      category: 'crypto',
    });
    expect(listQuery({ ...movers, query: 'fed' })).not.toHaveProperty('minVolume');
    expect(listQuery({ ...movers, query: 'fed' })).not.toHaveProperty('sort');
    expect(listQuery({ ...movers, event: 'fed' })).toMatchObject({ event: 'fed', sort: 'probability' });
    expect(listQuery({ ...movers, event: 'fed' })).not.toHaveProperty('minVolume');
  });
});
