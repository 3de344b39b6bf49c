import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isTokenId, tokenIdPattern } from '../../../../lambda/domain/token-id.ts';

describe('the pattern of a token id', () => {
  const pattern = new RegExp(tokenIdPattern());

  it.each([0n, 2n ** 256n - 1n, 2n ** 256n, 2n ** 256n - 10n ** 40n, 10n ** 77n])(
    'agrees with the rule at %s',
    (number) => {
      expect(pattern.test(String(number))).toBe(isTokenId(String(number)));
    },
  );

  it('agrees with the rule everywhere', () => {
    const near = fc.bigInt({ min: 10n ** 77n, max: 2n ** 256n + 10n ** 76n }).map(String);
    const digits = fc.stringMatching(/^[0-9]{0,80}$/);
    fc.assert(
      fc.property(fc.oneof(near, digits, fc.string()), (text) => pattern.test(text) === isTokenId(text)),
    );
  });
});
