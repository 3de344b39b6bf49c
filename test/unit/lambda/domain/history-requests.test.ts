import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PricePoint } from '../../../../lambda/domain/change.ts';
import {
  fidelityOf,
  type HistoryInterval,
  type HistoryRequest,
  type HistoryWindow,
  historyRequests,
  joinHistories,
} from '../../../../lambda/domain/history-requests.ts';

const DAY = 86_400;
const NOW = 1_795_262_400;
const INTERVALS = ['1d', '1w', '1m', '3m'] as const;
const DAYS: Record<HistoryInterval, number> = { '1d': 1, '1w': 7, '1m': 30, '3m': 90 };

describe('the fidelity', () => {
  it.each(INTERVALS)('of %s gives about 300 points when none is asked for', (interval) => {
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
  ] as const)('of %s asked for as %i is %i', (interval, asked, expected) => {
    expect(fidelityOf(interval, asked)).toBe(expected);
  });
});

describe('the requests', () => {
  it.each(['1d', '1w', '1m'] as const)('for %s are one, with the interval of upstream', (interval) => {
    expect(historyRequests(interval, 60, NOW)).toEqual([{ kind: 'interval', interval, fidelity: 60 }]);
  });

  const windowsAt = (fidelity: number, now: number) =>
    historyRequests('3m', fidelity, now) as (HistoryRequest & HistoryWindow)[];

  it.each([10, 60, 432, 1_440, 21_600])('for 3m at %i minutes are six windows of 15 days', (fidelity) => {
    const windows = windowsAt(fidelity, NOW + 1);
    expect(windows).toHaveLength(6);
    expect(windows.map(({ newest }) => newest)).toEqual([false, false, false, false, false, true]);
    expect(windows.at(-1)?.end).toBe(NOW + 1);
    for (const [n, { kind, start, end, ...window }] of windows.entries()) {
      expect([kind, window.fidelity]).toEqual(['window', fidelity]);
      expect(end).toBe(windows[n + 1]?.start ?? NOW + 1);
    }
  });

  it.each([
    // Six windows of 77 steps are 88.9 days: what is missing of 90 is within the two days.
    [277, 6],
    // Six of 15 steps are 84.4 days.
    [1_351, 7],
  ])('for 3m at the odd fidelity of %i minutes are %i windows, always', (fidelity, count) => {
    for (let later = 0; later < DAY; later += 900) {
      expect(windowsAt(fidelity, NOW + later)).toHaveLength(count);
    }
  });

  it('for 3m cover the time up to now but for a day or two, whatever the fidelity and the time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 21_600 }),
        fc.integer({ min: 0, max: DAY }),
        (fidelity, later) => {
          const now = NOW + later;
          const windows = windowsAt(fidelity, now);
          expect(windows.length).toBeLessThanOrEqual(7);
          expect((windows[0]?.start ?? now) - (now - 90 * DAY)).toBeLessThan(2 * DAY);
          expect(windows.at(-1)?.end).toBe(now);
          for (const [n, { start, end }] of windows.entries()) {
            expect(end - start).toBeLessThanOrEqual(1_296_000);
            if (n > 0) expect(start).toBe(windows[n - 1]?.end);
          }
        },
      ),
    );
  });

  it('for 3m have the same bounds for six hours, but for now, so that those which ended can be kept', () => {
    const closed = (now: number) => windowsAt(60, now).filter(({ newest }) => !newest);
    const sixHours = 6 * 3_600;
    expect(closed(NOW + 1)).toEqual(closed(NOW + sixHours));
    expect(closed(NOW + 1)).not.toEqual(closed(NOW + 2 * sixHours + 1));
    expect(closed(NOW + 1).every(({ end }) => end < NOW - 14 * DAY)).toBe(true);
  });
});

const interval: HistoryRequest = { kind: 'interval', interval: '1d', fidelity: 5 };
const older: HistoryRequest = { kind: 'window', start: 100, end: 200, newest: false, fidelity: 5 };
const newer: HistoryRequest = { kind: 'window', start: 190, end: 300, newest: true, fidelity: 5 };

describe('the series', () => {
  it.each<[string, [HistoryRequest, PricePoint[]][], PricePoint[]]>([
    [
      'of nothing is empty',
      [
        [older, []],
        [newer, []],
      ],
      [],
    ],
    [
      'ascends',
      [
        [
          interval,
          [
            { t: 3, p: 0.3 },
            { t: 1, p: 0.1 },
          ],
        ],
      ],
      [
        { t: 1, p: 0.1 },
        { t: 3, p: 0.3 },
      ],
    ],
    [
      'has the later of two points of one time',
      [
        [
          interval,
          [
            { t: 1, p: 0.1 },
            { t: 1, p: 0.2 },
          ],
        ],
      ],
      [{ t: 1, p: 0.2 }],
    ],
    [
      'has no point at a fraction of a second or before 1970',
      [
        [
          interval,
          [
            { t: 1.5, p: 0.1 },
            { t: -1, p: 0.1 },
            { t: 2, p: 0.2 },
          ],
        ],
      ],
      [{ t: 2, p: 0.2 }],
    ],
    [
      'says once what both windows of a seam say',
      [
        [
          older,
          [
            { t: 150, p: 0.1 },
            { t: 195, p: 0.2 },
            { t: 200, p: 0.3 },
          ],
        ],
        [
          newer,
          [
            { t: 195, p: 0.2 },
            { t: 200, p: 0.4 },
            { t: 250, p: 0.5 },
          ],
        ],
      ],
      [
        { t: 150, p: 0.1 },
        { t: 195, p: 0.2 },
        { t: 200, p: 0.4 },
        { t: 250, p: 0.5 },
      ],
    ],
    [
      'has the point stamped "now" from the newest window only, once, also when it lies past its end',
      [
        [
          older,
          [
            { t: 150, p: 0.1 },
            { t: 301, p: 0.9 },
          ],
        ],
        [
          newer,
          [
            { t: 250, p: 0.5 },
            { t: 302, p: 0.8 },
            { t: 302, p: 0.9 },
          ],
        ],
      ],
      [
        { t: 150, p: 0.1 },
        { t: 250, p: 0.5 },
        { t: 302, p: 0.9 },
      ],
    ],
    [
      'does not reach back further than asked',
      [
        [
          older,
          [
            { t: 99, p: 0.1 },
            { t: 100, p: 0.2 },
          ],
        ],
        [newer, []],
      ],
      [{ t: 100, p: 0.2 }],
    ],
  ])('%s', (_, parts, expected) => {
    expect(joinHistories(parts.map(([request, points]) => ({ request, points })))).toEqual(expected);
  });

  it('out of windows has every point of an uneven source, no other, and "now" at its end alone', () => {
    const source = fc.record({
      fidelity: fc.integer({ min: 10, max: 3_000 }),
      born: fc.integer({ min: NOW - 100 * DAY, max: NOW }),
      jitter: fc.infiniteStream(fc.double({ min: -0.4, max: 0.4, noNaN: true })),
      repeatEvery: fc.integer({ min: 2, max: 9 }),
      ahead: fc.integer({ min: -3, max: 3 }),
    });
    fc.assert(
      fc.property(source, ({ fidelity, born, jitter, repeatEvery, ahead }) => {
        const step = fidelity * 60;
        const times: number[] = [];
        for (let t = Math.max(born, NOW - 100 * DAY); t < NOW - step; t += step) {
          times.push(Math.round(t + (jitter.next().value ?? 0) * step));
        }
        const upstreamNow = NOW + ahead;
        const parts = historyRequests('3m', fidelity, NOW).map((request) => {
          const { start, end } = request as HistoryRequest & HistoryWindow;
          const points = times
            .filter((t) => t >= start && t <= end)
            .flatMap((t, n) => Array(n % repeatEvery === 0 ? 2 : 1).fill({ t, p: 0.4 }));
          const now = { t: upstreamNow, p: 0.5 };
          return { request, points: [...points, now, now] };
        });
        const found = joinHistories(parts).map(({ t }) => t);
        const begin = (parts[0]?.request as HistoryWindow | undefined)?.start ?? 0;
        const expected = [...new Set(times)].filter((t) => t >= begin).sort((a, b) => a - b);
        expect(found).toEqual([...expected, upstreamNow]);
      }),
      { numRuns: 50 },
    );
  });

  it('has no hole where upstream places a point by its step and cuts by its time', () => {
    // Each window keeps the steps that begin in it; the price lies somewhere in the step, at times past the seam.
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 1_440 }), fc.integer({ min: 0, max: 99 }), (fidelity, late) => {
        const step = fidelity * 60;
        const parts = historyRequests('3m', fidelity, NOW).map((request) => {
          const { start, end } = request as HistoryRequest & HistoryWindow;
          const points: PricePoint[] = [];
          for (let k = Math.ceil(start / step); (k + 1) * step <= end; k++) {
            points.push({ t: k * step + Math.floor((late / 100) * step), p: 0.5 });
          }
          return { request, points };
        });
        const times = joinHistories(parts).map(({ t }) => t);
        const gaps = times.slice(1).map((t, n) => t - (times[n] ?? 0));
        expect(Math.max(...gaps)).toBeLessThanOrEqual(step);
      }),
      { numRuns: 30 },
    );
  });
});
