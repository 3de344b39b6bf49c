// A `MarketSnapshot` holds all listed markets in memory, as lines of JSON that it parses on first
// use. It finds a market by its position in the list, or by a name.

import { describe, expect, it } from '@jest/globals';
import { encodeMarkets, splitLines } from '../../../../lambda/core/domain/market-lines.ts';
import { MarketSnapshot } from '../../../../lambda/core/query/market-snapshot.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';

describe('a snapshot in memory', () => {
  it('parses only the market that is needed', () => {
    const [line = ''] = splitLines(encodeMarkets(testMarkets(1)));
    const snapshot = new MarketSnapshot(loadedSnapshot([]).info, [line, 'not JSON']);
    // A market whose line has no time was priced with the snapshot.
    const pricedAt = new Date(AS_OF).toISOString();
    expect(snapshot.market(0)).toEqual({ ...testMarket(0), pricedAt });
    expect(() => snapshot.market(1)).toThrow(SyntaxError);
  });

  it('parses a market once', () => {
    const snapshot = loadedSnapshot(testMarkets(1));
    expect(snapshot.market(0)).toBe(snapshot.market(0));
  });

  it('has no market after its end', () => {
    expect(() => loadedSnapshot(testMarkets(1)).market(1)).toThrow(RangeError);
  });

  // Upstream writes an id of 31 bytes also with a zero byte at its end, as one of 32 bytes.
  it.each([
    ['31 bytes', `0x${'Ab'.repeat(31)}`],
    ['32 bytes', `0x${'Ab'.repeat(31)}00`],
  ])('finds a market whose id has %s by both forms of this id, in any case', (_length, id) => {
    const snapshot = loadedSnapshot([testMarket(0), testMarket(1, { id })]);
    for (const hex of ['ab', 'AB']) {
      expect(snapshot.positionOf(`0x${hex.repeat(31)}`)).toBe(1);
      expect(snapshot.positionOf(`0x${hex.repeat(31)}00`)).toBe(1);
    }
  });

  it('finds a market by its slug and by any of its tokens', () => {
    const snapshot = loadedSnapshot(testMarkets(2));
    expect(snapshot.positionOf('will-event-1-happen')).toBe(1);
    for (const { tokenId } of testMarket(1).outcomes) {
      expect(snapshot.positionOf(tokenId)).toBe(1);
    }
    expect(snapshot.positionOf('will-event-2-happen')).toBeUndefined();
  });

  it('finds the larger of two markets with one slug', () => {
    const [larger, smaller] = [testMarket(0, { slug: 'same' }), testMarket(1, { slug: 'same' })];
    expect(loadedSnapshot([larger, smaller]).positionOf('same')).toBe(0);
  });

  it('finds a market by its id even if a larger one has this id as its slug', () => {
    const { id } = testMarket(1);
    const larger = testMarket(0, { slug: id });
    expect(loadedSnapshot([larger, testMarket(1)]).positionOf(id)).toBe(1);
  });
});
