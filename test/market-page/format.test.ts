import { describe, expect, it } from '@jest/globals';
import {
  age,
  centDigits,
  cents,
  changeText,
  clockTime,
  direction,
  dollars,
  ends,
  otherPercent,
  percent,
  signedPoints,
  usd,
} from '../../packages/market-page/src/format.ts';

describe('a number', () => {
  it('that is a probability always has one decimal', () => {
    // Halves round up, although a binary number can lie below its half.
    expect([0.15, 0.25, 23.95, 52.85].map(percent)).toEqual(['0.2%', '0.3%', '24.0%', '52.9%']);
    expect([0, 0.05, 0.1, 0.75, 50, 59.46, 99.9, 99.95, 100, undefined].map(percent)).toEqual(
      '0.0% <0.1% 0.1% 0.8% 50.0% 59.5% 99.9% >99.9% 100.0% –'.split(' '),
    );
  });

  it('that is a probability is the same from a price, and adds up to 100 % with the other outcome', () => {
    expect(
      [1.15, 28.55, 8.35].map((value) => [percent(value), percent((value / 100) * 100)]),
    ).toEqual([
      ['1.2%', '1.2%'],
      ['28.6%', '28.6%'],
      ['8.4%', '8.4%'],
    ]);
    expect([2.35, 4.05, 50, 99.85, 0.05, 99.95, 0, 100].map(otherPercent)).toEqual(
      '97.6% 95.9% 50.0% 0.1% >99.9% <0.1% 100.0% 0.0%'.split(' '),
    );
  });

  it('that is a change has one sign, and a direction from one point on', () => {
    expect([3.74, -15.2, 0.04, -0.04, 0, null, undefined].map(signedPoints)).toEqual([
      '+3.7 pt',
      '−15.2 pt',
      '0.0 pt',
      '0.0 pt',
      '0.0 pt',
      '–',
      '–',
    ]);
    expect([0.15, -23.95].map(signedPoints)).toEqual(['+0.2 pt', '−24.0 pt']);
    expect([3, -3, 1, 0.99, -0.99, null].map(direction)).toEqual([
      'up',
      'down',
      'up',
      'flat',
      'flat',
      'flat',
    ]);
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
    expect([0, 875.4, 999.6, 9_020, 11_629_774, undefined].map(usd)).toEqual(
      '$0 $875 $1.0K $9.0K $11.6M –'.split(' '),
    );
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

  it('that is a date has no time, but that of a short market has one', () => {
    const noon = Date.parse('2026-11-20T12:00:00Z');
    const days = ['2026-11-23T00:00:00Z', '2027-03-15T00:00:00Z', 'soon'];
    expect(days.map((day) => ends(day, noon))).toEqual(['Mon', 'Mar 2027', '–']);
    const midnight = '2026-11-21T00:00:00Z';
    const before = Date.parse('2026-11-20T23:50:00Z');
    expect(ends(midnight, before, '2026-11-20T23:30:00Z')).toBe('in 10 min');
    expect(ends(midnight, before, '2026-01-01T00:00:00Z')).toMatch(/^(today|tomorrow)$/);
  });
});

it('times have one clock: 24 hours, also at midnight', () => {
  const local = (hour: number) => new Date(2026, 10, 22, hour, 5, 9).getTime();
  expect(clockTime(local(0))).toBe('00:05');
  expect(clockTime(local(19), true)).toBe('19:05:09');
});
