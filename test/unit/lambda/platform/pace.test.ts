import { describe, expect, it } from '@jest/globals';
import { Pace } from '../../../../lambda/platform/pace.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('a pace', () => {
  it('lets the first event through, and the next of its kind when the time is over', async () => {
    const clock = new ManualClock();
    const pace = new Pace(clock, 10_000);
    expect([pace.isDue('a'), pace.isDue('a'), pace.isDue('b')]).toEqual([true, false, true]);
    await clock.advance(9_999);
    expect(pace.isDue('a')).toBe(false);
    await clock.advance(1);
    expect(pace.isDue('a')).toBe(true);
    await clock.advance(9_999);
    expect(pace.isDue('a')).toBe(false);
  });

  it('is not silenced by a clock that was set back', () => {
    let now = 1_000_000;
    const pace = new Pace({ now: () => now }, 10_000);
    expect(pace.isDue('a')).toBe(true);
    now = 0;
    expect(pace.isDue('a')).toBe(true);
  });
});
