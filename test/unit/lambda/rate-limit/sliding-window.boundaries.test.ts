import { describe, expect, it } from '@jest/globals';
import {
  allowedIn,
  isCounted,
  resetSeconds,
  slidingWindow,
} from '../../../../lambda/rate-limit/sliding-window.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('a window of 60 s', () => {
  it.each([
    [60_001, false],
    [60_000, false],
    [59_999, true],
    [0, true],
    [-1_000, true],
  ])('counts what came %i ms ago: %s', (ago, counted) => {
    expect(isCounted(NOW - ago, NOW)).toBe(counted);
    expect(slidingWindow(1, NOW, [NOW - ago]).allowed).toBe(!counted);
  });

  it.each([
    ['one below the limit', 2, { allowed: true, remaining: 0, resetAt: NOW + 58_000 }],
    ['two below the limit', 1, { allowed: true, remaining: 1, resetAt: NOW + 59_000 }],
    ['at the limit', 3, { allowed: false, remaining: 0, resetAt: NOW + 57_000 }],
    ['above the limit', 4, { allowed: false, remaining: 0, resetAt: NOW + 56_000 }],
  ])('%s', (_name, others, expected) => {
    // The oldest comes last, as it may in a log of several clocks.
    const moments = Array.from({ length: others }, (_, n) => NOW - (n + 1) * 1_000);
    expect(slidingWindow(3, NOW, moments)).toEqual(expected);
  });

  it('refused by requests of clocks that are ahead lasts until these leave it', () => {
    const ahead = [NOW + 900, NOW + 500];
    expect(slidingWindow(2, NOW, ahead)).toEqual({ allowed: false, remaining: 0, resetAt: NOW + 60_500 });
    expect(slidingWindow(3, NOW, ahead)).toEqual({ allowed: true, remaining: 0, resetAt: NOW + 60_000 });
  });
});

describe('the seconds until the reset', () => {
  it.each([
    [-1_000, 1],
    [0, 1],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [59_000, 59],
    [59_001, 60],
    [60_000, 60],
    [61_000, 60],
  ])('%i ms ahead are %i', (ms, seconds) => {
    expect(resetSeconds({ allowed: false, remaining: 0, resetAt: NOW + ms }, NOW)).toBe(seconds);
  });
});

describe('of the requests in a log', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ['none is allowed where there is none', [], []],
    ['all up to the limit are allowed', [0, 1], [0, 1]],
    ['the one beyond the limit is not', [0, 1, 2], [0, 1]],
    ['one that comes when the first has just left the window is', [0, 1, 59_999, 60_000], [0, 1, 3]],
    ['a refused one holds nobody up', [0, 1, 30_000, 60_000, 60_001, 60_002], [0, 1, 3, 4]],
    ['one whose clock is behind is judged by those before it', [5, 6, 0], [0, 1]],
  ])('%s', (_name, moments, positions) => {
    expect(
      allowedIn(
        2,
        moments.map((moment) => NOW + moment),
      ),
    ).toEqual(positions);
  });
});
