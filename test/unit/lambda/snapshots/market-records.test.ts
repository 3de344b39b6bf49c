import { describe, expect, it } from '@jest/globals';
import { MarketRecords } from '../../../../lambda/snapshots/market-records.ts';
import { tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const entries = [1, 2, 3].map((n) => snapshotEntry(n));
const expected = entries.map(({ market, facets }) => ({ ...market, ...facets }));

describe('the records of a table', () => {
  it('are all its markets in order', () => {
    const records = new MarketRecords(tableOf(entries));
    expect(records.length).toBe(3);
    expect([...records]).toEqual(expected);
  });

  it('are each made once', () => {
    const records = new MarketRecords(tableOf(entries));
    const first = records.of(0);
    expect(records.of(0)).toBe(first);
    expect(records.at(0)).toBe(first);
    expect([...records][0]).toBe(first);
  });

  it('end where the list ends', () => {
    const records = new MarketRecords(tableOf(entries));
    expect(records.at(2)).toEqual(expected[2]);
    expect(records.at(3)).toBeUndefined();
    expect(() => records.of(3)).toThrow(RangeError);
  });
});
