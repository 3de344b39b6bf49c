import { describe, expect, it } from '@jest/globals';
import { type Outcome, probabilitiesOf } from '../../../../lambda/core/domain/market.ts';

describe('the outcomes of a priced market', () => {
  const under = { label: 'Under', tokenId: '1' };
  const yes = { label: ' YES ', tokenId: '2' };
  const team = { label: 'Team Falcons', tokenId: '3' };

  it('YES has the probability; the other of two outcomes has the rest, without binary noise', () => {
    const two = [
      { ...under, probability: 66.665 },
      { ...yes, probability: 33.335 },
    ];
    const outcomesOf = (price: number, ...outcomes: Outcome[]) =>
      probabilitiesOf({ outcomes, clobTokenId: '2' }, price).outcomes;
    expect(outcomesOf(0.33335, under, yes)).toEqual(two);
    expect(outcomesOf(0.1, under, yes, team)).toEqual([under, { ...yes, probability: 10 }, team]);
  });
});
