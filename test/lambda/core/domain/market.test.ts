// `probabilitiesOf` turns the price of one outcome, 0 to 1, into the probabilities of all outcomes
// of a market, in percent. `clobTokenId` names the outcome that has the price.

import { describe, expect, it } from '@jest/globals';
import { probabilitiesOf } from '../../../../lambda/core/domain/market.ts';

describe('the outcomes of a priced market', () => {
  const over = { label: 'Over', tokenId: '1' };
  const under = { label: 'Under', tokenId: '2' };

  it('share 100 % if there are two of them', () => {
    const market = { outcomes: [over, under], clobTokenId: under.tokenId };
    expect(probabilitiesOf(market, 0.1).outcomes).toEqual([
      { ...over, probability: 90 },
      { ...under, probability: 10 },
    ]);
  });

  it('have at most three decimals', () => {
    const market = { outcomes: [over, under], clobTokenId: over.tokenId };
    // 100 × (1 − 0.33335) is 66.66499999999999 in binary.
    expect(probabilitiesOf(market, 0.33335).outcomes).toEqual([
      { ...over, probability: 33.335 },
      { ...under, probability: 66.665 },
    ]);
  });

  it('have no probability besides the priced one if there are three of them', () => {
    const exactly = { label: 'Exactly', tokenId: '3' };
    const market = { outcomes: [over, under, exactly], clobTokenId: under.tokenId };
    expect(probabilitiesOf(market, 0.1).outcomes).toEqual([
      over,
      { ...under, probability: 10 },
      exactly,
    ]);
  });
});
