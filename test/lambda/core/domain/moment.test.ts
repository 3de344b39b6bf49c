import { describe, expect, it } from '@jest/globals';
import { RELATIVE_MOMENT_PATTERN } from '../../../../lambda/core/contract/patterns.ts';
import { readMoment, timeOf } from '../../../../lambda/core/domain/moment.ts';

const AS_OF = Date.parse('2026-11-21T12:00:00Z');
/** The instant of a text. Relative texts such as `+13h` count from `AS_OF`. */
const read = (text: string) => {
  const moment = readMoment(text);
  return moment && new Date(timeOf(moment, AS_OF)).toISOString();
};

describe('readMoment', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['0001-12-31', '0001-12-31T00:00:00.000Z'],
    ['2026-11-21T23:59:59Z', '2026-11-21T23:59:59.000Z'],
    ['2026-11-21t00:00:00.5z', '2026-11-21T00:00:00.500Z'],
    ['2026-11-21T00:00:00.123987654Z', '2026-11-21T00:00:00.123Z'],
    ['2026-11-21T01:00:00+05:30', '2026-11-20T19:30:00.000Z'],
    ['2026-11-21T01:00:00 05:30', '2026-11-20T19:30:00.000Z'],
    ['2026-11-21T20:00:00-23:59', '2026-11-22T19:59:00.000Z'],
    ['0h', '2026-11-21T12:00:00.000Z'],
    ['+13h', '2026-11-22T01:00:00.000Z'],
    [' 2d', '2026-11-23T12:00:00.000Z'],
    ['99999d', '2300-09-05T12:00:00.000Z'],
  ])('reads %j', (text, instant) => {
    expect(read(text)).toBe(instant);
  });

  // No moment at all, then days that do not exist, then times of a day that do not exist.
  it.each([
    ...'|tomorrow|21.11.2026|2026-11-21T12:30:15|2016-12-31T23:59:60Z|-24h|24|24m|1.5d|++1h|100000h'.split(
      '|',
    ),
    ...'2026-02-29|2026-11-31|2026-00-10|2026-13-10|2026-11-00|2026-1-02|10000-01-01'.split('|'),
    ...['24:00:00Z', '12:60:00Z', '12:00:00-24:00', '12:00:00+01:60', '12:00Z', '12:00:00.Z'].map(
      (time) => `2026-11-21T${time}`,
    ),
  ])('does not read %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('accepts the relative moments of the API document', () => {
    const pattern = new RegExp(RELATIVE_MOMENT_PATTERN);
    for (const text of ['+1h', ' 99999d', '0h', '24', '-1h']) {
      expect([text, readMoment(text) !== undefined]).toEqual([text, pattern.test(text)]);
    }
  });
});
