import { describe, expect, it } from '@jest/globals';
import {
  addressOf,
  listQuery,
  readShown,
  showsEvents,
  sortOf,
  VIEWS,
} from '../../../packages/market-page/src/state/shown.ts';

const DEFAULT = readShown('');

describe('an address', () => {
  it.each([
    '/',
    '/?view=movers',
    '/?view=events&category=crypto',
    '/?category=tech&q=open+ai&sort=liquidity&order=asc',
    '/?view=events&event=fed-decision&market=0xabc',
  ])('%s describes a view, and the view has this address', (address) => {
    expect(addressOf(readShown(address.slice(1)))).toBe(address);
  });

  it('with unknown values shows the first view', () => {
    expect(readShown('?view=toString&category=cats&order=up&q=+')).toEqual(DEFAULT);
  });
});

describe('the list', () => {
  it('shows events only in their view, without a search or an event', () => {
    expect(showsEvents({ ...DEFAULT, view: 'events' })).toBe(true);
    expect(showsEvents({ ...DEFAULT, view: 'events', event: 'fed' })).toBe(false);
    expect(showsEvents({ ...DEFAULT, view: 'events', query: 'fed' })).toBe(false);
    expect(showsEvents(DEFAULT)).toBe(false);
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

  it('has the filter of the view, but not for an event or a search', () => {
    const movers = readShown('?view=movers&category=crypto&order=asc');
    expect(listQuery(movers)).toMatchObject({
      minVolume: 10_000,
      sort: 'move1d',
      order: 'asc',
      category: 'crypto',
    });
    expect(listQuery({ ...movers, query: 'fed' })).not.toHaveProperty('minVolume');
    expect(listQuery({ ...movers, query: 'fed' })).not.toHaveProperty('sort');
    expect(listQuery({ ...movers, event: 'fed' })).toMatchObject({ event: 'fed', sort: 'probability' });
    expect(listQuery({ ...movers, event: 'fed' })).not.toHaveProperty('minVolume');
  });
});
