import { expect, it } from '@jest/globals';
import * as readers from '../../../../lambda/io/polymarket/json-values.ts';

/** Each function reads a value of upstream, or returns `undefined` if it is of another kind. */
const READERS = { ...readers };
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
const OBJECT = {};
const LIST = [1];
const DAY = '2026-06-04';

/**
 * A function, and pairs of what upstream sends and what the function returns. `asInstant` has a
 * table of its own below.
 */
const READS: readonly [keyof typeof READERS, ...[unknown, unknown][]][] = [
  ['asObject', [OBJECT, OBJECT]],
  // Half a surrogate pair becomes U+FFFD.
  ['asText', ['x', 'x'], [' x\n', 'x'], ['x\ud800', 'x\ufffd'], ['😀', '😀']],
  ['asText', [`a\r\nb${LINE_SEPARATOR}c`, 'a b c'], [`a${NUL}${ESCAPE}[31mb`, 'a[31mb']],
  // A hidden character must not hide a formula from the check of the CSV.
  ['asText', [`${NUL}=1+1`, '=1+1']],
  ['asText', [`pay ${RIGHT_TO_LEFT}oN${END_OF_DIRECTION}`, 'pay oN']],
  ['asText', [`Y${ZERO_WIDTH_SPACE}e${BYTE_ORDER_MARK}s`, 'Yes'], [`Yes${TAG_LETTER}`, 'Yes']],
  ['asText', [`1${JOINER}2`, '12'], [`👩🏽${JOINER}💻`, `👩🏽${JOINER}💻`]],
  ['asLines', [` a\r\nb${LINE_SEPARATOR}c\n`, 'a\nb\nc'], ['a\tb', 'a b']],
  ['asLines', [`می${NON_JOINER}خواهم`, `می${NON_JOINER}خواهم`]],
  [
    'asNumber',
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
  ['asPrice', [0, 0], [1, 1], ['0.0055', 0.0055], ['1.000', 1]],
  ['asAmount', [0, 0], ['12.5', 12.5]],
  [
    'asUnixSeconds',
    [1_795_000_000, 1_795_000_000],
    ['1795000000', 1_795_000_000],
    [1.9, 1],
    [0, 0],
  ],
  ['asList', [[], []], [LIST, LIST], ['[]', []], [' ["a", 2] ', ['a', 2]]],
];
it.each(READS.flatMap(([reader, ...values]) => values.map((pair) => [reader, ...pair] as const)))(
  '%s reads %j as %j',
  (reader, value, expected) => {
    expect(READERS[reader](value)).toEqual(expected);
  },
);

const REJECTS: readonly [keyof typeof READERS, unknown[]][] = [
  ['asObject', [null, undefined, [], [{}], 'x', 3, true, () => 1]],
  ['asText', ['', ' \n\t', `${ZERO_WIDTH_SPACE}${RIGHT_TO_LEFT}`, 3, null, undefined, ['x'], {}]],
  [
    'asNumber',
    [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '',
      '1e',
      '1e999',
      'Infinity',
      null,
      undefined,
      true,
      [5],
      ['5'],
      {},
      5n,
    ],
  ],
  ['asNumber', '0x1F|0b1|1_000|1,5|+1|5.|.|-|--1|1 2|1e5.5|e5|1-'.split('|')],
  ['asPrice', [-0.0001, 1.0001, 'x', null]],
  ['asAmount', [-0.001, 'x', null, Number.POSITIVE_INFINITY]],
  ['asUnixSeconds', [1e11, -1, '-120', 'soon', null]],
  ['asList', ['', '[', '{"a":1}', '"x"', 'null', 3, null, undefined, {}, { length: 0 }]],
  [
    'asInstant',
    '|soon|2026|2026-06|2026-6-4|12026-06-04|x2026-06-04|2026-06-04x|2026-00-04|2026-02-29'.split(
      '|',
    ),
  ],
  [
    'asInstant',
    'T|T10|T10:11|T10:11:12.|T10:11:12.1234567890Z|X10:11:12Z'
      .split('|')
      .map((time) => `${DAY}${time}`),
  ],
  [
    'asInstant',
    '24:00:00Z|10:60:00Z|10:11:60Z|10:11:12+24:00'.split('|').map((time) => `${DAY}T${time}`),
  ],
  ['asInstant', '  Z|ZZ|Z+00|+5|+05:3'.split('|').map((zone) => `${DAY}T10:11:12${zone}`)],
  ['asInstant', [1_780_567_872, null, ['2026-06-04'], new Date(0)]],
];
it.each(REJECTS.flatMap(([reader, values]) => values.map((value) => [reader, value] as const)))(
  '%s does not read %p',
  (reader, value) => {
    expect(READERS[reader](value)).toBeUndefined();
  },
);

it('asList reads texts of at most 10,000 characters', () => {
  expect(READERS.asList(`[${' '.repeat(9_998)}]`)).toEqual([]);
  expect(READERS.asList(`[${' '.repeat(9_999)}]`)).toBeUndefined();
});

it.each([
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
])('asInstant reads %j as UTC, with milliseconds', (value, expected) => {
  expect(readers.asInstant(value)).toBe(expected);
});
