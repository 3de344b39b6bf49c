import { describe, expect, it } from '@jest/globals';
import { addressOf, readShown, showsEvents, sortOf, VIEWS } from '../../src/state/location.ts';

const PLAIN = readShown('');

describe('an address', () => {
  it.each([
    '/',
    '/?view=movers',
    '/?view=events&category=crypto',
    '/?category=tech&q=open+ai&sort=liquidity&order=asc',
    '/?view=events&event=fed-decision&market=0xabc',
  ])('%s says what is shown, and what is shown makes it', (address) => {
    expect(addressOf(readShown(address.slice(1)))).toBe(address);
  });

  it('that nobody understands shows the first view', () => {
    expect(readShown('?view=toString&category=cats&order=up&q=+')).toEqual(PLAIN);
  });
});

describe('what is shown', () => {
  it('are events, unless one of them or a search is', () => {
    expect(showsEvents({ ...PLAIN, view: 'events' })).toBe(true);
    expect(showsEvents({ ...PLAIN, view: 'events', event: 'fed' })).toBe(false);
    expect(showsEvents({ ...PLAIN, view: 'events', query: 'fed' })).toBe(false);
  });

  it("is sorted by the reader's choice, else by the view, a search by relevance, an event by probability", () => {
    expect(sortOf(PLAIN)).toBe(VIEWS.top.sort);
    expect(sortOf({ ...PLAIN, query: 'fed' })).toBeUndefined();
    expect(sortOf({ ...PLAIN, event: 'fed' })).toBe('probability');
    expect(sortOf({ ...PLAIN, event: 'fed', sort: 'spread' })).toBe('spread');
  });
});
