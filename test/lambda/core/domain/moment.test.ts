import { describe, expect, it } from '@jest/globals';
import { RELATIVE_MOMENT_PATTERN } from '../../../../lambda/core/contract/patterns.ts';
import { readMoment, timeOf } from '../../../../lambda/core/domain/moment.ts';

const AS_OF = Date.parse('2026-11-21T12:00:00Z');
const read = (text: string) => {
  const moment = readMoment(text);
  return moment && new Date(timeOf(moment, AS_OF)).toISOString();
};

describe('readMoment', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-11-21T12:30:15Z', '2026-11-21T12:30:15.000Z'],
    ['2026-11-21t12:30:15.123456z', '2026-11-21T12:30:15.123Z'],
    ['2026-11-21T12:30:15.9999Z', '2026-11-21T12:30:15.999Z'],
    ['2026-11-21T12:30:15+02:00', '2026-11-21T10:30:15.000Z'],
    ['2026-11-21T12:30:15 02:00', '2026-11-21T10:30:15.000Z'], // a plus that was not percent-encoded
    ['2026-11-21T23:30:15-01:30', '2026-11-22T01:00:15.000Z'],
    ['2026-11-21T00:00:00+23:59', '2026-11-20T00:01:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'], // a leap second
    ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000Z'], // the example of RFC 3339
    ['+24h', '2026-11-22T12:00:00.000Z'],
    [' 24h', '2026-11-22T12:00:00.000Z'],
    ['7d', '2026-11-28T12:00:00.000Z'],
  ])('reads %j as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    '',
    'tomorrow',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '2026-11-31',
    '2026-11-21T24:00:00Z',
    '2026-11-21T12:60:00Z',
    '2026-11-21T12:00:60Z', // leap seconds occur at midnight UTC only
    '2016-12-31T23:59:60+01:00',
    '2026-11-21T23:59:61Z',
    '2026-11-21T12:00:00+00:60',
    '2026-11-21T12:30:15', // no zone
    '2026-11-21T12:30:15+24:00',
    '21.11.2026',
    '-24h',
    '24',
    '24m',
    '1.5d',
    '++1h',
    '100000h',
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
