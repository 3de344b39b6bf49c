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

  it('finds a market by its id in any form, its slug and any of its tokens', () => {
    // Ids of 32 bytes and of 31 bytes. Upstream writes a short id also with a zero byte at its end.
    const long = testMarket(0, { id: `0x${'Ab'.repeat(31)}00` });
    const short = testMarket(1, { id: `0x${'cd'.repeat(31)}` });
    const snapshot = loadedSnapshot([long, short]);
    const secondToken = short.outcomes[1]?.tokenId ?? '';
    for (const name of [`0x${'AB'.repeat(31)}00`, `0x${'ab'.repeat(31)}`, long.clobTokenId])
      expect(snapshot.positionOf(name)).toBe(0);
    for (const name of [`0x${'cd'.repeat(31)}00`, 'will-event-1-happen', secondToken])
      expect(snapshot.positionOf(name)).toBe(1);
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
