import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PricePoint } from '../../../lambda/domain/change.ts';
import {
  fidelityOf,
  type HistoryInterval,
  type HistorySpan,
  historySpans,
  joinHistories,
} from '../../../lambda/domain/history-spans.ts';

const DAY = 86_400;
/** A multiple of six hours. */
const NOON = 1_795_262_400;
const DAYS: Record<HistoryInterval, number> = { '1d': 1, '1w': 7, '1m': 30, '3m': 90 };

type Window = HistorySpan & { kind: 'window' };
const windowsAt = (fidelity: number, now: number) => historySpans('3m', fidelity, now) as Window[];

describe('the fidelity', () => {
  it.each(['1d', '1w', '1m', '3m'] as const)('of %s gives about 300 points by default', (interval) => {
    const points = (DAYS[interval] * 1_440) / fidelityOf(interval, undefined);
    expect(points).toBeGreaterThanOrEqual(280);
    expect(points).toBeLessThanOrEqual(340);
  });

  it.each([
    ['1d', 1, 1],
    ['1w', 1, 5],
    ['1w', 6, 6],
    ['1m', 9, 10],
    ['1m', 60, 60],
    ['3m', 1, 10],
    ['3m', 1_440, 1_440],
    ['1d', Number.MAX_SAFE_INTEGER, 1_440],
    ['3m', Number.MAX_SAFE_INTEGER, 21_600],
  ] as const)('of %s stays within what upstream gives: %i becomes %i', (interval, requested, expected) => {
    expect(fidelityOf(interval, requested)).toBe(expected);
  });
});

describe('the spans', () => {
  it.each(['1d', '1w', '1m'] as const)('of %s are one, with the interval of upstream', (interval) => {
    expect(historySpans(interval, 60, NOON)).toEqual([{ kind: 'interval', interval, fidelity: 60 }]);
  });

  it.each([
    ['an hour: 15 days each', 60, 15 * DAY, 6],
    ['eleven minutes: 1,963 steps each, because no step is split', 11, 1_963 * 660, 6],
    ['277 minutes: six windows are 88.9 days, which is enough', 277, 77 * 277 * 60, 6],
    ['1,000 minutes: 21 steps each, which makes seven windows', 1_000, 21 * 60_000, 7],
    ['more than a day: 15 days each', 3_000, 15 * DAY, 6],
  ])('of 3m are windows in steps of %s', (_, fidelity, length, count) => {
    const windows = windowsAt(fidelity, NOON);
    expect(windows).toHaveLength(count);
    const older = windows.slice(0, -1);
    expect(older.map(({ start, end }) => end - start)).toEqual(older.map(() => length));
    expect(windows.slice(1).map(({ start }) => start)).toEqual(older.map(({ end }) => end));
    expect(windows.at(-1)?.end).toBe(NOON);
    expect(windows.every((window) => window.kind === 'window' && window.fidelity === fidelity)).toBe(true);
  });

  it.each([
    ['at the bound itself', NOON, NOON - 15 * DAY],
    ['a second later', NOON + 1, NOON + 21_600 - 15 * DAY],
    ['six hours later', NOON + 21_600, NOON + 21_600 - 15 * DAY],
    ['a second more', NOON + 21_601, NOON + 43_200 - 15 * DAY],
  ])('of 3m move by six hours, and the newest ends now: %s', (_, now, start) => {
    expect(windowsAt(60, now).at(-1)).toEqual({ kind: 'window', start, end: now, fidelity: 60 });
  });

  it('of 3m move by whole steps if six hours are not a multiple of one', () => {
    const bound = 33 * 660; // the first multiple of eleven minutes beyond six hours
    const newestEnd = (windowsAt(11, NOON).at(-1)?.start ?? 0) + 1_963 * 660;
    expect([newestEnd % bound, newestEnd >= NOON, newestEnd < NOON + bound]).toEqual([0, true, true]);
  });

  it('of 3m reach back 88 to 91 days, without gaps and within the limit of upstream', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 21_600 }), fc.integer({ min: 0, max: DAY }), (fidelity, later) => {
        const now = NOON + later;
        const windows = windowsAt(fidelity, now);
        expect(windows.length).toBeLessThanOrEqual(7);
        expect((windows[0]?.start ?? now) - (now - 90 * DAY)).toBeLessThan(2 * DAY);
        expect(windows.at(-1)?.end).toBe(now);
        for (const [n, { start, end }] of windows.entries()) {
          expect(end - start).toBeLessThanOrEqual(1_296_000);
          if (n > 0) expect(start).toBe(windows[n - 1]?.end);
        }
      }),
    );
  });
});

describe('a series', () => {
  const interval: HistorySpan = { kind: 'interval', interval: '1d', fidelity: 5 };
  const older: HistorySpan = { kind: 'window', start: 100, end: 200, fidelity: 5 };
  const newer: HistorySpan = { kind: 'window', start: 190, end: 300, fidelity: 5 };

  /** Points as `time:price`. */
  const pointsOf = (text: string): PricePoint[] =>
    [...text.matchAll(/(\S+):(\S+)/g)].map(([, t, p]) => ({ t: Number(t), p: Number(p) }));

  it.each([
    ['of nothing is empty', [older, '', newer, ''], ''],
    ['ascends', [interval, '3:0.3 1:0.1'], '1:0.1 3:0.3'],
    ['has the later of two points of one time', [interval, '1:0.1 1:0.2'], '1:0.2'],
    ['has whole seconds since 1970 only', [interval, '1.5:0.1 -1:0.1 9007199254740992:0.1 0:0.2'], '0:0.2'],
    [
      'has a time of two windows once, from the newer one',
      [older, '150:0.1 195:0.2 200:0.3', newer, '195:0.2 200:0.4 250:0.5'],
      '150:0.1 195:0.2 200:0.4 250:0.5',
    ],
    [
      'has the point of now from the newest window only, also beyond its end',
      [older, '150:0.1 301:0.9', newer, '250:0.5 302:0.8 302:0.9'],
      '150:0.1 250:0.5 302:0.9',
    ],
    ['has nothing before its first window', [older, '99:0.1 100:0.2', newer, ''], '100:0.2'],
    ['has the last point of an older window', [older, '200:0.3', newer, ''], '200:0.3'],
  ] as const)('%s', (_, [first, firstPoints, second, secondPoints = ''], expected) => {
    const parts = [{ span: first, points: pointsOf(firstPoints) }];
    if (second) parts.push({ span: second, points: pointsOf(secondPoints) });
    expect(joinHistories(parts)).toEqual(pointsOf(expected));
  });
});
