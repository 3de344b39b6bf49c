import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tokenIdPattern } from '../../../../lambda/contract/patterns.ts';
import { isTokenId } from '../../../../lambda/domain/token-id.ts';

describe('the pattern of a token id', () => {
  let pattern: RegExp;
  beforeAll(() => {
    pattern = new RegExp(tokenIdPattern());
  });

  it.each([0n, 2n ** 256n - 1n, 2n ** 256n, 2n ** 256n - 10n ** 40n, 10n ** 77n])(
    'agrees with the rule at %s',
    (number) => {
      expect(pattern.test(String(number))).toBe(isTokenId(String(number)));
    },
  );

  it('agrees with the rule where a digit of the greatest number is one less or one more', () => {
    const most = String(2n ** 256n - 1n);
    for (const [place, digit] of [...most].entries()) {
      const rest = most.length - place - 1;
      const around = [
        `${most.slice(0, place)}${Math.max(0, Number(digit) - 1)}${'9'.repeat(rest)}`,
        `${most.slice(0, place)}${Math.min(9, Number(digit) + 1)}${'0'.repeat(rest)}`,
      ];
      for (const text of around) expect([text, pattern.test(text)]).toEqual([text, isTokenId(text)]);
    }
  });

  it('holds nothing but digits and what groups and repeats them', () => {
    expect(pattern.source).toMatch(/^[0-9^$()|{},[\]-]+$/);
  });

  it('agrees with the rule everywhere', () => {
    const near = fc.bigInt({ min: 10n ** 77n, max: 2n ** 256n + 10n ** 76n }).map(String);
    const digits = fc.stringMatching(/^[0-9]{0,80}$/);
    fc.assert(
      fc.property(fc.oneof(near, digits, fc.string()), (text) => pattern.test(text) === isTokenId(text)),
    );
  });
});
