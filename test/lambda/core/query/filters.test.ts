// `checkRanges` rejects a request whose minimum and maximum exclude every market, such as
// minProbability=55 with maxProbability=45.

import { describe, expect, it } from '@jest/globals';
import { FILTERS } from '../../../../lambda/core/contract/route-table/market-parameters.ts';
import { checkRanges } from '../../../../lambda/core/query/filters.ts';
import type { MarketQuery } from '../../../../lambda/core/query/select-markets.ts';
import { AS_OF } from '../../../support/markets.ts';

const HOUR_MS = 3_600_000;
/** The two forms of a moment: a time, or a time span after `AS_OF`. */
const at = (time: number) => ({ kind: 'at', time }) as const;
const afterMs = (milliseconds: number) => ({ kind: 'after', milliseconds }) as const;

describe('checkRanges', () => {
  it.each<[filter: MarketQuery, named: string]>([
    [{ minProbability: 55, maxProbability: 45 }, 'minProbability'],
    [{ endsAfter: at(AS_OF), endsBefore: at(AS_OF) }, 'endsAfter'],
    [{ endsAfter: afterMs(HOUR_MS), endsBefore: at(AS_OF + HOUR_MS - 1) }, 'endsAfter'],
  ])('rejects the empty range %j, and names %s', (filter, named) => {
    expect(() => checkRanges(FILTERS, filter, AS_OF)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        message: expect.stringContaining(named),
      }),
    );
  });

  it.each<MarketQuery>([
    {},
    { minProbability: 50, maxProbability: 50 },
    { minProbability: 50 },
    { endsAfter: at(AS_OF), endsBefore: afterMs(1) },
    { endsAfter: at(AS_OF) },
    { endsBefore: at(AS_OF) },
  ])('accepts other ranges: %j', (filter) => {
    expect(() => checkRanges(FILTERS, filter, AS_OF)).not.toThrow();
  });

  it('compares the minimum and the maximum of any field, even of a future filter', () => {
    // The service has no maxVolume. A filter's `bound` says which field it limits: here, both limit
    // `volume`, one from below and the other from above.
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
