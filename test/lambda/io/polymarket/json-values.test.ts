import { describe, expect, it } from '@jest/globals';
import {
  asAmount,
  asInstant,
  asLines,
  asList,
  asNumber,
  asObject,
  asPrice,
  asText,
  asUnixSeconds,
} from '../../../../lambda/io/polymarket/json-values.ts';

// Polymarket sends some values in several forms, such as 7 and "7". Each of these functions reads a
// value as one type, or returns `undefined` if it is of another.

/** Characters that people do not see. */
const NUL = '\u0000';
const ESCAPE = '\u001b';
const ZERO_WIDTH_SPACE = '\u200b';
const BYTE_ORDER_MARK = '\ufeff';
const RIGHT_TO_LEFT = '\u202e';
const END_OF_DIRECTION = '\u202c';
const TAG_LETTER = '\u{e0049}';
/** Between letters and between emoji, joiners change the shape. Elsewhere they only hide. */
const JOINER = '\u200d';
const NON_JOINER = '\u200c';
const LINE_SEPARATOR = '\u2028';
const DAY = '2026-06-04';

interface Reader {
  readonly read: (value: unknown) => unknown;
  /** Pairs of a value that Polymarket sends and what the function returns. */
  readonly reads: (readonly [unknown, unknown])[];
  readonly rejects: unknown[];
}

const READERS: readonly Reader[] = [
  {
    read: asObject,
    reads: [[{ a: 1 }, { a: 1 }]],
    rejects: [null, undefined, [], [{}], 'x', 3, true, () => 1],
  },
  {
    read: asText,
    reads: [
      ['x', 'x'],
      [' x\n', 'x'],
      ['😀', '😀'],
      // Half a surrogate pair becomes U+FFFD.
      ['x\ud800', 'x\ufffd'],
      [`a\r\nb${LINE_SEPARATOR}c`, 'a b c'],
      [`a${NUL}${ESCAPE}[31mb`, 'a[31mb'],
      // A hidden character must not hide a formula from the check of the CSV.
      [`${NUL}=1+1`, '=1+1'],
      [`pay ${RIGHT_TO_LEFT}oN${END_OF_DIRECTION}`, 'pay oN'],
      [`Y${ZERO_WIDTH_SPACE}e${BYTE_ORDER_MARK}s`, 'Yes'],
      [`Yes${TAG_LETTER}`, 'Yes'],
      [`1${JOINER}2`, '12'],
      [`👩🏽${JOINER}💻`, `👩🏽${JOINER}💻`],
    ],
    rejects: ['', ' \n\t', `${ZERO_WIDTH_SPACE}${RIGHT_TO_LEFT}`, 3, null, undefined, ['x'], {}],
  },
  {
    read: asLines,
    reads: [
      [` a\r\nb${LINE_SEPARATOR}c\n`, 'a\nb\nc'],
      ['a\tb', 'a b'],
      [`می${NON_JOINER}خواهم`, `می${NON_JOINER}خواهم`],
    ],
    rejects: ['', 3],
  },
  {
    read: asNumber,
    reads: [
      [0, 0],
      [-1.5, -1.5],
      ['7', 7],
      ['-0.25', -0.25],
      [' .5\n', 0.5],
      ['2e3', 2_000],
      ['-.5E-1', -0.05],
      ['1.5e+2', 150],
      ['007', 7],
    ],
    rejects: [
      ...[Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true, [5], ['5'], {}, 5n],
      ...['', '1e', '1e999', 'Infinity', '0x1F', '0b1', '1_000', '1,5', '+1', '5.', '.', '-'],
      ...['--1', '1 2', '1e5.5', 'e5', '1-'],
    ],
  },
  {
    read: asPrice,
    reads: [
      [0, 0],
      [1, 1],
      ['0.0055', 0.0055],
      ['1.000', 1],
    ],
    rejects: [-0.0001, 1.0001, 'x', null],
  },
  {
    read: asAmount,
    reads: [
      [0, 0],
      ['12.5', 12.5],
    ],
    rejects: [-0.001, 'x', null, Number.POSITIVE_INFINITY],
  },
  {
    read: asUnixSeconds,
    reads: [
      [1_795_000_000, 1_795_000_000],
      ['1795000000', 1_795_000_000],
      [1.9, 1],
      [0, 0],
    ],
    // The first one is in milliseconds.
    rejects: [1e11, -1, '-120', 'soon', null],
  },
  {
    read: asList,
    reads: [
      [[], []],
      [[1], [1]],
      ['[]', []],
      [' ["a", 2] ', ['a', 2]],
    ],
    rejects: ['', '[', '{"a":1}', '"x"', 'null', 3, null, undefined, {}, { length: 0 }],
  },
  {
    // It returns UTC with milliseconds.
    read: asInstant,
    reads: [
      [DAY, `${DAY}T00:00:00.000Z`],
      [`${DAY}T10:11:12`, `${DAY}T10:11:12.000Z`],
      [`${DAY} 10:11:12Z`, `${DAY}T10:11:12.000Z`],
      [`${DAY}T10:11:12z`, `${DAY}T10:11:12.000Z`],
      [`${DAY}T10:11:12.123456789`, `${DAY}T10:11:12.123Z`],
      [`${DAY} 10:11:12.5+00`, `${DAY}T10:11:12.500Z`],
      [`${DAY} 00:34:19+02`, '2026-06-03T22:34:19.000Z'],
      [`${DAY} 10:11:12 -0530`, `${DAY}T15:41:12.000Z`],
      [`${DAY}T10:11:12+05:30`, `${DAY}T04:41:12.000Z`],
      [`\n ${DAY}T10:11:12.678901Z `, `${DAY}T10:11:12.678Z`],
    ],
    rejects: [
      ...['', 'soon', '2026', '2026-06', '2026-6-4', '12026-06-04', 'x2026-06-04'],
      ...['2026-06-04x', '2026-00-04', '2026-02-29'],
      ...[1_780_567_872, null, [DAY], new Date(0)],
      // After the day: incomplete times, times out of range, and zones that are none.
      ...['T', 'T10', 'T10:11', 'T10:11:12.', 'T10:11:12.1234567890Z', 'X10:11:12Z'].map(onDay),
      ...['T24:00:00Z', 'T10:60:00Z', 'T10:11:60Z', 'T10:11:12+24:00'].map(onDay),
      ...['  Z', 'ZZ', 'Z+00', '+5', '+05:3'].map((zone) => onDay(`T10:11:12${zone}`)),
    ],
  },
];

function onDay(time: string): string {
  return `${DAY}${time}`;
}

describe.each(READERS)('$read.name', ({ read, reads, rejects }) => {
  it.each(reads)('reads %j as %j', (value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  it('does not read other values', () => {
    const accepted = rejects.filter((value) => read(value) !== undefined);
    expect(accepted).toEqual([]);
  });
});

it('asList reads texts of at most 10,000 characters', () => {
  expect(asList(`[${' '.repeat(9_998)}]`)).toEqual([]);
  expect(asList(`[${' '.repeat(9_999)}]`)).toBeUndefined();
});
