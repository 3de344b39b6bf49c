import { describe, expect, it } from '@jest/globals';
import { patchOf } from '../../../packages/market-page/src/state/patch.ts';

describe('a change of a row', () => {
  const row = {
    id: '0x1',
    currentProbability: 50,
    oneDayPriceChange: 1,
    sevenDayPriceChange: 2,
    volume24h: 5,
  };

  it('replaces the changed fields and keeps the others', () => {
    const patch = patchOf({ changed: [{ id: '0x1', currentProbability: 61.5 }] });
    expect(patch(row)).toEqual({ ...row, currentProbability: 61.5 });
  });

  it('takes null as a value of the 1-day change only', () => {
    const patch = patchOf({ changed: [{ id: '0x1', oneDayPriceChange: null, sevenDayPriceChange: null }] });
    expect(patch(row)).toEqual({ ...row, oneDayPriceChange: null });
  });

  it('returns other rows as they are', () => {
    expect(patchOf({ changed: [{ id: '0x2', currentProbability: 1 }] })(row)).toBe(row);
  });
});
