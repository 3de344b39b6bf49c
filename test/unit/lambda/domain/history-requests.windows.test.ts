import { describe, expect, it } from '@jest/globals';
import {
  type HistoryRequest,
  type HistoryWindow,
  historyRequests,
  INTERVAL_SECONDS,
  joinHistories,
} from '../../../../lambda/domain/history-requests.ts';

const DAY = 86_400;
/** A multiple of six hours. */
const NOON = 1_795_262_400;

const windowsAt = (fidelity: number, now: number) =>
  historyRequests('3m', fidelity, now) as (HistoryRequest & HistoryWindow)[];

describe('the windows of three months', () => {
  it.each([
    ['an hour: fifteen days each', 60, 15 * DAY, 6],
    ['eleven minutes: 1,963 steps each, since no step is cut in two', 11, 1_963 * 660, 6],
    ['1,000 minutes: 21 steps each, which takes a window more', 1_000, 21 * 60_000, 7],
    ['more than a day: fifteen days each, as for a day', 3_000, 15 * DAY, 6],
  ])('in steps of %s', (_name, fidelity, length, count) => {
    const windows = windowsAt(fidelity, NOON);
    expect(windows).toHaveLength(count);
    const older = windows.slice(0, -1);
    expect(older.map(({ start, end }) => end - start)).toEqual(older.map(() => length));
    expect(windows.slice(1).map(({ start }) => start)).toEqual(older.map(({ end }) => end));
    expect(windows.map(({ newest }) => newest)).toEqual([...older.map(() => false), true]);
    expect(windows.at(-1)?.end).toBe(NOON);
    expect(windows.every((window) => window.kind === 'window' && window.fidelity === fidelity)).toBe(true);
  });

  it.each([
    ['at the bound itself', NOON, NOON - 15 * DAY],
    ['a second later', NOON + 1, NOON + 21_600 - 15 * DAY],
    ['six hours later', NOON + 21_600, NOON + 21_600 - 15 * DAY],
    ['a second more', NOON + 21_601, NOON + 43_200 - 15 * DAY],
  ])('move by six hours, and the newest ends now: %s', (_name, now, start) => {
    expect(windowsAt(60, now).at(-1)).toEqual({
      kind: 'window',
      start,
      end: now,
      newest: true,
      fidelity: 60,
    });
  });

  it('move by whole steps where six hours are not a multiple of one', () => {
    // 33 steps of eleven minutes are the first that last six hours.
    const bound = 33 * 660;
    const newestEnd = (windowsAt(11, NOON).at(-1)?.start ?? 0) + 1_963 * 660;
    expect([newestEnd % bound, newestEnd >= NOON, newestEnd < NOON + bound]).toEqual([0, true, true]);
  });
});

describe('an interval', () => {
  it('reaches back a day, a week, 30 days or 90', () => {
    expect(INTERVAL_SECONDS).toEqual({ '1d': DAY, '1w': 7 * DAY, '1m': 30 * DAY, '3m': 90 * DAY });
  });
});

describe('the points of a series', () => {
  const part = (newest: boolean, ...times: number[]) => ({
    request: { kind: 'window', start: 100, end: 200, newest, fidelity: 5 } as const,
    points: times.map((t) => ({ t, p: 0.5 })),
  });
  const times = (one: ReturnType<typeof part>) => joinHistories([one]).map(({ t }) => t);

  it.each([
    ['of an older window lie in it, both ends included', false, [100, 200]],
    ['of the newest one may lie behind its end', true, [100, 200, 201]],
  ])('%s', (_name, newest, expected) => {
    expect(times(part(newest, 99, 100, 200, 201))).toEqual(expected);
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('have whole seconds: not %d', (t) => {
    const request = { kind: 'interval', interval: '1d', fidelity: 5 } as const;
    expect(joinHistories([{ request, points: [{ t, p: 0.5 }] }])).toEqual([]);
    expect(joinHistories([{ request, points: [{ t: 0, p: 0.5 }] }])).toEqual([{ t: 0, p: 0.5 }]);
  });
});
