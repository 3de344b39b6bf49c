import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const FORMAT = join(import.meta.dirname, '../../packages/market-page/src/format.ts');
const SCRIPT = `
  const { clockTime, date, dateTime, day, month, year, zonedTime } = await import(${JSON.stringify(FORMAT)});
  const at = Date.parse('2026-12-31T22:45:30Z');
  const time = new Date(at).toISOString();
  console.log(JSON.stringify([clockTime(at, true), date(time), dateTime(time), day(at), month(at), year(at), zonedTime(at)]));
`;

// A process has one zone, so each zone gets a process. At this time one of the two has the next
// year, both half hours.
it.each([
  [
    'Asia/Kolkata',
    [
      '04:15:30',
      'Jan 1, 2027',
      'Jan 1, 2027, 04:15',
      'Jan 1',
      'Jan',
      2027,
      'Jan 1, 2027, 04:15 GMT+5:30',
    ],
  ],
  [
    'America/St_Johns',
    [
      '19:15:30',
      'Dec 31, 2026',
      'Dec 31, 2026, 19:15',
      'Dec 31',
      'Dec',
      2026,
      'Dec 31, 2026, 19:15 GMT-3:30',
    ],
  ],
])('the page shows times of the zone %s', (TZ, times) => {
  const options = [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    SCRIPT,
  ];
  expect(
    JSON.parse(execFileSync(process.execPath, options, { env: { TZ }, encoding: 'utf8' })),
  ).toEqual(times);
});
