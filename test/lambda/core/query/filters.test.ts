import { describe, expect, it } from '@jest/globals';
import { FILTERS } from '../../../../lambda/core/contract/route-table/market-parameters.ts';
import { checkRanges } from '../../../../lambda/core/query/filters.ts';
import type { MarketQuery } from '../../../../lambda/core/query/select-markets.ts';
import { AS_OF } from '../../../support/markets.ts';

const HOUR_MS = 3_600_000;
const at = (time: number) => ({ kind: 'at', time }) as const;
const afterMs = (milliseconds: number) => ({ kind: 'after', milliseconds }) as const;

describe('checkRanges', () => {
  it.each<[MarketQuery, string]>([
    [{ minProbability: 55, maxProbability: 45 }, 'minProbability'],
    [{ endsAfter: at(AS_OF), endsBefore: at(AS_OF) }, 'endsAfter'],
    [{ endsAfter: afterMs(HOUR_MS), endsBefore: at(AS_OF + HOUR_MS - 1) }, 'endsAfter'],
  ])('rejects a range that nothing lies in: %j', (filter, name) => {
    expect(() => checkRanges(FILTERS, filter, AS_OF)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        message: expect.stringContaining(name),
      }),
    );
  });

  it.each<[MarketQuery]>([
    [{}],
    [{ minProbability: 50, maxProbability: 50 }],
    [{ minProbability: 50 }],
    [{ endsAfter: at(AS_OF), endsBefore: afterMs(1) }],
    [{ endsAfter: at(AS_OF) }],
    [{ endsBefore: at(AS_OF) }],
  ])('accepts other ranges: %j', (filter) => {
    expect(() => checkRanges(FILTERS, filter, AS_OF)).not.toThrow();
  });

  it('finds the two filters of a range by the field that they bound', () => {
    // The service has no maxVolume. The check needs no change for it.
    const filters = {
      minVolume: FILTERS.minVolume,
      maxVolume: { ...FILTERS.maxSpread, bound: { field: 'volume', is: 'atMost' } },
    } as const;
    const check = (minVolume: number, maxVolume: number) =>
      checkRanges(filters, { minVolume, maxVolume }, AS_OF);
    expect(() => check(2, 1)).toThrow('The parameter minVolume must be at most maxVolume');
    expect(() => check(1, 1)).not.toThrow();
  });
});
