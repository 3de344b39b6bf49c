import { describe, expect, it } from '@jest/globals';
import { regressions } from '../../../../../tools/bench/harness/compare.ts';
import type { Figure } from '../../../../../tools/bench/harness/figure.ts';

const figure = (changes: Partial<Figure>): Figure => ({
  part: 'list',
  what: 'a page',
  unit: 'ms',
  ours: 2,
  theirs: 1,
  ratio: 2,
  spread: 0.1,
  goal: { most: 3 },
  ...changes,
});

describe('regressions', () => {
  it('names a ratio that is more than 1.5 times worse, and no other', () => {
    const steady = { spread: 0 };
    expect(regressions([figure({ ...steady, ratio: 3.1 })], [figure(steady)])).toEqual([
      'list, a page: 3.10 × instead of 2.00 ×, 1.6 times worse',
    ]);
    expect(regressions([figure({ ...steady, ratio: 3 })], [figure(steady)])).toEqual([]);
  });

  it('allows for as much more as the two ratios scatter', () => {
    expect(regressions([figure({ ratio: 3.5 })], [figure({})])).toEqual([]);
    expect(regressions([figure({ ratio: 3.7 })], [figure({})])).toHaveLength(1);
  });

  it('takes more for better where the goal says "at least"', () => {
    const faster = { goal: { least: 10 } };
    expect(regressions([figure({ ...faster, ratio: 20 })], [figure({ ...faster, ratio: 50 })])).toHaveLength(
      1,
    );
    expect(regressions([figure({ ...faster, ratio: 90 })], [figure({ ...faster, ratio: 50 })])).toEqual([]);
  });

  it('compares nothing that is too noisy, new, or without a ratio', () => {
    expect(regressions([figure({ ratio: 9, spread: 0.6 })], [figure({})])).toEqual([]);
    expect(regressions([figure({ ratio: 9 })], [figure({ spread: 0.6 })])).toEqual([]);
    expect(regressions([figure({ ratio: 9, what: 'other' })], [figure({})])).toEqual([]);
    const { ratio: _, ...plain } = figure({});
    expect(regressions([plain], [figure({})])).toEqual([]);
  });
});
