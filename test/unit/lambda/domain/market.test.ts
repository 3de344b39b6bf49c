import { describe, expect, it } from '@jest/globals';
import { byVolume, publicMarket } from '../../../../lambda/domain/market.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

describe('a market as callers see it', () => {
  const { market } = snapshotEntry(1);
  const none = { oneDay: undefined, sevenDay: undefined, thirtyDay: undefined };

  it('has its facts, its probability and its changes, in the order of a response', () => {
    const seen = publicMarket(market, 12.5, { oneDay: -1, sevenDay: 0, thirtyDay: 2 });
    expect(Object.entries(seen)).toEqual([
      ['id', market.id],
      ['question', market.question],
      ['slug', market.slug],
      ['currentProbability', 12.5],
      ['volume', market.volume],
      ['liquidity', market.liquidity],
      ['oneDayPriceChange', -1],
      ['sevenDayPriceChange', 0],
      ['thirtyDayPriceChange', 2],
      ['endDate', market.endDate],
      ['clobTokenId', market.clobTokenId],
    ]);
  });

  it('says null of a 1-day change that nobody knows, and nothing of the others', () => {
    const { slug: _, ...unslugged } = market;
    const seen = publicMarket({ ...unslugged }, 12.5, none);
    expect(seen).toStrictEqual({ ...unslugged, currentProbability: 12.5, oneDayPriceChange: null });
  });
});

describe('the order of the list', () => {
  it.each([
    ['the greater volume comes first', { volume: 2, id: '0xb' }, { volume: 1, id: '0xa' }, -1],
    ['the smaller volume comes last', { volume: 1, id: '0xa' }, { volume: 2, id: '0xb' }, 1],
    [
      'the smaller id comes first where volumes are equal',
      { volume: 1, id: '0xa' },
      { volume: 1, id: '0xb' },
      -1,
    ],
    ['the greater id comes last there', { volume: 1, id: '0xb' }, { volume: 1, id: '0xa' }, 1],
    ['a market is equal to itself', { volume: 1, id: '0xa' }, { volume: 1, id: '0xa' }, 0],
  ])('%s', (_name, one, other, expected) => {
    expect(Math.sign(byVolume(one, other))).toBe(expected);
  });
});
