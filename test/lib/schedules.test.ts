import { describe, expect, it } from '@jest/globals';
import { minutesOfHour, runMinutes } from '../../lib/schedules.ts';

describe('the minutes of a schedule', () => {
  it.each([60, 180, 600, 3_600])('of full runs every %i s and of price runs fill the hour once', (interval) => {
    const { full, prices } = runMinutes(interval, 60);
    expect(full).toEqual(Array.from({ length: 3_600 / interval }, (_, n) => (n * interval) / 60));
    expect([...full, ...prices].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, minute) => minute));
  });

  it.each([0, 30, 90, 420, 7_200])('do not exist for an interval of %i s', (interval) => {
    const sentence = `A schedule needs an interval of whole minutes that divides 60, not ${interval} s.`;
    expect(() => minutesOfHour(interval)).toThrow(sentence);
  });
});
