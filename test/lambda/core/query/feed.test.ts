import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { feedContent } from '../../../../lambda/core/query/feed.ts';
import { AS_OF, loadedSnapshot, type MarketOverrides, testMarket } from '../../../support/markets.ts';

const HOUR = { sort: 'move1h' };
const feedOf = (markets: readonly Market[], parameters: object = HOUR, asOf = AS_OF) => {
  const request = { origin: 'https://a.example', path: '/f', sent: { a: '1', b: '2' }, parameters };
  const positions = markets.map((_, position) => position);
  return feedContent(request, loadedSnapshot(markets, asOf), positions, undefined);
};
/** The feed of one market with this change in an hour. */
const changed = (oneHourPriceChange: number | null, overrides: MarketOverrides = {}) =>
  feedOf([testMarket(0, { ...overrides, oneHourPriceChange })]).body;
const textsOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => text);

describe('a feed', () => {
  it.each([
    [5, 'up:5', 'Up 5 to 10 points'],
    [9.999, 'up:5', 'Up 5 to 10 points'],
    [-14.5, 'down:10', 'Down 10 to 15 points'],
    [100, 'up:95', 'Up 95 to 100 points'],
  ])('has an entry for a change of %p', (change, band, words) => {
    const { id, question } = testMarket(0);
    const xml = changed(change);
    expect(textsOf(xml, 'id')[1]).toBe(`urn:market-data-proxy:${id}:hour:2026-11-21:${band}`);
    expect(textsOf(xml, 'title')[1]).toBe(`${question} ${words} in an hour`);
  });

  it.each([4.999, -4.999, null])('has no entry for a change of %p', (change) => {
    expect(changed(change)).not.toContain('<entry>');
  });

  it('has the first 50 markets that moved, by id', () => {
    const markets = Array.from({ length: 120 }, (_, n) =>
      testMarket(119 - n, { oneHourPriceChange: n % 2 === 0 ? 6 : 1 }),
    );
    const ids = textsOf(feedOf(markets).body, 'id').slice(1);
    const expected = markets.filter((_, n) => n % 2 === 0 && n < 100).map(({ id }) => id);
    expect(ids.map((id) => id?.split(':')[2])).toEqual(expected.reverse());
  });

  it.each([
    [{}, 'Down 20 to 25 points in a day'],
    [{ sort: 'move1d' }, 'Down 20 to 25 points in a day'],
    [{ sort: 'change1h' }, 'Up 5 to 10 points in an hour'],
    [{ minMove1h: 0 }, 'Up 5 to 10 points in an hour'],
  ])('of %j has the change of that window', (parameters, words) => {
    const market = testMarket(0, { oneHourPriceChange: 6, oneDayPriceChange: -22 });
    expect(textsOf(feedOf([market], parameters).body, 'title')[1]).toMatch(words);
  });

  it('is the same for changes of one band within ten minutes, whatever the prices are', () => {
    const sameBand = changed(9.9, { currentProbability: 65, volume: 1 });
    expect(changed(6.1, { currentProbability: 61 })).toBe(sameBand);
    expect([0, 1, 599_999, 600_000].map((ms) => Number(feedOf([], HOUR, AS_OF + ms).updated) - AS_OF)).toEqual([
      ...[0, 0, 0, 600_000],
    ]);
  });

  it('escapes texts of others and replaces what XML cannot hold', () => {
    const question = '</title><script>"&\u0000\u{1f600}\u0001';
    const xml = changed(6, { question, url: 'https://x.example/?a="&b', outcome: '<b>' });
    expect(textsOf(xml, 'title')[1]).toBe(
      '&lt;/title&gt;&lt;script&gt;&quot;&amp;\ufffd\u{1f600}\ufffd &lt;b&gt;: Up 5 to 10 points in an hour',
    );
    expect(xml).toContain('<link rel="alternate" href="https://x.example/?a=&quot;&amp;b"/>');
    expect(xml).toContain('<link rel="self" type="application/atom+xml" href="https://a.example/f?a=1&amp;b=2"/>');
  });
});
