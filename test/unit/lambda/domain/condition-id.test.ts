import { describe, expect, it } from '@jest/globals';
import { isConditionId, paddedConditionId } from '../../../../lambda/domain/condition-id.ts';
import { protocolFixtures } from '../../../support/recordings.ts';

const SHORT = `0x01${'ab'.repeat(30)}`;

describe('a condition id', () => {
  it.each([SHORT, `${SHORT}00`, `0x${'AB'.repeat(32)}`])('may be %s', (id) => {
    expect(isConditionId(id)).toBe(true);
  });

  it.each([
    '',
    '0x',
    SHORT.slice(2),
    `${SHORT}0`,
    `${SHORT}0000`,
    `0x${'g'.repeat(64)}`,
    ` ${SHORT}`,
    `${SHORT}\n`,
  ])('is not %j', (id) => {
    expect(isConditionId(id)).toBe(false);
  });

  it('is padded by one zero byte, and stays as it is when it has 32 bytes', () => {
    expect(paddedConditionId(SHORT)).toBe(`${SHORT}00`);
    expect(paddedConditionId(`${SHORT}00`)).toBe(`${SHORT}00`);
    expect(paddedConditionId(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
  });

  const both = protocolFixtures().filter(
    ({ expect: expected }) => typeof expected.conditionId31 === 'string',
  );
  for (const { name, expect: expected } of both) {
    it(`has two forms: ${name}`, () => {
      expect(paddedConditionId(String(expected.conditionId31))).toBe(expected.conditionId32);
      expect(paddedConditionId(String(expected.conditionId32))).toBe(expected.conditionId32);
    });
  }
});
