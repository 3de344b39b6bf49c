// `historyPlan` plans which calls to upstream read a price history. A call reads one of upstream's
// intervals (such as "1d"), or a window of at most 15 days. `mergeHistory` joins the points of the
// calls to one series, with at most one point in each step.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type HistoryPlan,
  type HistoryQuery,
  type HistorySpan,
  historyPlan,
} from '../../../../lambda/core/domain/history-plan.ts';
import { mergeHistory } from '../../../../lambda/core/domain/merge-history.ts';
import type { PricePoint } from '../../../../lambda/core/domain/price-history.ts';

/** In seconds. All times are Unix seconds. A fidelity is the minutes between two points. */
const MINUTE = 60;
const DAY = 86_400;
/** Midnight, when steps of all lengths up to a day begin. */
const NOW = Date.parse('2026-11-22T00:00:00Z') / 1_000;

const daysAgo = (days: number) => NOW - days * DAY;

describe('the plan of an interval', () => {
  // All in minutes: a caller requests `fidelity` and gets `steps`; the service requests `ofCall`
  // from upstream. The default is the finest fidelity that each route of upstream accepts for the
  // interval.
  it.each([
    { interval: '1h', fidelity: undefined, steps: 1, ofCall: 1 },
    { interval: '6h', fidelity: undefined, steps: 1, ofCall: 1 },
    { interval: '1d', fidelity: undefined, steps: 1, ofCall: 1 },
    { interval: '1w', fidelity: undefined, steps: 5, ofCall: 5 },
    { interval: '1w', fidelity: 1, steps: 5, ofCall: 5 },
    { interval: '1m', fidelity: undefined, steps: 10, ofCall: 10 },
    { interval: '1m', fidelity: 1, steps: 10, ofCall: 10 },
    // Upstream has no steps of more than a day or more than the interval. The service makes them.
    { interval: '1w', fidelity: 2_000, steps: 2_000, ofCall: 1_440 },
    { interval: '1h', fidelity: 90, steps: 90, ofCall: 60 },
    // Of the whole life, upstream stores 3-hour buckets.
    { interval: 'max', fidelity: undefined, steps: 720, ofCall: 180 },
    { interval: 'max', fidelity: 1, steps: 180, ofCall: 180 },
    { interval: 'max', fidelity: 2_000, steps: 2_000, ofCall: 180 },
  ] as const)(
    '$interval at $fidelity has steps of $steps minutes from one call at $ofCall [sentence 32]',
    ({ interval, fidelity, steps, ofCall }) => {
      expect(historyPlan({ interval, fidelity }, NOW)).toEqual({
        fidelity: steps,
        start: 0,
        end: NOW + MINUTE,
        spans: [{ kind: 'interval', interval, fidelity: ofCall }],
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
      expect(plan).toMatchObject({ fidelity: steps, end: NOW + MINUTE });
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
      expect(plan.spans[0]).toMatchObject(
        steps < 180 ? { fidelity: steps } : { interval: 'max', fidelity: 180 },
      );
    },
  );

  it('has at most 2,500 points by default', () => {
    const fidelityOf = (seconds: number) => historyPlan({ startTs: NOW - seconds }, NOW).fidelity;
    expect(fidelityOf(2_500 * MINUTE)).toBe(1);
    expect(fidelityOf(2_500 * MINUTE + 1)).toBe(5);
  });

  const windowTo = (endTs?: number) => historyPlan({ startTs: daysAgo(1), endTs }, NOW);

  it('calls upstream until now', () => {
    expect(windowTo().spans).toMatchObject([{ end: NOW }]);
    expect(windowTo(NOW + 5).spans).toMatchObject([{ end: NOW }]);
  });

  it('accepts points of a clock that is a minute ahead', () => {
    expect(windowTo().end).toBe(NOW + 60);
    expect(windowTo(NOW + 5).end).toBe(NOW + 5);
    expect(windowTo(NOW + DAY).end).toBe(NOW + 60);
  });

  it('takes at most seven calls of at most 15 days without a gap for 90 days', () => {
    const seconds = fc.oneof(
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
        const calls = plan.fallback ?? plan.spans;
        expect(calls.length).toBeLessThanOrEqual(7);
        expectCoverage(calls, startTs, endTs, Math.min(plan.fidelity, 1_440));
      }),
    );
  });

  /** Expects that calls for windows of at most 15 days follow each other from start to end. */
  function expectCoverage(
    calls: readonly HistorySpan[],
    start: number,
    end: number,
    fidelity: number,
  ): void {
    let next = start;
    for (const call of calls) {
      if (call.kind !== 'window') throw new Error('Not a window');
      expect(call.start).toBe(next);
      expect(call.fidelity).toBe(fidelity);
      // Both ends are included.
      expect(call.end + 1 - call.start).toBeLessThanOrEqual(15 * DAY);
      // A later window begins with a step, so that no step is split.
      if (call.start !== start) expect(call.start % (fidelity * MINUTE)).toBe(0);
      next = call.end + 1;
    }
    expect(next - 1).toBe(end);
  }

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

// The points of a row are texts such as `60:0.1`, a time and a price. `150:1!` is a payout: the
// value of the token after the market was resolved.
describe('a series', () => {
  /** A plan of steps of this many minutes. The series lies between start and end, in seconds. */
  const plan = (fidelity: number, start = 0, end = 100_000): HistoryPlan => ({
    fidelity,
    start,
    end,
    spans: [],
  });

  function pointsOf(text: string): PricePoint[] {
    const found = text.matchAll(/(\S+):([\d.]+)(!?)/g);
    return Array.from(found, ([, t, p, payout]) => {
      const point = { t: Number(t), p: Number(p) };
      return payout ? { ...point, payout: true } : point;
    });
  }

  it.each<[fact: string, plan: HistoryPlan, read: string, series: string]>([
    ["ascends, with upstream's times", plan(1), '183:0.3 65:0.1 123:0.2', '65:0.1 123:0.2 183:0.3'],
    // Steps of 5 minutes begin at 300 and at 600.
    [
      'has the latest point of a step',
      plan(5),
      '300:0.1 420:0.2 599:0.3 600:0.4',
      '599:0.3 600:0.4',
    ],
    ['has the later one of two points of one time', plan(1), '65:0.1 65:0.2', '65:0.2'],
    ['has both ends', plan(1, 120, 240), '119:0.1 120:0.2 240:0.3 241:0.4', '120:0.2 240:0.3'],
    ['has the latest point before its end', plan(5, 0, 400), '310:0.1 390:0.2 410:0.3', '390:0.2'],
    [
      "has the payout at upstream's time",
      plan(1),
      '60:0.1 125:0.2 150:1!',
      '60:0.1 125:0.2 150:1!',
    ],
    [
      'has the payout a second after a later point',
      plan(1),
      '60:0.1 150:0.2 150:1!',
      '60:0.1 150:0.2 151:1!',
    ],
    // Steps of 720 minutes begin at 0 and at 43200.
    [
      'has no payout before a price',
      plan(720),
      '0:0.3 43200:0.6 61200:0.92 43201:1!',
      '0:0.3 61200:0.92 61201:1!',
    ],
    ['has a payout at its end', plan(1, 0, 150), '60:0.1 150:1!', '60:0.1 150:1!'],
    ['has no payout after its end', plan(1, 0, 150), '60:0.1 150:0.2 150:1!', '60:0.1 150:0.2'],
    ['has no payout before its start', plan(1, 160, 200), '60:0.1 150:1!', ''],
    ['is the payout if it has nothing else', plan(60, 130, 300), '150:0.5!', '150:0.5!'],
  ])('of one call %s', (_fact, ofSeries, read, series) => {
    const span = { kind: 'interval', interval: '1d', fidelity: 1 } as const;
    const merged = mergeHistory(ofSeries, [{ span, points: pointsOf(read) }]);
    expect(merged).toEqual(pointsOf(series));
  });

  // The older window ends at 239, and the newer one begins at 240.
  it.each<[fact: string, plan: HistoryPlan, older: string, newer: string, series: string]>([
    [
      'has each point from the window that it lies in',
      plan(1, 120, 660),
      '60:0.1 180:0.2 300:0.9',
      '180:0.8 240:0.3 660:0.4 661:0.5',
      '180:0.2 240:0.3 660:0.4',
    ],
    [
      'has only the newest payout',
      plan(1),
      '120:0.1 180:1!',
      '240:0.3 300:0!',
      '120:0.1 240:0.3 300:0!',
    ],
    ['has the payout before an empty window', plan(1), '120:0.1 180:1!', '', '120:0.1 180:1!'],
  ])('of two windows %s', (_fact, ofSeries, older, newer, series) => {
    const window = { kind: 'window', fidelity: 1 } as const;
    const merged = mergeHistory(ofSeries, [
      { span: { ...window, start: 120, end: 239 }, points: pointsOf(older) },
      { span: { ...window, start: 240, end: 600 }, points: pointsOf(newer) },
    ]);
    expect(merged).toEqual(pointsOf(series));
  });
});
