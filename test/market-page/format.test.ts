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

describe('a number', () => {
  it.each([
    [0, '0.0%'],
    [0.05, '<0.1%'],
    [0.1, '0.1%'],
    [50, '50.0%'],
    [59.46, '59.5%'],
    [99.9, '99.9%'],
    [99.95, '>99.9%'],
    [100, '100.0%'],
    [undefined, '–'],
  ])('that is a probability has one decimal: %p is %s', (probability, text) => {
    expect(percent(probability)).toBe(text);
  });

  // A binary number can lie a little below its half, itself or after a division by 100.
  it.each([
    [0.15, '0.2%'],
    [23.95, '24.0%'],
    [52.85, '52.9%'],
    [1.15, '1.2%'],
    [28.55, '28.6%'],
    [8.35, '8.4%'],
  ])('that is a probability rounds its half up: %d is %s', (probability, text) => {
    expect(percent(probability)).toBe(text);
    const price = probability / 100;
    expect(percent(price * 100)).toBe(text);
  });

  it.each([
    [2.35, '97.6%'],
    [4.05, '95.9%'],
    [50, '50.0%'],
    [99.85, '0.1%'],
    [0.05, '>99.9%'],
    [99.95, '<0.1%'],
    [0, '100.0%'],
    [100, '0.0%'],
  ])(
    'that is a probability of %d adds up to 100 %% with the other one, %s',
    (probability, other) => {
      expect(otherPercent(probability)).toBe(other);
    },
  );

  it.each([
    [3.74, '+3.7 pt'],
    [-15.2, '−15.2 pt'],
    [0.15, '+0.2 pt'],
    [-23.95, '−24.0 pt'],
    [0.04, '0.0 pt'],
    [-0.04, '0.0 pt'],
    [null, '–'],
    [undefined, '–'],
  ])('that is a change has one sign unless it is zero: %p is %s', (change, text) => {
    expect(signedPoints(change)).toBe(text);
  });

  it.each([
    [-1, 'down'],
    [-0.99, 'flat'],
    [0.99, 'flat'],
    [1, 'up'],
    [null, 'flat'],
  ])('that is a change has a direction from one point on: %p is %s', (change, expected) => {
    expect(direction(change)).toBe(expected);
  });

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
  // A Friday in the zone of the test. Odd minutes: in no zone are they midnight UTC.
  const local = (day: number, hour = 12, minute = 0) => new Date(2026, 10, day, hour, minute);
  const now = local(20).getTime();

  it.each([
    [local(20, 11, 59), 'overdue'],
    [local(20), 'overdue'],
    [local(20, 12, 30), 'in 30 min'],
    [local(20, 13, 10), 'today 13:10'],
    [local(20, 23, 59), 'today 23:59'],
    [local(21, 0, 1), 'tomorrow 00:01'],
    [local(21, 18, 30), 'tomorrow 18:30'],
    [local(22, 9, 10), 'Sun 09:10'],
    [local(26, 12, 1), 'Thu 12:01'],
    [local(27, 9, 10), 'in 7 days'],
    [local(20 + 59), 'in 59 days'],
    [local(20 + 60), 'Jan 2027'],
  ])('%s is shown as %s', (end, text) => {
    expect(ends(end.toISOString(), now)).toBe(text);
  });

  // Upstream means an end at midnight UTC as a date.
  it('that is a date has no time', () => {
    const noon = Date.parse('2026-11-20T12:00:00Z');
    const days = ['2026-11-23T00:00:00Z', '2027-03-15T00:00:00Z', 'soon'];
    expect(days.map((day) => ends(day, noon))).toEqual(['Mon', 'Mar 2027', '–']);
  });

  it.each([
    ['half an hour has a time', '2026-11-20T23:30:00Z', /^in 10 min$/],
    // Which of the two depends on the zone of the test.
    ['a year has none', '2026-01-01T00:00:00Z', /^(today|tomorrow)$/],
  ])('at midnight UTC of a market of %s', (_, createdAt, text) => {
    const tenMinutesBefore = Date.parse('2026-11-20T23:50:00Z');
    expect(ends('2026-11-21T00:00:00Z', tenMinutesBefore, createdAt)).toMatch(text);
  });
});

it('times have one clock: 24 hours, also at midnight', () => {
  const local = (hour: number) => new Date(2026, 10, 22, hour, 5, 9).getTime();
  expect(clockTime(local(0))).toBe('00:05');
  expect(clockTimeWithSeconds(local(19))).toBe('19:05:09');
});
