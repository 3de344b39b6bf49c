/**
 * `startSchedule` starts the runs of the refresher in the local server. A full run reads the list
 * and the prices of markets, and price runs in between read only the prices.
 */
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
    { fullSeconds: 120, stepSeconds: 60, kinds: ['full', 'prices', 'full', 'prices', 'full'] },
    { fullSeconds: 10, stepSeconds: 5, kinds: ['full', 'prices', 'full', 'prices', 'full'] },
    { fullSeconds: 180, stepSeconds: 60, kinds: ['full', 'prices', 'prices', 'full', 'prices'] },
  ])(
    'begins a full run every $fullSeconds s, and a price run every $stepSeconds s in between',
    async ({ fullSeconds, stepSeconds, kinds }) => {
      const runs: string[] = [];
      const stop = startSchedule(fullSeconds, async (kind) => {
        runs.push(kind);
        if (runs.length > 1) throw new Error('A run that fails does not end the schedule');
      });
      expect(runs).toEqual(['full']);
      await jest.advanceTimersByTimeAsync(4 * stepSeconds * 1_000);
      stop();
      expect(runs).toEqual(kinds);
    },
  );

  it('repeats a first run that fails 5 s after its end, until it is stopped', async () => {
    const start = Date.now();
    const times: number[] = [];
    const stop = startSchedule(120, async () => {
      times.push(Date.now() - start);
      throw new Error('The tables cannot be read');
    });
    await jest.advanceTimersByTimeAsync(12_000);
    stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(times).toEqual([0, 5_000, 10_000]);
  });
});
