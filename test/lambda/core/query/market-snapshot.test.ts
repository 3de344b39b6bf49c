import { describe, expect, it } from '@jest/globals';
import { encodeMarkets, splitLines } from '../../../../lambda/core/domain/market-lines.ts';
import { MarketSnapshot } from '../../../../lambda/core/query/market-snapshot.ts';
import { SearchIndexer } from '../../../../lambda/core/search/search-index.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';

describe('a snapshot in memory', () => {
  it('parses only the market that is needed, and keeps it', () => {
    const [first = '', ...others] = splitLines(encodeMarkets(testMarkets(3)));
    const snapshot = new MarketSnapshot(loadedSnapshot([]).info, [first, ...others.map(() => 'broken')]);
    const pricedAt = new Date(AS_OF).toISOString();
    expect(snapshot.market(0)).toEqual({ ...testMarket(0), pricedAt });
    expect(snapshot.market(0)).toBe(snapshot.market(0));
    expect(() => snapshot.market(1)).toThrow(SyntaxError);
    expect(snapshot.length).toBe(3);
  });

  it('has all markets in list order and their default fields as JSON', () => {
    const markets = testMarkets(3);
    const snapshot = loadedSnapshot(markets);
    const pricedAt = new Date(AS_OF).toISOString();
    expect(snapshot.markets).toEqual(markets.map((market) => ({ ...market, pricedAt })));
    expect(snapshot.markets).toBe(snapshot.markets);
    expect(JSON.parse(snapshot.line(1))).toMatchObject({ id: markets[1]?.id, volume: 999_999 });
    expect(JSON.parse(snapshot.line(1))).not.toHaveProperty('tags');
    expect(() => snapshot.line(3)).toThrow(RangeError);
    expect(() => snapshot.market(3)).toThrow(RangeError);
  });

  it('finds a market by its id in any form, its slug and any of its tokens', () => {
    const long = testMarket(0, { id: `0x${'Ab'.repeat(31)}00` });
    const short = testMarket(1, { id: `0x${'cd'.repeat(31)}` });
    const positionOf = (name: string) => loadedSnapshot([long, short]).positionOf(name);
    expect(positionOf(`0x${'ab'.repeat(31)}`)).toBe(0);
    expect(positionOf(`0x${'AB'.repeat(31)}00`)).toBe(0);
    expect(positionOf(`0x${'cd'.repeat(31)}00`)).toBe(1);
    expect(positionOf('will-event-1-happen')).toBe(1);
    expect(positionOf(short.outcomes[1]?.tokenId ?? '')).toBe(1);
    expect(positionOf(long.clobTokenId)).toBe(0);
    expect(positionOf('will-event-2-happen')).toBeUndefined();
  });

  it('finds the larger of two markets with one slug, and no slug hides an id', () => {
    const [a, b] = [testMarket(0, { slug: 'same' }), testMarket(1, { slug: 'same' })];
    const thief = testMarket(2, { slug: a.id });
    const snapshot = loadedSnapshot([thief, a, b]);
    expect([snapshot.positionOf('same'), snapshot.positionOf(a.id)]).toEqual([1, 1]);
  });

  it('makes its events and its index once, and the index only in a function that searches', () => {
    const markets = [testMarket(0, { question: 'Will bitcoin rise?' }), testMarket(1, { eventSlug: 'cup' })];
    const snapshot = loadedSnapshot(markets, AS_OF, new SearchIndexer());
    expect(snapshot.index.search('bitcoin').positions).toEqual([0]);
    expect(snapshot.index).toBe(snapshot.index);
    expect([...snapshot.events.bySlug.keys()]).toEqual(['cup']);
    expect(snapshot.events).toBe(snapshot.events);
    expect(() => loadedSnapshot(markets).index).toThrow('no search index');
  });

  it('keeps responses up to a number of characters, queries included', () => {
    const { responses } = loadedSnapshot([]);
    const response = { body: 'x'.repeat(1_500_000), etag: '', headers: {} };
    for (const key of ['a', 'b', 'c']) responses.set(key, response);
    expect([responses.has('a'), responses.has('b'), responses.has('c')]).toEqual([false, true, true]);
    responses.set('q'.repeat(3_000_000), { ...response, body: '' });
    expect(responses.has('b')).toBe(false);
  });
});
