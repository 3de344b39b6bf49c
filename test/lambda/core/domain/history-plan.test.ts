// `historyPlan` plans which calls to upstream read a price history. A call reads one of upstream's
// intervals (such as "1d"), or a window of at most 15 days. A plan has a span for each call, and
// the `start` and `end` of the history. Its fidelity is its step: the minutes between two points.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type HistoryQuery,
  type HistorySpan,
  historyPlan,
} from '../../../../lambda/core/domain/history-plan.ts';

/** In seconds. All times are Unix seconds. */
const MINUTE = 60;
const DAY = 86_400;
/** Midnight, when steps of all lengths up to a day begin. */
const NOW = Date.parse('2026-11-22T00:00:00Z') / 1_000;

/** The end of a history until now: upstream's clock can be a minute ahead. */
const LATEST_END = NOW + MINUTE;

const daysAgo = (days: number) => NOW - days * DAY;

describe('the plan of an interval', () => {
  // All in minutes: a caller requests `fidelity` and gets `steps`; the service requests `called`
  // from upstream. The default is the finest fidelity that each route of upstream accepts for the
  // interval.
  it.each([
    { interval: '1h', fidelity: undefined, steps: 1, called: 1 },
    { interval: '6h', fidelity: undefined, steps: 1, called: 1 },
    { interval: '1d', fidelity: undefined, steps: 1, called: 1 },
    { interval: '1w', fidelity: undefined, steps: 5, called: 5 },
    { interval: '1w', fidelity: 1, steps: 5, called: 5 },
    { interval: '1m', fidelity: undefined, steps: 10, called: 10 },
    { interval: '1m', fidelity: 1, steps: 10, called: 10 },
    // Upstream has no steps of more than a day or more than the interval. The service makes them.
    { interval: '1w', fidelity: 2_000, steps: 2_000, called: 1_440 },
    { interval: '1h', fidelity: 90, steps: 90, called: 60 },
    // Of the whole life, upstream stores 3-hour buckets.
    { interval: 'max', fidelity: undefined, steps: 720, called: 180 },
    { interval: 'max', fidelity: 1, steps: 180, called: 180 },
    { interval: 'max', fidelity: 2_000, steps: 2_000, called: 180 },
  ] as const)(
    '$interval at $fidelity has steps of $steps minutes from one call at $called [sentence 32]',
    ({ interval, fidelity, steps, called }) => {
      expect(historyPlan({ interval, fidelity }, NOW)).toEqual({
        fidelity: steps,
        // Upstream chooses it.
        start: 0,
        end: LATEST_END,
        spans: [{ kind: 'interval', interval, fidelity: called }],
      });
    },
  );

  it('is one day by default [sentence 32]', () => {
    expect(historyPlan({}, NOW)).toEqual(historyPlan({ interval: '1d' }, NOW));
  });

  it.each([
    { fidelity: undefined, steps: 180, kind: 'interval' },
    // The finest that upstream stores for 90 days.
    { fidelity: 1, steps: 30, kind: 'window' },
    // From 180 minutes on, all points come from the 3-hour buckets of the whole life.
    { fidelity: 179, steps: 179, kind: 'window' },
    // 300 points in 90 days, although 432 is no multiple of 180.
    { fidelity: 432, steps: 432, kind: 'interval' },
  ])(
    '3m with the fidelity $fidelity has steps of $steps minutes from each $kind [sentence 32]',
    ({ fidelity, steps, kind }) => {
      const plan = historyPlan({ interval: '3m', fidelity }, NOW);
      expect(plan).toMatchObject({ fidelity: steps, end: LATEST_END });
      expect(new Set(plan.spans.map((span) => span.kind))).toEqual(new Set([kind]));
    },
  );

  it('3m begins a minute late, so that no point becomes too old during the call', () => {
    expect(historyPlan({ interval: '3m' }, NOW).start).toBe(daysAgo(90) + MINUTE);
  });
});

describe('the plan of a window', () => {
  // Upstream stores points of 1 minute for 7 days, 5 minutes for 60 days, 30 minutes for 90 days,
  // and 3 hours for the whole life. `from` and `to` are days ago. Without a fidelity, the caller
  // gets the finest steps with at most 2,500 points, because a window can take several calls.
  it.each([
    { window: 'of 1,440 points', from: 1, to: 0, fidelity: undefined, steps: 1 },
    { window: 'of a week, not 10,080 points', from: 6.9, to: 0, fidelity: undefined, steps: 5 },
    { window: 'that begins within 7 days', from: 6.99, to: 6, fidelity: 1, steps: 1 },
    { window: 'that begins 7 days ago', from: 7, to: 6, fidelity: 1, steps: 5 },
    { window: 'that begins within 60 days', from: 59.9, to: 59, fidelity: 1, steps: 5 },
    { window: 'that begins 60 days ago', from: 60, to: 59, fidelity: 1, steps: 30 },
    { window: 'that begins within 90 days', from: 89.9, to: 89, fidelity: 1, steps: 30 },
    { window: 'that begins 90 days ago', from: 90, to: 89, fidelity: 1, steps: 180 },
    { window: 'of 80 days, not 3,840 points', from: 80, to: 0, fidelity: undefined, steps: 180 },
    { window: 'of 2 years, not 5,840 points', from: 730, to: 0, fidelity: undefined, steps: 720 },
    { window: 'of four years', from: 1_461, to: 0, fidelity: undefined, steps: 1_440 },
    { window: 'with a coarser fidelity', from: 3, to: 0, fidelity: 45, steps: 45 },
  ])(
    '$window ($from to $to days ago, fidelity $fidelity) has steps of $steps minutes',
    ({ from, to, fidelity, steps }) => {
      const plan = historyPlan({ startTs: daysAgo(from), endTs: daysAgo(to), fidelity }, NOW);
      expect(plan).toMatchObject({ fidelity: steps, start: daysAgo(from), end: daysAgo(to) });
      // Wider steps come from the 3-hour points of the whole life.
      const called = steps < 180 ? { fidelity: steps } : { interval: 'max', fidelity: 180 };
      expect(plan.spans[0]).toMatchObject(called);
    },
  );

  it('has at most 2,500 points by default', () => {
    const fidelityOf = (seconds: number) => historyPlan({ startTs: NOW - seconds }, NOW).fidelity;
    expect(fidelityOf(2_500 * MINUTE)).toBe(1);
    expect(fidelityOf(2_500 * MINUTE + 1)).toBe(5);
  });

  /** The plan of a day until this time. */
  const windowTo = (endTs?: number) => historyPlan({ startTs: daysAgo(1), endTs }, NOW);

  it('calls upstream until now', () => {
    expect(windowTo().spans).toMatchObject([{ end: NOW }]);
    expect(windowTo(NOW + 5).spans).toMatchObject([{ end: NOW }]);
  });

  it('accepts points of a clock that is a minute ahead', () => {
    expect(windowTo().end).toBe(LATEST_END);
    expect(windowTo(NOW + 5).end).toBe(NOW + 5);
    expect(windowTo(NOW + DAY).end).toBe(LATEST_END);
  });

  /** Expects that calls for windows of at most 15 days follow each other from start to end. */
  function expectCoverage(calls: readonly HistorySpan[], start: number, end: number): void {
    let next = start;
    for (const call of calls) {
      if (call.kind !== 'window') throw new Error('Not a window');
      expect(call.start).toBe(next);
      // Both ends are included.
      expect(call.end + 1 - call.start).toBeLessThanOrEqual(15 * DAY);
      // A later window begins with a step, so that no step is split.
      if (call.start !== start) expect(call.start % (call.fidelity * MINUTE)).toBe(0);
      next = call.end + 1;
    }
    expect(next - 1).toBe(end);
  }

  it('takes at most seven calls of at most 15 days without a gap for 90 days', () => {
    const seconds = fc.oneof(
      // Less than 90 days, even by a clock that is a minute ahead.
      fc.integer({ min: 1, max: 90 * DAY - 61 }),
      // Callers often request a multiple of 15 days.
      fc.integer({ min: 1, max: 5 }).map((n) => n * 15 * DAY),
    );
    const requests = fc.record({
      age: seconds,
      length: seconds,
      fidelity: fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(requests, ({ age, length, fidelity }) => {
        const startTs = NOW - age;
        const endTs = startTs + Math.min(age, length);
        const plan = historyPlan({ startTs, endTs, fidelity }, NOW);
        // A plan with wide steps is one call for the whole life, with windows as its fallback.
        const windows = plan.fallback ?? plan.spans;
        expect(windows.length).toBeLessThanOrEqual(7);
        expectCoverage(windows, startTs, endTs);
        // Upstream has no steps of more than a day.
        const called = Math.min(plan.fidelity, 1_440);
        expect(windows.every((window) => window.fidelity === called)).toBe(true);
      }),
    );
  });

  it.each<[request: HistoryQuery, sentence: RegExp]>([
    [{ interval: '1d', startTs: 5 }, /interval cannot be combined with startTs/],
    [{ endTs: 5 }, /endTs needs startTs/],
    [{ startTs: 5, endTs: 5 }, /endTs must be greater than startTs/],
    [{ startTs: NOW + 1 }, /startTs must not be in the future: in Unix seconds/],
  ])('is rejected for %j', (request, sentence) => {
    expect(() => historyPlan(request, NOW)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        message: expect.stringMatching(sentence),
      }),
    );
  });
});
