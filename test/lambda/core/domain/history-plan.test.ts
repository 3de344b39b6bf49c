import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PricePoint } from '../../../../lambda/core/domain/change.ts';
import {
  type HistoryPlan,
  type HistoryQuery,
  type HistorySpan,
  historyPlan,
  mergeHistory,
} from '../../../../lambda/core/domain/history-plan.ts';

const MINUTE = 60;
const DAY = 86_400;
/** A multiple of every step of the tests up to a day. */
const NOW = Date.parse('2026-11-22T00:00:00Z') / 1_000;

type Window = HistorySpan & { kind: 'window' };
const daysAgo = (days: number) => NOW - days * DAY;
const windowsOf = ({ spans }: HistoryPlan) => spans as readonly Window[];

describe('the plan of an interval', () => {
  it.each<[NonNullable<HistoryQuery['interval']>, number | undefined, number, number]>([
    ['1h', undefined, 1, 1],
    ['6h', undefined, 1, 1],
    ['1d', undefined, 1, 1],
    ['1w', undefined, 5, 5],
    ['1w', 1, 5, 5],
    ['1m', undefined, 10, 10],
    ['1m', 1, 10, 10],
    ['1w', 2_000, 2_000, 1_440],
    ['1h', 90, 90, 60],
    ['max', undefined, 720, 180],
    ['max', 1, 180, 180],
    ['max', 2_000, 2_000, 180],
  ])(
    '%s at %p minutes has steps of %i minutes, from one call at %i [sentence 32]',
    (interval, fidelity, spacing, ofCall) => {
      expect(historyPlan({ interval, fidelity }, NOW)).toEqual({
        fidelity: spacing,
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
    [undefined, 180, 'interval'],
    [1, 30, 'window'],
    [179, 179, 'window'],
    [432, 432, 'interval'],
  ])(
    '3m at %p minutes has steps of %i minutes from one %s or more and begins a minute late [sentence 32]',
    (fidelity, step, kind) => {
      const plan = historyPlan({ interval: '3m', fidelity }, NOW);
      expect(plan).toMatchObject({
        fidelity: step,
        start: daysAgo(90) + MINUTE,
        end: NOW + MINUTE,
      });
      expect(new Set(plan.spans.map((span) => span.kind))).toEqual(new Set([kind]));
    },
  );
});

describe('the plan of a window', () => {
  it.each([
    ['of 1,440 points', 1, 0, undefined, 1],
    ['of a week, without 10,080 points', 6.9, 0, undefined, 5],
    ['that begins within 7 days', 6.99, 6, 1, 1],
    ['that begins 7 days ago', 7, 6, 1, 5],
    ['that begins within 60 days', 59.9, 59, 1, 5],
    ['that begins 60 days ago', 60, 59, 1, 30],
    ['that begins within 90 days', 89.9, 89, 1, 30],
    ['that begins 90 days ago', 90, 89, 1, 180],
    ['of 80 days, without 3,840 points', 80, 0, undefined, 180],
    ['of two years, without 5,840 points', 730, 0, undefined, 720],
    ['of four years', 1_461, 0, undefined, 1_440],
    ['with a coarser fidelity', 3, 0, 45, 45],
  ])(
    '%s (%p to %p days ago at %p minutes) has steps of %i minutes',
    (_, from, to, fidelity, spacing) => {
      const plan = historyPlan({ startTs: daysAgo(from), endTs: daysAgo(to), fidelity }, NOW);
      expect(plan).toMatchObject({ fidelity: spacing, start: daysAgo(from), end: daysAgo(to) });
      expect(plan.spans[0]).toMatchObject(
        spacing < 180 ? { fidelity: spacing } : { interval: 'max', fidelity: 180 },
      );
    },
  );

  it('has at most 2,500 points by default, because it can take several calls', () => {
    const fidelityOf = (seconds: number) => historyPlan({ startTs: NOW - seconds }, NOW).fidelity;
    expect(fidelityOf(150_000)).toBe(1);
    expect(fidelityOf(150_001)).toBe(5);
  });

  it('calls upstream until now, and accepts points of a clock that is a minute ahead', () => {
    const windowTo = (endTs?: number) => historyPlan({ startTs: daysAgo(1), endTs }, NOW);
    expect(windowsOf(windowTo())).toMatchObject([{ end: NOW }]);
    expect(windowsOf(windowTo(NOW + 5))).toMatchObject([{ end: NOW }]);
    expect(windowTo().end).toBe(NOW + 60);
    expect(windowTo(NOW + 5).end).toBe(NOW + 5);
    expect(windowTo(NOW + DAY).end).toBe(NOW + 60);
  });

  it('within 90 days takes at most seven windows of at most 15 days, without a gap or a second twice', () => {
    // A window of exactly 15 or 30 days is the most natural one.
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
          // No step is split.
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
  ])('is a 400 for %j', (request, sentence) => {
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

  /** Points as `time:price`; an exclamation mark makes a payout. */
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
      'has it a second after a later point',
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
