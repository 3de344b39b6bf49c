import { describe, expect, it } from '@jest/globals';
import {
  age,
  centDigits,
  cents,
  changeText,
  clockTime,
  clockTimeWithSeconds,
  direction,
  dollars,
  ends,
  otherPercent,
  percent,
  signedPoints,
  usd,
} from '../../packages/market-page/src/format.ts';

// How the page writes numbers and times. A probability is in percent, a change in percentage
// points.

describe('a number', () => {
  it.each([
    { probability: 0, text: '0.0%' },
    { probability: 0.05, text: '<0.1%' },
    { probability: 0.1, text: '0.1%' },
    { probability: 50, text: '50.0%' },
    { probability: 59.46, text: '59.5%' },
    { probability: 99.9, text: '99.9%' },
    { probability: 99.95, text: '>99.9%' },
    { probability: 100, text: '100.0%' },
    { probability: undefined, text: '–' },
  ])('that is a probability has one decimal: $probability is $text', ({ probability, text }) => {
    expect(percent(probability)).toBe(text);
  });

  // As a binary number, 0.15 is a little below 0.15, and others are after a division by 100.
  it.each([
    { probability: 0.15, text: '0.2%' },
    { probability: 23.95, text: '24.0%' },
    { probability: 52.85, text: '52.9%' },
    { probability: 1.15, text: '1.2%' },
    { probability: 28.55, text: '28.6%' },
    { probability: 8.35, text: '8.4%' },
  ])('that is a probability rounds its half up: $probability is $text', ({ probability, text }) => {
    expect(percent(probability)).toBe(text);
    const price = probability / 100;
    expect(percent(price * 100)).toBe(text);
  });

  it.each([
    { probability: 2.35, other: '97.6%' },
    { probability: 4.05, other: '95.9%' },
    { probability: 50, other: '50.0%' },
    { probability: 99.85, other: '0.1%' },
    { probability: 0.05, other: '>99.9%' },
    { probability: 99.95, other: '<0.1%' },
    { probability: 0, other: '100.0%' },
    { probability: 100, other: '0.0%' },
  ])(
    'that is a probability of $probability adds up to 100 % with the other one, $other',
    ({ probability, other }) => {
      expect(otherPercent(probability)).toBe(other);
    },
  );

  it.each([
    { change: 3.74, text: '+3.7 pt' },
    { change: -15.2, text: '−15.2 pt' },
    { change: 0.15, text: '+0.2 pt' },
    { change: -23.95, text: '−24.0 pt' },
    { change: 0.04, text: '0.0 pt' },
    { change: -0.04, text: '0.0 pt' },
    { change: null, text: '–' },
    { change: undefined, text: '–' },
  ])('that is a change has one sign unless it is zero: $change is $text', ({ change, text }) => {
    expect(signedPoints(change)).toBe(text);
  });

  it.each([
    { change: -1, expected: 'down' },
    { change: -0.99, expected: 'flat' },
    { change: 0.99, expected: 'flat' },
    { change: 1, expected: 'up' },
    { change: null, expected: 'flat' },
  ])(
    'that is a change has a direction from one point on: $change is $expected',
    ({ change, expected }) => {
      expect(direction(change)).toBe(expected);
    },
  );

  it('that is a change the service doubts is marked, and no other one', () => {
    const market = {
      oneDayPriceChange: 3.74,
      sevenDayPriceChange: -59.9,
      doubtfulChanges: ['sevenDayPriceChange'],
    };
    expect(changeText(market, 'sevenDayPriceChange')).toBe('≈ −59.9 pt');
    expect(changeText(market, 'oneDayPriceChange')).toBe('+3.7 pt');
    expect(changeText({ oneDayPriceChange: null }, 'oneDayPriceChange')).toBe('–');
  });

  it('of USD has few digits', () => {
    const amounts = [0, 875.4, 999.6, 9_020, 11_629_774, undefined];
    expect(amounts.map(usd)).toEqual(['$0', '$875', '$1.0K', '$9.0K', '$11.6M', '–']);
  });

  it('that is a price is in cents, in a column with the same number of decimals', () => {
    expect([0.59, 0.5945, 0.001].map((price) => cents(price))).toEqual([
      '59\u00a0¢',
      '59.45\u00a0¢',
      '0.1\u00a0¢',
    ]);
    expect(cents(0.6, centDigits([0.6, 0.598]))).toBe('60.0\u00a0¢');
  });

  it('that is the price of a trade has cents and thousands', () => {
    expect([369.4, 1_234.567, 0].map(dollars)).toEqual(['$369.40', '$1,234.57', '$0.00']);
  });

  it('that is an age has a suitable unit', () => {
    expect([4.4, 119, 120, 7_199, 7_200].map(age)).toEqual([
      '4 s',
      '119 s',
      '2 min',
      '120 min',
      '2 h',
    ]);
  });
});

describe('the end of a market', () => {
  /** A time of November 2026 in the zone of the test. Day 20 is a Friday. */
  const local = (day: number, hour = 12, minute = 0) => new Date(2026, 10, day, hour, minute);
  const now = local(20).getTime();

  it.each([
    { end: local(20, 11, 59), text: 'overdue' },
    { end: local(20), text: 'overdue' },
    { end: local(20, 12, 30), text: 'in 30 min' },
    { end: local(20, 13, 10), text: 'today 13:10' },
    { end: local(20, 23, 59), text: 'today 23:59' },
    { end: local(21, 0, 1), text: 'tomorrow 00:01' },
    { end: local(21, 18, 30), text: 'tomorrow 18:30' },
    { end: local(22, 9, 10), text: 'Sun 09:10' },
    { end: local(26, 12, 1), text: 'Thu 12:01' },
    { end: local(27, 9, 10), text: 'in 7 days' },
    { end: local(20 + 59), text: 'in 59 days' },
    { end: local(20 + 60), text: 'Jan 2027' },
  ])('$end is shown as $text', ({ end, text }) => {
    expect(ends(end.toISOString(), now)).toBe(text);
  });

  // With an end at midnight UTC, Polymarket means a date.
  it('that is a date has no time', () => {
    const noon = Date.parse('2026-11-20T12:00:00Z');
    const days = ['2026-11-23T00:00:00Z', '2027-03-15T00:00:00Z', 'soon'];
    expect(days.map((day) => ends(day, noon))).toEqual(['Mon', 'Mar 2027', '–']);
  });

  it.each([
    {
      life: 'half an hour has a time',
      createdAt: '2026-11-20T23:30:00Z',
      text: /^in 10 min$/,
    },
    // Which of the two days depends on the zone of the test.
    {
      life: 'a year has none',
      createdAt: '2026-01-01T00:00:00Z',
      text: /^(today|tomorrow)$/,
    },
  ])('at midnight UTC of a market of $life', ({ createdAt, text }) => {
    const tenMinutesBefore = Date.parse('2026-11-20T23:50:00Z');
    expect(ends('2026-11-21T00:00:00Z', tenMinutesBefore, createdAt)).toMatch(text);
  });
});

it('times have one clock: 24 hours, also at midnight', () => {
  const local = (hour: number) => new Date(2026, 10, 22, hour, 5, 9).getTime();
  expect(clockTime(local(0))).toBe('00:05');
  expect(clockTimeWithSeconds(local(19))).toBe('19:05:09');
});
