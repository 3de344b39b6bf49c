// Polymarket's ids: a market has a condition id, and each of its outcomes a token id. Protocol V2
// has shorter condition ids, and its token ids (position ids) have a layout of their own.

import { describe, expect, it } from '@jest/globals';
import { TOKEN_ID_PATTERN } from '../../../../lambda/core/contract/patterns.ts';
import {
  canonicalTokenId,
  hasPositionLayout,
  isConditionId,
  isTokenId,
  paddedConditionId,
} from '../../../../lambda/core/domain/ids.ts';

describe('a condition id', () => {
  /** Protocol v1 has ids of 32 bytes, V2 of 31. Both are written in hex. */
  const V1 = `0x${'ab'.repeat(32)}`;
  const V2 = `0x${'ab'.repeat(31)}`;

  it.each([V1, V2, V1.toUpperCase()])('can be %s', (id) => {
    expect(isConditionId(id)).toBe(true);
  });

  it.each([
    ['an empty text', ''],
    ['an id without 0x', V2.slice(2)],
    ['half a byte more than 31 bytes', `${V2}0`],
    ['33 bytes', `${V1}00`],
    ['another letter', `0x${'g'.repeat(64)}`],
    ['a blank before it', ` ${V2}`],
    ['a line feed after it', `${V2}\n`],
  ])('is not %s', (_defect, id) => {
    expect(isConditionId(id)).toBe(false);
  });

  it('of 31 bytes is padded with a zero byte', () => {
    expect(paddedConditionId(V2)).toBe(`${V2}00`);
  });

  it('of 32 bytes only changes to lower case', () => {
    expect(paddedConditionId(V1.toUpperCase())).toBe(V1);
  });
});

describe('a token id', () => {
  const PATTERN = new RegExp(TOKEN_ID_PATTERN);

  // The highest number of 256 bits has 78 digits.
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

  it('has at most 256 bits, which the pattern of digits cannot check', () => {
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

describe('the layout of a position id of Protocol V2', () => {
  /** The parts of an id in hex: 32 bytes, which follow each other in this order. */
  const BINARY = {
    module: '01',
    baseHash: 'ab'.repeat(18),
    reserved: '00'.repeat(8),
    resolutionChain: 'cd'.repeat(4),
    outcome: '01',
  };

  /** Whether the id with these parts in place of the binary market's has a valid layout. */
  const isValid = (parts: Partial<typeof BINARY>) => {
    const hex = Object.values({ ...BINARY, ...parts }).join('');
    return hasPositionLayout(String(BigInt(`0x${hex}`)));
  };

  it.each<[what: string, parts: Partial<typeof BINARY>]>([
    ['a binary market', {}],
    ['a combination', { module: '03' }],
    ['the highest chain and outcome', { resolutionChain: 'ff'.repeat(4), outcome: 'ff' }],
  ])('can have %s: %j', (_what, parts) => {
    expect(isValid(parts)).toBe(true);
  });

  it.each<[defect: string, parts: Partial<typeof BINARY>]>([
    ['no module', { module: '00' }],
    ['an unknown module', { module: '04' }],
    ['the lowest reserved bit set', { reserved: `${'00'.repeat(7)}01` }],
    ['the highest reserved bit set', { reserved: `80${'00'.repeat(7)}` }],
  ])('cannot have %s: %j', (_defect, parts) => {
    expect(isValid(parts)).toBe(false);
  });
});
