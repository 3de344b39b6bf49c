import { describe, expect, it } from '@jest/globals';
import {
  asInstant,
  asList,
  asNumber,
  asObject,
  asPrice,
  asText,
  asUnixSeconds,
} from '../../../../lambda/polymarket/json-values.ts';

describe('an object', () => {
  it.each([{}, { a: 1 }])('is %j', (value) => {
    expect(asObject(value)).toBe(value);
  });

  it.each([null, undefined, [], [{}], 'x', 3, true, () => 1])('is not %p', (value) => {
    expect(asObject(value)).toBeUndefined();
  });
});

describe('a text', () => {
  it.each([
    ['x', 'x'],
    [' x\n', ' x\n'],
    ['x\ud800', 'x\ufffd'],
    ['😀', '😀'],
  ])('is %j', (value, expected) => {
    expect(asText(value)).toBe(expected);
  });

  it.each(['', ' \n\t', 3, null, undefined, ['x'], {}])('is not %p', (value) => {
    expect(asText(value)).toBeUndefined();
  });
});

describe('a number', () => {
  it.each([
    [0, 0],
    [-1.5, -1.5],
    ['12', 12],
    ['12.34', 12.34],
    ['.34', 0.34],
    ['-.5', -0.5],
    ['-12', -12],
    ['1e21', 1e21],
    ['1.5E+10', 1.5e10],
    ['15e-10', 1.5e-9],
    ['  7\n ', 7],
    ['007', 7],
  ])('is %p', (value, expected) => {
    expect(asNumber(value)).toBe(expected);
  });

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    '',
    '  ',
    '.',
    '-',
    '+5',
    '5.',
    '0x10',
    '0b1',
    '1e',
    '1e999',
    '-1e999',
    'Infinity',
    '1,000',
    '1 2',
    '5x',
    'x5',
    '0x5',
    null,
    undefined,
    true,
    [5],
    ['5'],
    {},
    5n,
  ])('is not %p', (value) => {
    expect(asNumber(value)).toBeUndefined();
  });
});

describe('a price', () => {
  it.each([
    [0, 0],
    [1, 1],
    ['0.0055', 0.0055],
    ['1.000', 1],
  ])('is %p', (value, expected) => {
    expect(asPrice(value)).toBe(expected);
  });

  it.each([-0.0001, 1.0001, '-0.1', '2', 'x', null, undefined])('is not %p', (value) => {
    expect(asPrice(value)).toBeUndefined();
  });
});

describe('a time in Unix seconds', () => {
  it.each([
    [1_795_000_000, 1_795_000_000],
    ['1795000000', 1_795_000_000],
    [0, 0],
  ])('is %p', (value, expected) => {
    expect(asUnixSeconds(value)).toBe(expected);
  });

  it.each([1_795_000_000_000, 1_795_000_000_000_000, 1e11, 'soon', null])('is not %p', (value) => {
    expect(asUnixSeconds(value)).toBeUndefined();
  });
});

describe('a list', () => {
  it.each([
    [[], []],
    [[1], [1]],
    ['[]', []],
    [' ["a", 2] ', ['a', 2]],
  ])('is %j', (value, expected) => {
    expect(asList(value)).toEqual(expected);
  });

  it.each(['', '[', '{"a":1}', '"x"', 'null', '3', 3, null, undefined, {}, { length: 0 }])(
    'is not %p',
    (value) => {
      expect(asList(value)).toBeUndefined();
    },
  );
});

describe('an instant', () => {
  it.each([
    ['2026-06-04T10:11:12Z'],
    ['2026-06-04T00:00:00Z'],
    ['2026-06-04T19:59:59Z'],
    ['2026-06-04T23:59:59.9Z'],
    ['2026-06-04T10:11:12.123456789Z'],
    ['2024-02-29T10:11:12Z'],
  ])('is kept as it is where it is RFC 3339 in UTC: %s', (value) => {
    expect(asInstant(value)).toBe(value);
    expect(asInstant(` ${value}\n`)).toBe(value);
  });

  it.each([
    ['2026-06-04', '2026-06-04T00:00:00.000Z'],
    ['2026-06-04T10:11:12', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04 10:11:12', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04 10:11:12Z', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04 10:11:12 Z', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04T10:11:12 Z', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04t10:11:12z', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04T10:11:12z', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04 10:11:12+00', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04 10:11:12 +00', '2026-06-04T10:11:12.000Z'],
    ['2026-06-04T10:11:12+02', '2026-06-04T08:11:12.000Z'],
    ['2026-06-04T10:11:12+05:30', '2026-06-04T04:41:12.000Z'],
    ['2026-06-04T10:11:12+0530', '2026-06-04T04:41:12.000Z'],
    ['2026-06-04T10:11:12-05:00', '2026-06-04T15:11:12.000Z'],
    ['2026-06-04T10:11:12.5+00:00', '2026-06-04T10:11:12.500Z'],
    ['2026-06-04T10:11:12.123456789', '2026-06-04T10:11:12.123Z'],
    ['2026-06-04T23:30:00-01:00', '2026-06-05T00:30:00.000Z'],
  ])('is brought into RFC 3339 in UTC: %s', (value, expected) => {
    expect(asInstant(value)).toBe(expected);
  });

  it.each([
    '',
    'soon',
    '2026',
    '2026-06',
    '26-06-04',
    '2026-6-4',
    '12026-06-04',
    'x2026-06-04',
    '2026-06-04x',
    '2026-06-04T',
    '2026-06-04T10',
    '2026-06-04T10:11',
    '2026-06-04T10:11:12.',
    '2026-06-04T10:11:12.1234567890Z',
    '2026-06-04T10:11:12  Z',
    '2026-06-04T10:11:12ZZ',
    '2026-06-04T10:11:12Z+00',
    '2026-06-04T10:11:12+5',
    '2026-06-04T10:11:12+05:3',
    '2026-06-04T10:11:12+05:300',
    '2026-06-04T10:11:12+24:00',
    '2026-06-04T24:00:00Z',
    '2026-06-04T30:00:00Z',
    '2026-06-04T10:60:00Z',
    '2026-06-04T10:11:60Z',
    '2026-06-04  10:11:12Z',
    '2026-06-04X10:11:12Z',
    '2026-00-04',
    '2026-13-01',
    '2026-02-29',
    '2026-02-30T10:11:12Z',
    '2026-06-31 10:11:12+00',
    1_780_567_872,
    null,
    undefined,
    ['2026-06-04'],
    new Date(0),
  ])('is not %p', (value) => {
    expect(asInstant(value)).toBeUndefined();
  });
});
