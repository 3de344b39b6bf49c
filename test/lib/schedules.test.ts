import { expect, it } from '@jest/globals';
import { runMinutes } from '../../lib/schedules.ts';

// The minutes are the first fields of a cron expression.
it.each([
  { fullSeconds: 120, runSeconds: 60, full: '0/2 *', prices: '1/2 *' },
  { fullSeconds: 240, runSeconds: 120, full: '0/4 *', prices: '2/4 *' },
  { fullSeconds: 600, runSeconds: 300, full: '0/10 *', prices: '5/10 *' },
  { fullSeconds: 1_800, runSeconds: 600, full: '0/30 *', prices: '10,20,40,50 *' },
])(
  'full runs every $fullSeconds s and runs every $runSeconds s never fall together',
  ({ fullSeconds, runSeconds, ...minutes }) => {
    expect(runMinutes(fullSeconds, runSeconds)).toEqual(minutes);
  },
);

it.each([
  [210, 60],
  [120, 50],
  [420, 60],
  [150, 30],
  [180, 120],
  [120, 120],
  [3_600, 60],
])('a full run every %i s and a run every %i s are refused', (full, run) => {
  expect(() => runMinutes(full, run)).toThrow(
    `A full run every ${full} s and a run every ${run} s`,
  );
});
