import { describe, expect, it } from '@jest/globals';
import { readSimulated } from '../../../../tools/simulate/results.ts';
import { SCENARIOS } from '../../../../tools/simulate/scenarios.ts';

/** What the simulated hours must keep. */
const GREATEST_AGE = 65;
const HISTORY_CALLS = 5;
const WRITE_UNITS = 40;
const RIGHT_PERCENT = 99;

function tell(what: string, value: number | null, target: string): void {
  process.stdout.write(`${what}: ${value} (target ${target})\n`);
}

describe('the committed results of npm run simulate', () => {
  const results = readSimulated();

  it('are those of all scenarios', () => {
    expect(results.map(({ scenario }) => scenario)).toEqual(SCENARIOS.map(({ name }) => name));
    for (const { periods } of results) {
      expect(periods.map(({ name }) => name)).toEqual(['an hour', 'a day', '31 days']);
    }
  });

  it('reach the targets of calls, write units and, where no run fails, age', () => {
    for (const { scenario, periods } of results) {
      const [hour] = periods;
      tell(
        `${scenario}: write units a snapshot of 2,000 markets`,
        hour?.writeUnits ?? null,
        `at most ${WRITE_UNITS}`,
      );
      expect(hour?.writeUnits).toBeLessThanOrEqual(WRITE_UNITS);
      for (const { historyCallsARun } of periods) expect(historyCallsARun).toBeLessThanOrEqual(HISTORY_CALLS);
    }
    for (const { greatestAge } of results[0]?.periods ?? []) {
      expect(greatestAge).toBeLessThanOrEqual(GREATEST_AGE);
    }
  });

  it('are right for 99 % of the markets after 31 days without any history', () => {
    const gone = results.find(({ scenario }) => scenario === 'All history is gone')?.periods.at(-1);
    for (const [window, percent] of Object.entries(gone?.right ?? {})) {
      tell(
        `31 days without history: ${window} changes within half a point, %`,
        percent,
        `at least ${RIGHT_PERCENT}`,
      );
      expect(percent).toBeGreaterThanOrEqual(RIGHT_PERCENT);
    }
    expect(gone?.withoutChange).toEqual({ oneDay: 0, sevenDay: 0, thirtyDay: 0 });
  });
});
