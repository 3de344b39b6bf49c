import { describe, expect, it } from '@jest/globals';
import { changesBetween, listVersion } from '../../../../lambda/query/changes.ts';
import { Dice } from '../../../support/dice.ts';
import { marketRecord } from '../../../support/market-record.ts';
import { births, encoded, firstSnapshot, rebuilt } from './trading-lists.ts';

describe('changes', () => {
  it('are empty between a snapshot and itself', () => {
    const version = listVersion(firstSnapshot(5, births(new Dice(1))));
    expect(changesBetween(version, version)).toEqual({ added: [], changed: [], removed: [] });
  });

  it('say null for a field that is gone, and for an unknown change over a day', () => {
    const before = marketRecord(1, { sevenDayPriceChange: 3 });
    const { sevenDayPriceChange: _, ...without } = before;
    const after = { ...without, oneDayPriceChange: null };
    expect(changesBetween(listVersion([before]), listVersion([after])).changed).toEqual([
      { id: before.id, sevenDayPriceChange: null, oneDayPriceChange: null },
    ]);
  });

  it('tell the order only where the list is not by volume and id', () => {
    const [one, other] = [marketRecord(1), marketRecord(2)];
    const [from, to] = [listVersion([one, other]), listVersion([other, one])];
    expect(changesBetween(from, to).order).toEqual([other.id, one.id]);
    expect(rebuilt(from, to)).toBe(encoded(to));
  });
});
