import { describe, expect, it } from '@jest/globals';
import { paired, quantile, summary, timesFaster } from '../../../../../tools/bench/harness/paired.ts';

describe('paired', () => {
  it('runs both as often, in turns, after some rounds to warm up', async () => {
    const runs: string[] = [];
    await paired({ ours: () => runs.push('ours'), theirs: () => runs.push('theirs'), rounds: 4, batch: 2 });
    expect(runs.filter((run) => run === 'ours')).toHaveLength(10);
    expect(runs.filter((run) => run === 'theirs')).toHaveLength(10);
    const first = runs.filter((_, n) => n % 4 === 0);
    expect(new Set(first)).toEqual(new Set(['ours', 'theirs']));
  });

  it('has medians and the median ratio of the blocks', () => {
    const figures = summary([2, 2, 2, 2, 2, 2, 2, 100], [1, 1, 1, 1, 1, 1, 1, 1]);
    expect(figures).toEqual({ ours: 2, theirs: 1, ratio: 2, spread: 0 });
    expect(timesFaster(figures).ratio).toBe(0.5);
  });

  it('has a spread where blocks disagree', () => {
    expect(summary([1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 1, 1, 1, 1, 1, 1]).spread).toBeCloseTo(3.5 / 4.5);
  });

  it('quantiles lie between the values', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([5], 0.25)).toBe(5);
  });
});
