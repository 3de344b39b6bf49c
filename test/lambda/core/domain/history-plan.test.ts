import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PricePoint } from '../../../../lambda/core/domain/change.ts';
import {
  type HistoryPlan,
  type HistoryQuery,
  type HistorySpan,
  historyPlan,
} from '../../../../lambda/core/domain/history-plan.ts';
import { mergeHistory } from '../../../../lambda/core/domain/merge-history.ts';

/** Times are Unix seconds, and a fidelity is the minutes between two points. */
const MINUTE = 60;
const DAY = 86_400;
/** A multiple of every step of the tests up to a day. */
const NOW = Date.parse('2026-11-22T00:00:00Z') / 1_000;

type Window = HistorySpan & { kind: 'window' };
const daysAgo = (days: number) => NOW - days * DAY;
const windowsOf = ({ spans }: HistoryPlan) => spans as readonly Window[];

describe('the plan of an interval', () => {
  // `fidelity` is what a caller requests, `steps` what the caller gets, and `ofCall` what the
  // service requests from upstream. The default is the finest fidelity that each route of
  // upstream accepts for the interval.
  it.each<{
    interval: NonNullable<HistoryQuery['interval']>;
    fidelity: number | undefined;
    steps: number;
    ofCall: number;
  }>([
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
  ])(
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
  // and 3 hours for the whole life. `from` and `to` are days ago.
  it.each<{
    window: string;
    from: number;
    to: number;
    fidelity: number | undefined;
    steps: number;
  }>([
    { window: 'of 1,440 points', from: 1, to: 0, fidelity: undefined, steps: 1 },
    { window: 'of a week, without 10,080 points', from: 6.9, to: 0, fidelity: undefined, steps: 5 },
    { window: 'that begins within 7 days', from: 6.99, to: 6, fidelity: 1, steps: 1 },
    { window: 'that begins 7 days ago', from: 7, to: 6, fidelity: 1, steps: 5 },
    { window: 'that begins within 60 days', from: 59.9, to: 59, fidelity: 1, steps: 5 },
    { window: 'that begins 60 days ago', from: 60, to: 59, fidelity: 1, steps: 30 },
    { window: 'that begins within 90 days', from: 89.9, to: 89, fidelity: 1, steps: 30 },
    { window: 'that begins 90 days ago', from: 90, to: 89, fidelity: 1, steps: 180 },
    {
      window: 'of 80 days, without 3,840 points',
      from: 80,
      to: 0,
      fidelity: undefined,
      steps: 180,
    },
    {
      window: 'of two years, without 5,840 points',
      from: 730,
      to: 0,
      fidelity: undefined,
      steps: 720,
    },
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

  it('has at most 2,500 points by default, because it can take several calls', () => {
    const fidelityOf = (seconds: number) => historyPlan({ startTs: NOW - seconds }, NOW).fidelity;
    expect(fidelityOf(2_500 * MINUTE)).toBe(1);
    expect(fidelityOf(2_500 * MINUTE + 1)).toBe(5);
  });

  const windowTo = (endTs?: number) => historyPlan({ startTs: daysAgo(1), endTs }, NOW);

  it('calls upstream until now', () => {
    expect(windowsOf(windowTo())).toMatchObject([{ end: NOW }]);
    expect(windowsOf(windowTo(NOW + 5))).toMatchObject([{ end: NOW }]);
  });

  it('accepts points of a clock that is a minute ahead', () => {
    expect(windowTo().end).toBe(NOW + 60);
    expect(windowTo(NOW + 5).end).toBe(NOW + 5);
    expect(windowTo(NOW + DAY).end).toBe(NOW + 60);
  });

  it('takes at most seven windows of at most 15 days without a gap for 90 days', () => {
    // Callers often request a multiple of 15 days.
    const seconds = fc.oneof(
      fc.integer({ min: 1, max: 90 * DAY - 61 }),
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
        const windows = windowsOf({ ...plan, spans: plan.fallback ?? plan.spans });
        expect(windows.length).toBeLessThanOrEqual(7);
        expect(windows[0]?.start).toEqual(startTs);
        expect(windows.at(-1)?.end).toEqual(endTs);
        for (const [n, { kind, start, end, fidelity: ofCall }] of windows.entries()) {
          expect(kind).toBe('window');
          expect(ofCall).toBe(Math.min(plan.fidelity, 1_440));
          expect(end + 1 - start).toBeLessThanOrEqual(15 * DAY);
          if (n > 0) expect(start).toBe((windows[n - 1]?.end ?? 0) + 1);
          // A window begins with a step, so that no step is split.
          if (n > 0) expect(start % (ofCall * MINUTE)).toBe(0);
        }
      }),
    );
  });

  it.each<[HistoryQuery, RegExp]>([
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

describe('a series', () => {
  const plan = (fidelity: number, start = 0, end = 100_000): HistoryPlan => ({
    fidelity,
    start,
    end,
    spans: [],
  });
  const interval: HistorySpan = { kind: 'interval', interval: '1d', fidelity: 1 };
  const older: HistorySpan = { kind: 'window', start: 120, end: 239, fidelity: 1 };
  const newer: HistorySpan = { kind: 'window', start: 240, end: 600, fidelity: 1 };

  /** Points as `time:price`. An exclamation mark makes a payout: `60:0.1 150:1!`. */
  const pointsOf = (text: string): PricePoint[] =>
    [...text.matchAll(/(\S+):([\d.]+)(!?)/g)].map(([, t, p, payout]) => ({
      t: Number(t),
      p: Number(p),
      ...(payout ? { payout: true } : {}),
    }));

  // A bar separates the points of the older window from those of the newer one.
  it.each<[string, HistoryPlan, string, string]>([
    [
      "ascends, with upstream's own times",
      plan(1),
      '183:0.3 65:0.1 123:0.2',
      '65:0.1 123:0.2 183:0.3',
    ],
    [
      'has the latest point of a step',
      plan(5),
      '300:0.1 420:0.2 599:0.3 600:0.4',
      '599:0.3 600:0.4',
    ],
    ['has the later one of two points of one time', plan(1), '65:0.1 65:0.2', '65:0.2'],
    [
      'has both ends of its window',
      plan(1, 120, 240),
      '119:0.1 120:0.2 240:0.3 241:0.4',
      '120:0.2 240:0.3',
    ],
    [
      'has the latest point of a step inside the window',
      plan(5, 0, 400),
      '310:0.1 390:0.2 410:0.3',
      '390:0.2',
    ],
    [
      'has each point from the window that it lies in',
      plan(1, 120, 660),
      '60:0.1 180:0.2 300:0.9 | 180:0.8 240:0.3 660:0.4 661:0.5',
      '180:0.2 240:0.3 660:0.4',
    ],
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
    [
      'has no payout before a price',
      plan(720),
      '0:0.3 43200:0.6 61200:0.92 43201:1!',
      '0:0.3 61200:0.92 61201:1!',
    ],
    ['has a payout at the end of its window', plan(1, 0, 150), '60:0.1 150:1!', '60:0.1 150:1!'],
    ['has no payout after its window', plan(1, 0, 150), '60:0.1 150:0.2 150:1!', '60:0.1 150:0.2'],
    ['has no payout before its window', plan(1, 160, 200), '60:0.1 150:1!', ''],
    ['is the payout if its window has nothing else', plan(60, 130, 300), '150:0.5!', '150:0.5!'],
    [
      'has only the newest payout',
      plan(1),
      '120:0.1 180:1! | 240:0.3 300:0!',
      '120:0.1 240:0.3 300:0!',
    ],
    ['has the payout before an empty window', plan(1), '120:0.1 180:1! |', '120:0.1 180:1!'],
  ])('%s', (_, ofPlan, texts, expected) => {
    const parts = texts.split('|').map(pointsOf);
    const spans = parts.length === 1 ? [interval] : [older, newer];
    const read = spans.map((span, n) => ({ span, points: parts[n] ?? [] }));
    expect(mergeHistory(ofPlan, read)).toEqual(pointsOf(expected));
  });
});
