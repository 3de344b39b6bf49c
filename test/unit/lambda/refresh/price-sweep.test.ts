import { describe, expect, it } from '@jest/globals';
import { sweepPrices } from '../../../../lambda/refresh/price-sweep.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { fakePrices } from './fake-upstreams.ts';

const DEADLINE = 5_000;
const tokensOf = (count: number) => Array.from({ length: count }, (_, n) => String(n));

describe('the midpoints of all tokens', () => {
  it.each([
    [0, []],
    [500, [500]],
    [501, [500, 1]],
    [1_001, [500, 500, 1]],
  ])('are read five hundred a call: %i', async (count, expected) => {
    const calls: number[] = [];
    const deadlines = new Set<number>();
    const prices = fakePrices({
      midpoints: async (tokens, deadline) => {
        calls.push(tokens.length);
        deadlines.add(deadline);
        return new Map(tokens.map((token) => [token, Number(token) / 10_000]));
      },
    });
    const tokens = tokensOf(count);
    const midpoints = await sweepPrices(prices, tokens, DEADLINE, new RunReport());
    expect(calls).toEqual(expected);
    expect([...deadlines]).toEqual(count > 0 ? [DEADLINE] : []);
    expect([...midpoints]).toEqual(tokens.map((token) => [token, Number(token) / 10_000]));
  });

  it('lack those of a call that failed, which is counted', async () => {
    const report = new RunReport();
    const prices = fakePrices({
      midpoints: async (tokens) => {
        if (tokens.includes('0')) throw new Error('down');
        return new Map(tokens.map((token) => [token, 0.5]));
      },
    });
    const midpoints = await sweepPrices(prices, tokensOf(502), DEADLINE, report);
    expect([...midpoints.keys()]).toEqual(['500', '501']);
    expect(report.midpointBatchesFailed).toBe(1);
  });
});
