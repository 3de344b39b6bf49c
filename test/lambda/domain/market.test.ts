import { describe, expect, it } from '@jest/globals';
import { DEFAULT_MARKET_FIELDS } from '../../../lambda/contract/market-schemas.ts';
import { byVolume, defaultFields, pricedOutcomes } from '../../../lambda/domain/market.ts';
import { testMarket } from '../../support/markets.ts';

describe('the order of the list', () => {
  it('is by volume descending, ties by id ascending', () => {
    const [a, b, c] = [
      { volume: 1, id: '0xb' },
      { volume: 2, id: '0xc' },
      { volume: 1, id: '0xa' },
    ];
    expect([a, b, c].sort(byVolume)).toEqual([b, c, a]);
    expect(byVolume(a, a)).toBe(0);
  });
});

describe('the default fields', () => {
  const market = testMarket(0, {
    outcome: 'Over',
    oneDayPriceChange: null,
    sevenDayPriceChange: 0,
    thirtyDayPriceChange: -3,
    image: 'https://example.com/image.png',
  });

  it('are those of the contract in their order, and nothing else', () => {
    expect(Object.keys(defaultFields(market, 0))).toEqual(DEFAULT_MARKET_FIELDS);
    expect(defaultFields(market, 0)).toMatchObject({ oneDayPriceChange: null, sevenDayPriceChange: 0 });
  });
});

describe('the outcomes of a priced market', () => {
  const outcomes = [
    { label: 'Under', tokenId: '1', probability: 40 },
    { label: ' YES ', tokenId: '2', probability: 60 },
    { label: 'Team Falcons', tokenId: '3' },
  ];

  it('YES has the probability; the other of two outcomes has the rest, without binary noise', () => {
    const [under, yes, team] = outcomes as [(typeof outcomes)[0], (typeof outcomes)[0], (typeof outcomes)[0]];
    expect(pricedOutcomes([under, yes], '2', 33.335)).toEqual([
      { ...under, probability: 66.665 },
      { ...yes, probability: 33.335 },
    ]);
    expect(pricedOutcomes([under, yes, team], '2', 10)).toEqual([
      { label: under.label, tokenId: under.tokenId },
      { ...yes, probability: 10 },
      { label: team.label, tokenId: team.tokenId },
    ]);
  });
});
