import { describe, expect, it } from '@jest/globals';
import { atomFeed, feedTime, feedWindow } from '../../../../lambda/core/query/feed.ts';
import { AS_OF, type MarketOverrides, testMarket } from '../../../support/markets.ts';

const feed = { subject: undefined, window: 'hour', address: 'https://a.example/f?a=1&b=2', updated: AS_OF } as const;
const entries = (xml: string) => xml.split('<entry>').slice(1);
const textsOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => text);
/** The feed of markets with these changes in an hour. */
const ofChanges = (changes: readonly (number | null)[], overrides: MarketOverrides = {}) =>
  atomFeed(
    feed,
    changes.map((oneHourPriceChange, n) => testMarket(n, { ...overrides, oneHourPriceChange })),
  );

describe('a feed', () => {
  it.each([
    [5, 'up:5', 'Up 5 to 10 points'],
    [9.999, 'up:5', 'Up 5 to 10 points'],
    [10, 'up:10', 'Up 10 to 15 points'],
    [-5, 'down:5', 'Down 5 to 10 points'],
    [-14.5, 'down:10', 'Down 10 to 15 points'],
    [100, 'up:95', 'Up 95 to 100 points'],
  ])('has an entry for a change of %p', (change, band, words) => {
    const xml = ofChanges([change]);
    const { id, question } = testMarket(0);
    expect(textsOf(xml, 'id')[1]).toBe(`urn:market-data-proxy:${id}:hour:2026-11-21:${band}`);
    expect(textsOf(xml, 'title')[1]).toBe(`${question} ${words} in an hour`);
  });

  it.each([4.999, -4.999, 0, null])('has no entry for a change of %p', (change) => {
    expect(entries(ofChanges([change]))).toEqual([]);
  });

  it('has the first 50 markets that moved, by id', () => {
    const changes = Array.from({ length: 120 }, (_, n) => (n % 2 === 0 ? 6 : 1));
    const markets = changes.map((oneHourPriceChange, n) => testMarket(119 - n, { oneHourPriceChange }));
    const ids = entries(atomFeed(feed, markets)).map((xml) => textsOf(xml, 'id')[0]);
    const expected = markets.filter((_, n) => n % 2 === 0 && n < 100).map(({ id }) => id);
    expect(ids.map((id) => id?.split(':')[2])).toEqual(expected.reverse());
  });

  it('reads the change of its window', () => {
    const market = testMarket(0, { oneHourPriceChange: 6, oneDayPriceChange: -22 });
    expect(textsOf(atomFeed({ ...feed, window: 'day' }, [market]), 'title')[1]).toMatch(
      /Down 20 to 25 points in a day$/,
    );
  });

  it('is the same for changes of one band, and has no price', () => {
    expect(ofChanges([6.1], { currentProbability: 61 })).toBe(ofChanges([9.9], { currentProbability: 65, volume: 1 }));
    expect(ofChanges([6])).not.toBe(ofChanges([-6]));
  });

  it('escapes texts of others and replaces what XML cannot hold', () => {
    const question = '</title><script>"&\u0000\u{1f600}\ud800';
    const xml = ofChanges([6], { question, url: 'https://x.example/?a="&b', outcome: '<b>' });
    expect(textsOf(xml, 'title')[1]).toBe(
      '&lt;/title&gt;&lt;script&gt;&quot;&amp;\ufffd\u{1f600}\ufffd &lt;b&gt;: Up 5 to 10 points in an hour',
    );
    expect(xml).toContain('<link rel="alternate" href="https://x.example/?a=&quot;&amp;b"/>');
    expect(xml).toContain('<link rel="self" type="application/atom+xml" href="https://a.example/f?a=1&amp;b=2"/>');
  });
});

it.each([
  [{}, 'day'],
  [{ sort: 'move1d' }, 'day'],
  [{ sort: 'move1h' }, 'hour'],
  [{ sort: 'change1h' }, 'hour'],
  [{ minMove1h: 0 }, 'hour'],
])('the window of %j is a %s', (parameters, window) => {
  expect(feedWindow(parameters)).toBe(window);
});

it('the time of a feed is rounded down to ten minutes', () => {
  expect([0, 1, 599_999, 600_000].map((ms) => feedTime(AS_OF + ms) - AS_OF)).toEqual([0, 0, 0, 600_000]);
});
