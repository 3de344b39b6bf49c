import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RELATIVE_MOMENT_PATTERN } from '../../../../lambda/core/contract/patterns.ts';
import { readMoment, timeOf } from '../../../../lambda/core/domain/moment.ts';

const AS_OF = Date.parse('2026-11-21T12:00:00Z');
const read = (text: string) => {
  const moment = readMoment(text);
  return moment && new Date(timeOf(moment, AS_OF)).toISOString();
};

const MINUTE_MS = 60_000;
const UNITS = { h: 3_600_000, d: 86_400_000 } as const;
const two = (value: number): string => String(value).padStart(2, '0');
/** The local time of an offset never leaves the years of four digits. */
const instants = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true });
const fields = (length: number) => fc.tuple(...Array.from({ length }, () => fc.integer({ min: 0, max: 99 })));

/** An instant in RFC 3339 with an offset in minutes. */
function rfc3339(instant: Date, offset: number, plus: string): string {
  const local = new Date(instant.getTime() + offset * MINUTE_MS).toISOString().slice(0, -1);
  const minutes = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : plus}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

describe('readMoment', () => {
  it('reads any instant at any offset, also with a plus that was not percent-encoded', () => {
    const offsets = fc.integer({ min: -1_439, max: 1_439 });
    fc.assert(
      fc.property(instants, offsets, fc.constantFrom('+', ' '), (instant, offset, plus) => {
        expect(read(rfc3339(instant, offset, plus))).toBe(instant.toISOString());
      }),
    );
  });

  it('reads any instant in UTC, with any number of digits of a second, down to the millisecond', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 9 });
    fc.assert(
      fc.property(instants, digits, fc.boolean(), (instant, fraction, lower) => {
        const second = instant.toISOString().slice(0, 19);
        const text = `${second}${fraction.length > 0 ? '.' : ''}${fraction.join('')}Z`;
        const milliseconds = fraction.join('').padEnd(3, '0').slice(0, 3);
        expect(read(lower ? text.toLowerCase() : text)).toBe(`${second}.${milliseconds}Z`);
      }),
    );
  });

  it('reads the days that exist, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999 }), fields(2), (year, [month = 0, day = 0]) => {
        const date = new Date(0);
        date.setUTCFullYear(year, month % 14, day % 33);
        const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month % 14 && day % 33 > 0;
        const text = `${String(year).padStart(4, '0')}-${two((month % 14) + 1)}-${two(day % 33)}`;
        expect([text, read(text)]).toEqual([text, exists ? date.toISOString() : undefined]);
      }),
    );
  });

  it('reads the times that exist, and no other', () => {
    fc.assert(
      fc.property(fields(5), ([hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0]) => {
        const time = [hour % 26, minute % 62, second % 60, zoneHour % 26, zoneMinute % 62];
        const [h = 0, m = 0, s = 0, zh = 0, zm = 0] = time;
        const text = `2026-11-21T${two(h)}:${two(m)}:${two(s)}-${two(zh)}:${two(zm)}`;
        const exists = h < 24 && m < 60 && zh < 24 && zm < 60;
        const expected = new Date(Date.UTC(2026, 10, 21, h + zh, m + zm, s)).toISOString();
        expect([text, read(text)]).toEqual([text, exists ? expected : undefined]);
      }),
    );
  });

  it('reads hours and days after now', () => {
    const signs = fc.constantFrom('', '+', ' ');
    fc.assert(
      fc.property(signs, fc.integer({ min: 0, max: 99_999 }), fc.constantFrom('h', 'd'), (sign, count, unit) => {
        const expected = new Date(AS_OF + count * UNITS[unit]).toISOString();
        expect(read(`${sign}${count}${unit}`)).toBe(expected);
      }),
    );
  });

  it.each([
    '',
    'tomorrow',
    '21.11.2026',
    '2026-11-21T12:30:15',
    '2016-12-31T23:59:60Z',
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
