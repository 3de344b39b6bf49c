import { expect, it } from '@jest/globals';
import * as readers from '../../../../lambda/io/polymarket/json-values.ts';

const READERS = { ...readers };
const OBJECT = {};
const LIST = [1];

it.each<[keyof typeof READERS, ...[unknown, unknown][]]>([
  ['asObject', [OBJECT, OBJECT]],
  ['asText', ['x', 'x'], [' x\n', 'x'], ['x\ud800', 'x\ufffd'], ['😀', '😀']],
  ['asNumber', [0, 0], [-1.5, -1.5], ['12', 12], ['12.34', 12.34], ['.34', 0.34], ['-.5', -0.5], ['-12', -12]],
  ['asNumber', ['1e21', 1e21], ['1.5E+10', 1.5e10], ['15e-10', 1.5e-9], ['  7\n ', 7], ['007', 7]],
  ['asPrice', [0, 0], [1, 1], ['0.0055', 0.0055], ['1.000', 1]],
  ['asAmount', [0, 0], ['12.5', 12.5]],
  ['asUnixSeconds', [1_795_000_000, 1_795_000_000], ['1795000000', 1_795_000_000], [1.9, 1], [0, 0]],
  ['asList', [[], []], [LIST, LIST], ['[]', []], [' ["a", 2] ', ['a', 2]]],
])('%s reads values such as %j', (reader, ...values) => {
  for (const [value, expected] of values) expect([value, READERS[reader](value)]).toEqual([value, expected]);
});

it.each<[keyof typeof READERS, unknown[]]>([
  ['asObject', [null, undefined, [], [{}], 'x', 3, true, () => 1]],
  ['asText', ['', ' \n\t', 3, null, undefined, ['x'], {}]],
  [
    'asNumber',
    [Number.NaN, Number.POSITIVE_INFINITY, '', '  ', '.', '-', '+5', '5.', '0x10', '1e', '1e999', 'Infinity'],
  ],
  ['asNumber', ['1,000', '1 2', '5x', 'x5', null, undefined, true, [5], ['5'], {}, 5n]],
  ['asPrice', [-0.0001, 1.0001, 'x', null]],
  ['asAmount', [-0.001, 'x', null, Number.POSITIVE_INFINITY]],
  ['asUnixSeconds', [1e11, -1, '-120', 'soon', null]],
  ['asList', ['', '[', '{"a":1}', '"x"', 'null', 3, null, undefined, {}, { length: 0 }]],
  [
    'asInstant',
    ['', 'soon', '2026', '2026-06', '2026-6-4', '12026-06-04', 'x2026-06-04', '2026-06-04x', '2026-06-04T'],
  ],
  ['asInstant', ['2026-06-04T10', '2026-06-04T10:11', '2026-06-04T10:11:12.', '2026-06-04T10:11:12.1234567890Z']],
  [
    'asInstant',
    ['2026-06-04T10:11:12  Z', '2026-06-04T10:11:12ZZ', '2026-06-04T10:11:12Z+00', '2026-06-04T10:11:12+5'],
  ],
  [
    'asInstant',
    ['2026-06-04T10:11:12+05:3', '2026-06-04T10:11:12+24:00', '2026-06-04T24:00:00Z', '2026-06-04T10:60:00Z'],
  ],
  ['asInstant', ['2026-06-04T10:11:60Z', '2026-06-04X10:11:12Z', '2026-00-04', '2026-02-29', '2026-06-31 10:11:12+00']],
  ['asInstant', [1_780_567_872, null, ['2026-06-04'], new Date(0)]],
])('%s does not read values such as %j', (reader, values) => {
  for (const value of values) expect([value, READERS[reader](value)]).toEqual([value, undefined]);
});

it('asList reads texts of at most 10,000 characters', () => {
  expect(READERS.asList(`[${' '.repeat(9_998)}]`)).toEqual([]);
  expect(READERS.asList(`[${' '.repeat(9_999)}]`)).toBeUndefined();
});

const UTC = ['2026-06-04T23:59:59.9Z', '2026-06-04T10:11:12.123456789Z', '2024-02-29T10:11:12Z'];
it.each(UTC)('asInstant does not change RFC 3339 in UTC: %s', (value) => {
  expect(READERS.asInstant(value)).toBe(value);
  expect(
    READERS.asInstant(` ${value}
`),
  ).toBe(value);
});

it.each([
  ['2026-06-04', '2026-06-04T00:00:00.000Z'],
  ['2026-06-04T10:11:12', '2026-06-04T10:11:12.000Z'],
  ['2026-06-04 10:11:12Z', '2026-06-04T10:11:12.000Z'],
  ['2026-06-04T10:11:12 Z', '2026-06-04T10:11:12.000Z'],
  ['2026-06-04T10:11:12z', '2026-06-04T10:11:12.000Z'],
  ['2026-06-04 10:11:12 +00', '2026-06-04T10:11:12.000Z'],
  ['2026-06-04T10:11:12+02', '2026-06-04T08:11:12.000Z'],
  ['2026-06-04T10:11:12+05:30', '2026-06-04T04:41:12.000Z'],
  ['2026-06-04T10:11:12+0530', '2026-06-04T04:41:12.000Z'],
  ['2026-06-04T10:11:12-05:00', '2026-06-04T15:11:12.000Z'],
  ['2026-06-04T10:11:12.123456789', '2026-06-04T10:11:12.123Z'],
  ['2026-06-04T23:30:00-01:00', '2026-06-05T00:30:00.000Z'],
])('asInstant converts to RFC 3339 in UTC: %s', (value, expected) => {
  expect(READERS.asInstant(value)).toBe(expected);
});
