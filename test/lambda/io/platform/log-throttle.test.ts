import { expect, it } from '@jest/globals';
import { LogThrottle } from '../../../../lambda/io/platform/log-throttle.ts';

it('allows each kind once per interval, also when the clock is set back', () => {
  let now = 1_000_000;
  const throttle = new LogThrottle({ now: () => now }, 10_000);
  const allowedAt = (time: number, kind: string): boolean => {
    now = time;
    return throttle.allow(kind);
  };
  expect(allowedAt(1_000_000, 'a')).toBe(true);
  expect(allowedAt(1_000_000, 'a')).toBe(false);
  expect(allowedAt(1_000_000, 'b')).toBe(true);
  expect(allowedAt(1_009_999, 'a')).toBe(false);
  // The refused events do not prolong the interval.
  expect(allowedAt(1_010_000, 'a')).toBe(true);
  expect(allowedAt(500_000, 'a')).toBe(true);
  expect(allowedAt(500_001, 'a')).toBe(false);
});
