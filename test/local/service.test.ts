import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startSchedule } from '../../local/service.ts';

describe('startSchedule', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    [120, 60, ['full', 'prices', 'full', 'prices', 'full']],
    [10, 5, ['full', 'prices', 'full', 'prices', 'full']],
    [180, 60, ['full', 'prices', 'prices', 'full', 'prices']],
  ])('every %i s begins a full run, and every %i s in between a price run', (seconds, step, kinds) => {
    const runs: string[] = [];
    const timer = startSchedule(seconds, async (kind) => {
      runs.push(kind);
      throw new Error('A run that fails does not end the schedule');
    });
    expect(runs).toEqual(['full']);
    jest.advanceTimersByTime(4 * step * 1_000);
    clearInterval(timer);

    expect(runs).toEqual(kinds);
  });
});
