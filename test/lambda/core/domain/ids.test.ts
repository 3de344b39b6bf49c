import { describe, expect, it } from '@jest/globals';
import { TOKEN_ID_PATTERN } from '../../../../lambda/core/contract/patterns.ts';
import {
  canonicalTokenId,
  hasPositionLayout,
  isConditionId,
  isTokenId,
  paddedConditionId,
} from '../../../../lambda/core/domain/ids.ts';

/** A condition id of Protocol V2, which has 31 bytes. Those of v1 have 32. */
const SHORT = `0x01${'ab'.repeat(30)}`;

describe('a condition id', () => {
  it.each([SHORT, `${SHORT}00`, `0x${'AB'.repeat(32)}`])('can be %s', (id) => {
    expect(isConditionId(id)).toBe(true);
  });

  it.each([
    '',
    SHORT.slice(2),
    `${SHORT}0`,
    `${SHORT}0000`,
    `0x${'g'.repeat(64)}`,
    ` ${SHORT}`,
    `${SHORT}\n`,
  ])('is not %j', (id) => {
    expect(isConditionId(id)).toBe(false);
  });

  it('of 31 bytes is padded with a zero byte, one of 32 bytes only changes to lower case', () => {
    expect(paddedConditionId(SHORT)).toBe(`${SHORT}00`);
    expect(paddedConditionId(`${SHORT}00`)).toBe(`${SHORT}00`);
    expect(paddedConditionId(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
  });
});

const token = (hex: string) => String(BigInt(`0x${hex}`));
/**
 * A position id of Protocol V2, in decimal. It has 32 bytes: the module (1), a base hash (18),
 * reserved zeros (8), the resolution chain (4) and the outcome (1).
 */
const position = (
  module: string,
  reserved = '00'.repeat(8),
  chain = 'cd'.repeat(4),
  outcome = '01',
) => token(`${module}${'ab'.repeat(18)}${reserved}${chain}${outcome}`);

describe('a token id', () => {
  const PATTERN = new RegExp(TOKEN_ID_PATTERN);

  it.each(['0', '7', '007', '9'.repeat(77), String(2n ** 256n - 1n)])('can be %s', (text) => {
    expect(isTokenId(text)).toBe(true);
    expect(PATTERN.test(text)).toBe(true);
  });

  it.each(['', '-1', '1.0', ' 1', '1 ', '1\n', '0x1', 'a1', '1a', '0'.repeat(79)])(
    'is not %j',
    (text) => {
      expect(isTokenId(text)).toBe(false);
      expect(PATTERN.test(text)).toBe(false);
    },
  );

  it('has at most 256 bits, which the pattern does not know', () => {
    expect(isTokenId(String(2n ** 256n))).toBe(false);
    expect(PATTERN.test(String(2n ** 256n))).toBe(true);
  });

  it.each([
    ['007', '7'],
    ['000', '0'],
    ['1007', '1007'],
  ])('%s is written %s', (text, canonical) => {
    expect(canonicalTokenId(text)).toBe(canonical);
  });
});

it.each([
  ['binary', position('01'), true],
  ['combinatorial', position('03'), true],
  ['no module', position('00'), false],
  ['an unknown module', position('04'), false],
  ['the lowest of the reserved bits set', position('01', `${'00'.repeat(7)}01`), false],
  ['the highest of the reserved bits set', position('01', `80${'00'.repeat(7)}`), false],
  [
    'all bits of the chain and the outcome set',
    position('01', undefined, 'ff'.repeat(4), 'ff'),
    true,
  ],
])('the layout of a position id, %s: %s is %s', (_name, id, expected) => {
  expect(hasPositionLayout(id)).toBe(expected);
});
