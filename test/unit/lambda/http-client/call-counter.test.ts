import { describe, expect, it } from '@jest/globals';
import { CallCounter } from '../../../../lambda/http-client/call-counter.ts';

const DATE = Date.parse('2026-11-21T12:00:00Z');

function respondedAt(...responses: readonly (readonly [at: number, headers: Record<string, string>])[]) {
  const counter = new CallCounter(() => undefined);
  for (const [at, headers] of responses) counter.responded(new Headers(headers), at);
  return counter;
}

const dated = (ms = DATE) => ({ date: new Date(ms).toUTCString() });

describe('the difference of the clocks', () => {
  it('is the least of a run: responses are late, never early', () => {
    const counter = respondedAt([DATE + 3_000, dated()], [DATE + 400, dated()], [DATE + 2_000, dated()]);
    expect(counter.takeClockSkewMs()).toBe(400);
  });

  it('is negative for a clock that is behind', () => {
    expect(respondedAt([DATE - 60_000, dated()]).takeClockSkewMs()).toBe(-60_000);
  });

  it("is not taken from a cache's copy, nor from a response without a date", () => {
    const counter = respondedAt([DATE, { ...dated(), age: '0' }], [DATE, {}], [DATE, { date: 'yesterday' }]);
    expect(counter.takeClockSkewMs()).toBeUndefined();
  });

  it('is told once', () => {
    const counter = respondedAt([DATE, dated()]);
    counter.takeClockSkewMs();
    expect(counter.takeClockSkewMs()).toBeUndefined();
  });
});
