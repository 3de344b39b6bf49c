import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CallRate } from '../../../../lambda/http-client/call-rate.ts';

describe('the calls of a route', () => {
  it('never begin more often than allowed in any 10 s, and none waits without need', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), gaps, (calls, arrivals) => {
        const rate = new CallRate(calls);
        const begun: number[] = [];
        let now = 0;
        for (const gap of arrivals) {
          now += gap;
          const at = now + rate.waitMs(now);
          rate.take(at);
          begun.push(at);
        }
        for (const [n, at] of begun.entries()) {
          expect(at).toBeGreaterThanOrEqual(begun[n - 1] ?? 0);
          const limiting = begun[n - calls];
          if (limiting !== undefined) expect(at - limiting).toBeGreaterThanOrEqual(10_000);
        }
      }),
    );
  });

  it('leave room for others when they may use a share only', () => {
    const rate = new CallRate(10);
    for (let n = 0; n < 5; n++) rate.take(n);
    expect(rate.waitMs(5, 0.5)).toBe(9_995);
    expect(rate.waitMs(5)).toBe(0);
  });

  it('are counted anew when the clock is set back', () => {
    const rate = new CallRate(1);
    rate.waitMs(1_000_000);
    rate.take(1_000_000);
    expect(rate.waitMs(1_000_001)).toBe(9_999);
    expect(rate.waitMs(5)).toBe(0);
  });
});
