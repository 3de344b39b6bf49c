import { describe, expect, it } from '@jest/globals';
import { ForgetfulMemory } from '../../../../lambda/refresh/forgetful-memory.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const daysAgo = (days: number) => NOW / 1_000 - days * 86_400;

describe('a memory for one run', () => {
  it('knows nothing before upstream has told something, and keeps nothing', async () => {
    const memory = new ForgetfulMemory();
    expect(await memory.open()).toBe(0);
    expect(memory.since).toBeUndefined();
    expect(memory.baseline('a', 'oneDay', NOW)).toBeUndefined();
    expect([memory.wants('day', 'a'), memory.wants('month', 'a')]).toEqual([true, true]);
    expect(await memory.keep()).toBe(true);
  });

  it('asks once for each stretch of a market, also where upstream knew nothing', () => {
    const memory = new ForgetfulMemory();
    memory.learn('day', new Map([['a', []]]));
    expect([memory.wants('day', 'a'), memory.wants('month', 'a'), memory.wants('day', 'b')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('takes the start of each window from the stretch that holds it, as prices of upstream', () => {
    const memory = new ForgetfulMemory();
    memory.learn('day', new Map([['a', [{ t: daysAgo(1), p: 0.1 }]]]));
    memory.learn(
      'month',
      new Map([
        [
          'a',
          [
            { t: daysAgo(30), p: 0.3 },
            { t: daysAgo(7), p: 0.2 },
          ],
        ],
      ]),
    );
    const windows = (['oneDay', 'sevenDay', 'thirtyDay'] as const).map((window) =>
      memory.baseline('a', window, NOW),
    );
    expect(windows).toEqual([0.1, 0.2, 0.3].map((price) => ({ price, own: false })));
  });

  it('knows a day without its month, and a month without its day', () => {
    const memory = new ForgetfulMemory();
    memory.learn('day', new Map([['a', [{ t: daysAgo(1) + 60, p: 0.1 }]]]));
    memory.learn('month', new Map([['b', [{ t: daysAgo(30), p: 0.3 }]]]));
    expect(memory.baseline('a', 'oneDay', NOW)?.price).toBe(0.1);
    expect(memory.baseline('b', 'thirtyDay', NOW)?.price).toBe(0.3);
    expect(memory.baseline('a', 'thirtyDay', NOW)).toEqual(undefined);
  });
});
