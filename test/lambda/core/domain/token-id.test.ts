import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TOKEN_ID_PATTERN } from '../../../../lambda/core/contract/patterns.ts';
import { canonicalTokenId, hasPositionLayout, isTokenId } from '../../../../lambda/core/domain/token-id.ts';

const token = (hex: string) => String(BigInt(`0x${hex}`));
/** Module, base hash, 64 bits of zero, resolution chain, and the outcome: 1 + 18 + 8 + 4 + 1 bytes. */
const position = (module: string, reserved = '00'.repeat(8), chain = 'cd'.repeat(4), outcome = '01') =>
  token(`${module}${'ab'.repeat(18)}${reserved}${chain}${outcome}`);

describe('a token id', () => {
  it.each(['0', '7', '007', '9'.repeat(77), String(2n ** 256n - 1n)])('can be %s', (text) => {
    expect(isTokenId(text)).toBe(true);
  });

  it.each(['', '-1', '1.0', ' 1', '1 ', '1\n', '0x1', 'a1', '1a', String(2n ** 256n), '0'.repeat(79)])(
    'is not %j',
    (text) => {
      expect(isTokenId(text)).toBe(false);
    },
  );

  it.each([
    ['007', '7'],
    ['7', '7'],
    ['70', '70'],
    ['0', '0'],
    ['000', '0'],
    ['1007', '1007'],
  ])('%s is written %s', (text, canonical) => {
    expect(canonicalTokenId(text)).toBe(canonical);
  });
});

describe('the layout of a position id', () => {
  it.each([
    ['binary', position('01'), true],
    ['negative risk', position('02'), true],
    ['combinatorial', position('03'), true],
    ['no module', position('00'), false],
    ['an unknown module', position('04'), false],
    ['the lowest of the reserved bits set', position('01', `${'00'.repeat(7)}01`), false],
    ['the highest of the reserved bits set', position('01', `80${'00'.repeat(7)}`), false],
    ['no resolution chain', position('01', undefined, '00'.repeat(4)), true],
    ['the whole resolution chain', position('01', undefined, 'ff'.repeat(4), 'ff'), true],
  ])('with %s: %s is %s', (_name, id, expected) => {
    expect(hasPositionLayout(id)).toBe(expected);
  });
});

describe('the pattern of a token id', () => {
  it('accepts every token, and nothing but digits', () => {
    const pattern = new RegExp(TOKEN_ID_PATTERN);
    const digits = fc.stringMatching(/^[0-9]{0,80}$/);
    fc.assert(
      fc.property(fc.oneof(digits, fc.string()), (text) => {
        const isShort = text.length <= 78 && /^\d+$/.test(text);
        return pattern.test(text) === isShort && (isShort || !isTokenId(text));
      }),
    );
  });
});
