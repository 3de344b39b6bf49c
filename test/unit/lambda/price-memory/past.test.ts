import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { baseline } from '../../../../lambda/domain/change.ts';
import {
  decodePasts,
  encodePasts,
  encodePoints,
  pointAt,
  pointsOf,
} from '../../../../lambda/price-memory/past.ts';

const START = 1_764_000_000;
const point = fc.record({
  t: fc.integer({ min: 0, max: 2_000 }).map((minutes) => START + minutes * 60),
  p: fc.integer({ min: 0, max: 20_000 }).map((units) => units / 20_000),
});
const history = fc.uniqueArray(point, { selector: ({ t }) => t, maxLength: 40 });

describe('the past of a market', () => {
  it('gives the baseline of every window as the whole history does', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: -10, max: 2_100 }), (points, minutes) => {
        const past = { until: START, points: encodePoints(points) };
        const start = START + minutes * 60 + 7;
        const found = pointAt(past, start, start + 4_320);
        expect(found?.point.p).toBe(baseline(points, start + 86_400, 'oneDay'));
        // Until the next point nothing else is found.
        if (found && found.point.t <= start && Number.isFinite(found.next)) {
          expect(pointAt(past, found.next - 1, start)?.point).toEqual(found.point);
          expect(pointAt(past, found.next, start)?.point).not.toEqual(found.point);
        }
      }),
    );
  });

  it('keeps what changes, never earlier than it was', () => {
    const points = [
      { t: START + 61, p: 0.4 },
      { t: START + 120, p: 0.4 },
      { t: START + 180, p: 0.50005 },
    ];
    expect(pointsOf({ until: 0, points: encodePoints(points) })).toEqual([
      { t: START + 120, p: 0.4 },
      { t: START + 180, p: 0.50005 },
    ]);
  });

  it('comes back from a piece, and a piece that is damaged does not', () => {
    const pasts = new Map([
      [2 ** 47 + 1, { until: START, points: encodePoints([{ t: START, p: 0.4 }]) }],
      [7, { until: START + 1, points: encodePoints([]) }],
    ]);
    const data = encodePasts(pasts);
    const plain = (all: ReturnType<typeof decodePasts>) =>
      [...all].map(([key, { until, points }]) => [key, until, [...points]]);
    expect(plain(decodePasts(data))).toEqual(plain(pasts));
    const damaged = data.slice();
    damaged[damaged.length - 2] = (damaged[damaged.length - 2] ?? 0) ^ 1;
    expect(() => decodePasts(damaged)).toThrow('checksum');
  });
});
