import { expect, it } from '@jest/globals';
import { cadences } from '../../../../lib/data/cadence.ts';

const minutesOf = (expression: string | undefined) =>
  (/^cron\((.*) \* \* \* \? \*\)$/.exec(expression ?? '')?.[1] ?? '')
    .split(',')
    .filter((text) => text !== '')
    .map(Number);

it.each([1, 2, 3, 5, 7, 10, 60])(
  'every %i minutes: full runs so often, prices twice as often at least',
  (refreshMinutes) => {
    const { full, prices } = cadences(refreshMinutes);
    const fullRuns = minutesOf(full.expressionString);
    const all = [...fullRuns, ...minutesOf(prices?.expressionString)].sort((a, b) => a - b);
    expect(new Set(all).size).toBe(all.length);
    expect(all.every((minute) => minute >= 0 && minute < 60)).toBe(true);
    const gaps = (minutes: readonly number[]) =>
      minutes.map((minute, n) => (minutes[n + 1] ?? 60 + (minutes[0] ?? 0)) - minute);
    expect(Math.max(...gaps(fullRuns))).toBe(refreshMinutes);
    expect(Math.max(...gaps(all))).toBe(Math.max(1, Math.floor(refreshMinutes / 2)));
  },
);
