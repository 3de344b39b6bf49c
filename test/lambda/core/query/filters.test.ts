import { describe, expect, it } from '@jest/globals';
import { FILTERS } from '../../../../lambda/core/contract/route-table/market-parameters.ts';
import { checkRanges } from '../../../../lambda/core/query/filters.ts';
import type { MarketQuery } from '../../../../lambda/core/query/select-markets.ts';
import { AS_OF } from '../../../support/markets.ts';

const HOUR = 3_600_000;

describe('ranges', () => {
  const VOLUME_AT_MOST = { field: 'volume', is: 'atMost' } as const;
  const at = (time: number) => ({ kind: 'at', time }) as const;
  const later = (milliseconds: number) => ({ kind: 'after', milliseconds }) as const;

  it.each<[MarketQuery, string]>([
    [{ minProbability: 55, maxProbability: 45 }, 'minProbability'],
    [{ endsAfter: at(AS_OF), endsBefore: at(AS_OF) }, 'endsAfter'],
    [{ endsAfter: later(HOUR), endsBefore: at(AS_OF + HOUR - 1) }, 'endsAfter'],
  ])('%j contradicts itself', (filter, name) => {
    expect(() => checkRanges(FILTERS, filter, AS_OF)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter' }),
    );
    expect(() => checkRanges(FILTERS, filter, AS_OF)).toThrow(name);
  });

  it.each<[MarketQuery]>([
    [{}],
    [{ minProbability: 50, maxProbability: 50 }],
    [{ minProbability: 50 }],
    [{ endsAfter: at(AS_OF), endsBefore: later(1) }],
    [{ endsAfter: at(AS_OF) }],
    [{ endsBefore: at(AS_OF) }],
  ])('%j can be fulfilled', (filter) => {
    expect(() => checkRanges(FILTERS, filter, AS_OF)).not.toThrow();
  });

  it('are those of any field that two filters bound', () => {
    const bounds = {
      minVolume: FILTERS.minVolume,
      maxVolume: { ...FILTERS.maxSpread, bound: VOLUME_AT_MOST },
    } as const;
    const check = (minVolume: number, maxVolume: number) =>
      checkRanges(bounds, { minVolume, maxVolume }, AS_OF);
    expect(() => check(2, 1)).toThrow('The parameter minVolume must be at most maxVolume');
    expect(() => check(1, 1)).not.toThrow();
  });
});
