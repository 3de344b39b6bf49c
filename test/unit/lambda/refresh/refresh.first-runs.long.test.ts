import { describe, expect, it } from '@jest/globals';
import { ALL_CHANGES_MINUTES, FIRST_DAY_SECONDS } from '../../../../tools/docs/performance/targets.ts';
import { timedRuns } from './timed-runs.ts';
import { USUAL } from './timed-upstream.ts';

const MARKETS = 2_000;
const TOP = 20;
const MOST_RUNS = 8;

type Change = 'oneDayPriceChange' | 'sevenDayPriceChange' | 'thirtyDayPriceChange';

describe('after a first deployment', () => {
  it.each([
    ['by the batch route', USUAL],
    ['without it', { ...USUAL, histories: 'gone' as const }],
  ])(
    '%s the 1-day changes are there within two minutes, all others within a quarter of an hour',
    async (how, timing) => {
      const { run, markets } = timedRuns(22, MARKETS, timing);
      const having = async (change: Change, top = MARKETS) =>
        (await markets()).slice(0, top).filter((market) => typeof market[change] === 'number').length;
      const { durationMs } = await run();
      expect(await having('oneDayPriceChange')).toBe(MARKETS);
      expect(await having('sevenDayPriceChange', TOP)).toBe(TOP);
      expect(await having('thirtyDayPriceChange', TOP)).toBe(TOP);
      let runs = 1;
      let last = durationMs;
      while ((await having('thirtyDayPriceChange')) < MARKETS && runs < MOST_RUNS) {
        last = (await run()).durationMs;
        runs += 1;
      }
      const minutes = ((runs - 1) * 120_000 + last) / 60_000;
      process.stdout.write(
        `First deployment ${how}: all 1-day changes after ${durationMs / 1_000} s, all others after ${minutes.toFixed(1)} min\n`,
      );
      expect(await having('sevenDayPriceChange')).toBe(MARKETS);
      expect(await having('thirtyDayPriceChange')).toBe(MARKETS);
      expect(durationMs).toBeLessThanOrEqual(120_000);
      expect(minutes).toBeLessThanOrEqual(15);
      if (timing !== USUAL) return;
      expect(durationMs / 1_000).toBe(FIRST_DAY_SECONDS);
      expect(Math.round(minutes)).toBe(ALL_CHANGES_MINUTES);
    },
    60_000,
  );
});
