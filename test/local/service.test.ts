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
  ])(
    'every %i s begins a full run, and every %i s in between a price run',
    async (seconds, step, kinds) => {
      const runs: string[] = [];
      const stop = startSchedule(seconds, async (kind) => {
        runs.push(kind);
        if (runs.length > 1) throw new Error('A run that fails does not end the schedule');
      });
      expect(runs).toEqual(['full']);
      await jest.advanceTimersByTimeAsync(4 * step * 1_000);
      stop();
      expect(runs).toEqual(kinds);
    },
  );

  it('repeats a first run that fails 5 s after its end, until it is stopped', async () => {
    const runs: number[] = [];
    const stop = startSchedule(120, async () => {
      runs.push(Date.now());
      throw new Error('The tables cannot be read');
    });
    await jest.advanceTimersByTimeAsync(12_000);
    stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(runs.map((time) => time - (runs[0] ?? 0))).toEqual([0, 5_000, 10_000]);
  });
});
