import { describe, expect, it } from '@jest/globals';
import { sweepPrices } from '../../../../lambda/refresh/price-sweep.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { fakePrices } from './fake-upstreams.ts';

const WITHIN_MS = 60_000;
const tokensOf = (count: number) => Array.from({ length: count }, (_, n) => String(n));

/** Two calls a reading; `fails` says which of them fail in which reading, counted from 0. */
async function sweep(fails: (call: 0 | 1, reading: number) => boolean) {
  const clock = new ManualClock();
  const started = clock.now();
  const readings = [0, 0];
  const at: number[] = [];
  const prices = fakePrices({
    midpoints: async (tokens) => {
      const call = tokens.includes('0') ? 0 : 1;
      const reading = readings[call] ?? 0;
      readings[call] = reading + 1;
      if (call === 0) at.push(clock.now() - started);
      if (fails(call, reading)) throw new Error('down');
      return new Map(tokens.map((token) => [token, reading / 10]));
    },
  });
  const sweeping = sweepPrices(prices, tokensOf(502), started + WITHIN_MS, clock);
  await clock.advance(2 * WITHIN_MS);
  const { asOf, midpoints, failed } = await sweeping;
  return { asOf: asOf - started, midpoints, failed, at };
}

describe('the midpoints of all tokens', () => {
  it.each([
    [0, []],
    [500, [500]],
    [501, [500, 1]],
    [1_001, [500, 500, 1]],
  ])('are read five hundred a call: %i', async (count, expected) => {
    const clock = new ManualClock();
    const deadline = clock.now() + WITHIN_MS;
    const calls: number[] = [];
    const deadlines = new Set<number>();
    const prices = fakePrices({
      midpoints: async (tokens, until) => {
        calls.push(tokens.length);
        deadlines.add(until);
        return new Map(tokens.map((token) => [token, Number(token) / 10_000]));
      },
    });
    const tokens = tokensOf(count);
    const { asOf, midpoints, failed } = await sweepPrices(prices, tokens, deadline, clock);
    expect(calls).toEqual(expected);
    expect([...deadlines]).toEqual(count > 0 ? [deadline] : []);
    expect([...midpoints]).toEqual(tokens.map((token) => [token, Number(token) / 10_000]));
    expect([asOf, failed]).toEqual([clock.now(), 0]);
  });

  it('are all read again where a call has failed, with growing pauses, and bear the time of that reading', async () => {
    const { asOf, midpoints, failed, at } = await sweep((call, reading) => call === 1 && reading < 3);
    expect(at).toEqual([0, 1_000, 3_000, 7_000]);
    expect([asOf, failed]).toEqual([7_000, 0]);
    expect(new Set(midpoints.values())).toEqual(new Set([0.3]));
    expect(midpoints.size).toBe(502);
  });

  it('lack those of a call that fails until the deadline, which is counted', async () => {
    const { asOf, midpoints, failed, at } = await sweep((call) => call === 0);
    expect(at).toEqual([0, 1_000, 3_000, 7_000, 15_000, 23_000, 31_000, 39_000, 47_000, 55_000]);
    expect([...midpoints.keys()]).toEqual(['500', '501']);
    expect([asOf, failed]).toEqual([55_000, 1]);
  });

  it('are those of the best reading where none was whole', async () => {
    const { asOf, midpoints, failed } = await sweep((call, reading) => call === 0 || reading !== 1);
    expect([...midpoints]).toEqual([
      ['500', 0.1],
      ['501', 0.1],
    ]);
    expect([asOf, failed]).toEqual([1_000, 1]);
  });
});
