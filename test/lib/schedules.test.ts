import { describe, expect, it } from '@jest/globals';
import { minutesOfHour, runMinutes } from '../../lib/schedules.ts';

describe('the minutes of a schedule', () => {
  it.each([
    [600, [0, 10, 20, 30, 40, 50]],
    [1_800, [0, 30]],
    [3_600, [0]],
  ])('that runs every %i s are %j', (interval, minutes) => {
    expect(minutesOfHour(interval)).toEqual(minutes);
  });

  it.each([0, 30, 90, 420, 7_200])('do not exist for an interval of %i s', (interval) => {
    const sentence = `A schedule needs an interval of whole minutes that divides 60, not ${interval} s.`;
    expect(() => minutesOfHour(interval)).toThrow(sentence);
  });
});

describe('a full run', () => {
  it.each([
    [60, 0, []],
    [180, 40, [1, 2, 4]],
    [600, 54, [1, 2, 3]],
  ])('every %i s leaves %i minutes of each hour to price runs', (interval, count, first) => {
    const { full, prices } = runMinutes(interval, 60);
    expect(prices).toHaveLength(count);
    expect(prices.slice(0, 3)).toEqual(first);
    expect([...full, ...prices].every((minute) => minute < 60)).toBe(true);
  });
});
