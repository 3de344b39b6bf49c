// A moment is a time that a filter names, such as `endsBefore`: a date, an RFC 3339 time, or hours
// or days from now. A blank stands for `+`, because a query in a URL decodes `+` to a blank.

import { describe, expect, it } from '@jest/globals';
import { RELATIVE_MOMENT_PATTERN } from '../../../../lambda/core/contract/patterns.ts';
import { readMoment, timeOf } from '../../../../lambda/core/domain/moment.ts';

const AS_OF = Date.parse('2026-11-21T12:00:00Z');
/** The time that a text means. Relative texts such as `+13h` count from `AS_OF`. */
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

  it.each(['', 'tomorrow', '21.11.2026', '2026-1-02', '10000-01-01', '2026-11-21T12:30:15'])(
    'does not read another form: %j',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );

  it.each(['-24h', '24', '24m', '1.5d', '++1h', '100000h'])(
    'does not read another relative form: %j',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );

  it.each(['2026-02-29', '2026-11-31', '2026-00-10', '2026-13-10', '2026-11-00'])(
    'does not read a day that does not exist: %s',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );

  it.each([
    '24:00:00Z',
    '12:60:00Z',
    '23:59:60Z', // A leap second, which JavaScript cannot express.
    '12:00:00-24:00',
    '12:00:00+01:60',
    '12:00Z',
    '12:00:00.Z',
  ])('does not read a time of day that does not exist: %s', (time) => {
    expect(read(`2026-11-21T${time}`)).toBeUndefined();
  });

  it.each([
    ['+1h', true],
    [' 99999d', true],
    ['0h', true],
    ['24', false],
    ['-1h', false],
  ])('agrees with the pattern of the API document: %j is %s', (text, isMoment) => {
    expect(readMoment(text) !== undefined).toBe(isMoment);
    expect(new RegExp(RELATIVE_MOMENT_PATTERN).test(text)).toBe(isMoment);
  });
});
