import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  allowedIn,
  resetSeconds,
  slidingWindow,
  WINDOW_MS,
} from '../../../../lambda/rate-limit/sliding-window.ts';
import { mostWithin } from '../../../support/most-within.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const LIMIT = 60;

interface Request {
  /** True time, in milliseconds since the start. */
  readonly at: number;
  /** How far the clock of the container is ahead; behind when negative. */
  readonly skew: number;
}

/** The true times of the requests that pass, when they come in this order. */
function served(requests: readonly Request[], limit = LIMIT): number[] {
  let stamps: number[] = [];
  const passed: number[] = [];
  for (const { at, skew } of requests) {
    const now = START + at + skew;
    // What no clock counts any more.
    if (stamps.length > 4 * limit) stamps = stamps.filter((stamp) => stamp > now - WINDOW_MS - 5_000);
    if (!slidingWindow(limit, now, stamps).allowed) continue;
    stamps.push(now);
    passed.push(at);
  }
  return passed;
}

function mostInAMinute(moments: readonly number[]): number {
  const minutes = Map.groupBy(moments, (moment) => Math.floor((START + moment) / 60_000));
  return Math.max(0, ...[...minutes.values()].map((minute) => minute.length));
}

/**
 * Arrivals that hurt: bursts larger than the limit, just before and after the ends of minutes and windows, and
 * drips of every speed between them.
 */
const pauses = fc.oneof(
  fc.constantFrom(0, 1, 999, 1_000, 30_000, 58_999, 59_000, 59_001, 59_999, 60_000, 60_001, 61_000),
  fc.nat({ max: 70_000 }),
);
const arrivals = fc
  .tuple(
    fc.nat({ max: 59_999 }),
    fc.array(
      fc.record({ pause: pauses, count: fc.integer({ min: 1, max: 90 }), spread: fc.nat({ max: 1_200 }) }),
      {
        maxLength: 12,
      },
    ),
  )
  .map(([offset, bursts]) => {
    let at = offset;
    return bursts.flatMap(({ pause, count, spread }) => {
      at += pause;
      return Array.from({ length: count }, (_, index) => {
        if (index > 0) at += spread;
        return at;
      });
    });
  });
const inStep = (moments: readonly number[]): Request[] => moments.map((at) => ({ at, skew: 0 }));

describe('the limit of requests', () => {
  it('is kept in every window of 60 s, and so in every minute of the clock', () => {
    fc.assert(
      fc.property(arrivals, fc.constantFrom(1, 2, 5, LIMIT), (moments, limit) => {
        const passed = served(inStep(moments), limit);
        expect(mostWithin(passed, WINDOW_MS)).toBeLessThanOrEqual(limit);
        expect(mostInAMinute(passed)).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('is used to the full: who is refused has been served as often as they may in the last 60 s', () => {
    fc.assert(
      fc.property(arrivals, (moments) => {
        const passed = served(inStep(moments));
        const refused = moments.filter((moment) => !passed.includes(moment));
        const before = refused.map(
          (at) => passed.filter((moment) => moment > at - WINDOW_MS && moment <= at).length,
        );
        expect(before.filter((count) => count !== LIMIT)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('is there again in full after 60 s of silence', () => {
    fc.assert(
      fc.property(arrivals, (moments) => {
        const again = (moments.at(-1) ?? 0) + WINDOW_MS;
        const passed = served(inStep([...moments, ...Array.from({ length: LIMIT + 1 }, () => again)]));
        expect(passed.filter((at) => at === again)).toHaveLength(LIMIT);
      }),
    );
  });

  it('serves a caller who is a little too fast as much as any other', () => {
    const moments = Array.from({ length: 10 * 70 }, (_, index) => Math.floor((index * 60_000) / 70));
    expect(served(inStep(moments)).length).toBeGreaterThanOrEqual(10 * LIMIT);
  });

  it.each([
    ['the end of a minute and through the next', 59_999],
    ['the beginning of a minute and through it', 0],
  ])('is kept by one who makes a burst at %s', (_name, burst) => {
    const drip = Array.from({ length: 120 }, (_, second) => burst + second * 500);
    const passed = served(inStep([...Array.from({ length: 90 }, () => burst), ...drip]));
    expect(mostWithin(passed, WINDOW_MS)).toBe(LIMIT);
  });
});

describe('clocks that differ by up to a second', () => {
  const skewed = fc
    .tuple(
      arrivals,
      fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
    )
    .map(([moments, clocks, choice]) =>
      moments.map((at): Request => {
        const container = choice.next().value ?? 0;
        return { at, skew: clocks[container % clocks.length] ?? 0 };
      }),
    );

  it('make the window at most a second shorter', () => {
    fc.assert(
      fc.property(skewed, (requests) => {
        expect(mostWithin(served(requests), WINDOW_MS - 1_000)).toBeLessThanOrEqual(LIMIT);
      }),
    );
  });

  it('give a flood of ten minutes no more than one window in 59 s each', () => {
    const flood = Array.from({ length: 600 * 20 }, (_, index) => index * 50);
    const passed = served(flood.map((at, index) => ({ at, skew: index % 2 === 0 ? -500 : 500 })));
    expect(passed.length).toBeLessThanOrEqual(LIMIT * Math.ceil(600 / 59));
    expect(passed.length).toBeGreaterThanOrEqual(LIMIT * 10);
  });

  it('reset nothing at the turn of a minute', () => {
    const before = Array.from({ length: LIMIT }, () => ({ at: 59_400, skew: 0 }));
    const around = [59_500, 59_700, 60_100, 60_600, 61_000].flatMap((at) =>
      [-1_000, 0, 1_000].map((skew) => ({ at, skew })),
    );
    expect(served([...before, ...around])).toHaveLength(LIMIT);
  });

  it('keep nobody out for more than a second longer', () => {
    const ahead = Array.from({ length: LIMIT }, () => ({ at: 0, skew: 1_000 }));
    expect(served([...ahead, { at: WINDOW_MS + 1_000, skew: 0 }])).toHaveLength(LIMIT + 1);
  });
});

describe('a result', () => {
  const now = START + 60_000;
  const ago = (...seconds: number[]) => seconds.map((second) => now - second * 1_000);

  it('tells what is left and when the oldest request leaves the window', () => {
    const result = slidingWindow(5, now, ago(50, 20, 70));
    expect(result).toEqual({ allowed: true, remaining: 2, resetAt: now + 10_000 });
    expect(resetSeconds(result, now)).toBe(10);
  });

  it('gives a first request the whole minute', () => {
    const result = slidingWindow(60, now, []);
    expect(result).toEqual({ allowed: true, remaining: 59, resetAt: now + 60_000 });
    expect(resetSeconds(result, now)).toBe(60);
  });

  it('refuses with the moment before which no request can pass', () => {
    const others = ago(59.5, 30, 1);
    const result = slidingWindow(3, now, others);
    expect(result).toEqual({ allowed: false, remaining: 0, resetAt: now + 500 });
    expect(resetSeconds(result, now)).toBe(1);
    expect(slidingWindow(3, result.resetAt - 1, others).allowed).toBe(false);
    expect(slidingWindow(3, result.resetAt, others).allowed).toBe(true);
  });

  it('says 1 to 60 seconds whatever the clocks', () => {
    expect(resetSeconds({ allowed: false, remaining: 0, resetAt: now + 61_000 }, now)).toBe(60);
    expect(resetSeconds({ allowed: false, remaining: 0, resetAt: now - 1_000 }, now)).toBe(1);
  });
});

describe('a log of requests', () => {
  it('tells by itself which of them were allowed, each judged by those before it', () => {
    fc.assert(
      fc.property(arrivals, fc.constantFrom(1, 5, LIMIT), (moments, limit) => {
        const allowed = allowedIn(limit, moments).map((position) => moments[position] ?? 0);
        expect(allowed).toEqual(served(inStep(moments), limit));
      }),
      { numRuns: 50 },
    );
  });

  it('tells the same when it is shortened to those that were allowed and still count', () => {
    fc.assert(
      fc.property(arrivals, fc.nat({ max: 500 }), (moments, cut) => {
        const head = moments.slice(0, cut);
        const now = head.at(-1) ?? 0;
        const kept = allowedIn(LIMIT, head)
          .map((position) => head[position] ?? 0)
          .filter((moment) => moment > now - WINDOW_MS);
        const tail = moments.slice(cut);
        const whole = allowedIn(LIMIT, moments).filter((position) => position >= cut);
        const short = allowedIn(LIMIT, [...kept, ...tail]).filter((position) => position >= kept.length);
        expect(short.map((position) => position - kept.length)).toEqual(
          whole.map((position) => position - head.length),
        );
      }),
      { numRuns: 50 },
    );
  });
});
