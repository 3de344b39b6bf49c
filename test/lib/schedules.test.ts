/**
 * The refresher has two kinds of runs: a full run reads the list and the prices of markets, and
 * the price runs between two full runs read only the prices. `runMinutes` returns the minutes and
 * hours of a cron expression for each kind. For example, `1/2 *` starts a run in minutes 1, 3, 5,
 * … of each hour.
 */
import { expect, it } from '@jest/globals';
import { runMinutes } from '../../lib/schedules.ts';

it.each([
  { fullSeconds: 120, runSeconds: 60, full: '0/2 *', prices: '1/2 *' },
  { fullSeconds: 240, runSeconds: 120, full: '0/4 *', prices: '2/4 *' },
  { fullSeconds: 600, runSeconds: 300, full: '0/10 *', prices: '5/10 *' },
  { fullSeconds: 1_800, runSeconds: 600, full: '0/30 *', prices: '10,20,40,50 *' },
])(
  'with a full run every $fullSeconds s and a run every $runSeconds s, no two begin together',
  ({ fullSeconds, runSeconds, ...minutes }) => {
    expect(runMinutes(fullSeconds, runSeconds)).toEqual(minutes);
  },
);

it.each([
  { fullSeconds: 210, runSeconds: 60, problem: 'half a minute' },
  { fullSeconds: 120, runSeconds: 50, problem: 'a part of a minute' },
  { fullSeconds: 150, runSeconds: 30, problem: 'half minutes' },
  { fullSeconds: 420, runSeconds: 60, problem: '7 minutes, which do not divide an hour' },
  { fullSeconds: 180, runSeconds: 120, problem: 'one and a half steps between full runs' },
  { fullSeconds: 120, runSeconds: 120, problem: 'no price run between full runs' },
  { fullSeconds: 3_600, runSeconds: 60, problem: 'a step of 60 minutes, which cron lacks' },
])(
  'refuses a full run every $fullSeconds s and a run every $runSeconds s: $problem',
  ({ fullSeconds, runSeconds }) => {
    expect(() => runMinutes(fullSeconds, runSeconds)).toThrow(
      `A full run every ${fullSeconds} s and a run every ${runSeconds} s`,
    );
  },
);
