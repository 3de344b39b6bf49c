import { describe, expect, it } from '@jest/globals';
import { isConditionId, paddedConditionId } from '../../../../lambda/core/domain/condition-id.ts';

const SHORT = `0x01${'ab'.repeat(30)}`;

describe('a condition id', () => {
  it.each([SHORT, `${SHORT}00`, `0x${'AB'.repeat(32)}`])('can be %s', (id) => {
    expect(isConditionId(id)).toBe(true);
  });

  it.each(['', '0x', SHORT.slice(2), `${SHORT}0`, `${SHORT}0000`, `0x${'g'.repeat(64)}`, ` ${SHORT}`, `${SHORT}\n`])(
    'is not %j',
    (id) => {
      expect(isConditionId(id)).toBe(false);
    },
  );

  it('of 31 bytes is padded with a zero byte, one of 32 bytes only changes to lower case', () => {
    expect(paddedConditionId(SHORT)).toBe(`${SHORT}00`);
    expect(paddedConditionId(`${SHORT}00`)).toBe(`${SHORT}00`);
    expect(paddedConditionId(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
  });
});
