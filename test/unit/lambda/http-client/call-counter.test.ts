import { describe, expect, it } from '@jest/globals';
import { CallCounter } from '../../../../lambda/http-client/call-counter.ts';

const DATE = Date.parse('2026-11-21T12:00:00Z');

function answeredAt(...answers: readonly (readonly [at: number, headers: Record<string, string>])[]) {
  const counter = new CallCounter(() => undefined);
  for (const [at, headers] of answers) counter.responded(new Headers(headers), at);
  return counter;
}

const dated = (ms = DATE) => ({ date: new Date(ms).toUTCString() });

describe('the difference of the clocks', () => {
  it('is the least of a run: answers are late, never early', () => {
    const counter = answeredAt([DATE + 3_000, dated()], [DATE + 400, dated()], [DATE + 2_000, dated()]);
    expect(counter.takeClockSkewMs()).toBe(400);
  });

  it('is negative for a clock that is behind', () => {
    expect(answeredAt([DATE - 60_000, dated()]).takeClockSkewMs()).toBe(-60_000);
  });

  it("is not taken from a cache's copy, nor from an answer without a date", () => {
    const counter = answeredAt([DATE, { ...dated(), age: '0' }], [DATE, {}], [DATE, { date: 'yesterday' }]);
    expect(counter.takeClockSkewMs()).toBeUndefined();
  });

  it('is told once', () => {
    const counter = answeredAt([DATE, dated()]);
    counter.takeClockSkewMs();
    expect(counter.takeClockSkewMs()).toBeUndefined();
  });
});
