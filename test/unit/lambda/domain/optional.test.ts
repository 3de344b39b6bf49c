import { describe, expect, it } from '@jest/globals';
import { optional } from '../../../../lambda/domain/optional.ts';

describe('an optional field', () => {
  it.each([0, '', false, null, 'text'])('is there for %j', (value) => {
    expect(optional('field', value)).toEqual({ field: value });
  });

  it('is left out, not undefined, where there is no value', () => {
    expect(Object.keys(optional('field', undefined))).toEqual([]);
  });
});
