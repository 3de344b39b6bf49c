import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

// The page shows times in the reader's zone. A process has one zone, so these tests run the page's
// functions in a process for each zone.

const FORMAT = join(import.meta.dirname, '../../packages/market-page/src/format.ts');
/** Prints what each function of the page makes of one time. */
const SCRIPT = `
  const { clockTimeWithSeconds, date, dateTime, day, month, year, zonedTime } = await import(${JSON.stringify(FORMAT)});
  const at = Date.parse('2026-12-31T22:45:30Z');
  const time = new Date(at).toISOString();
  console.log(JSON.stringify({
    clockTime: clockTimeWithSeconds(at), date: date(time), dateTime: dateTime(time),
    day: day(at), month: month(at), year: year(at), zonedTime: zonedTime(at),
  }));
`;

/** Runs a script in a zone. @returns the JSON that it prints */
function runIn(TZ: string, script: string): unknown {
  const options = [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    script,
  ];
  return JSON.parse(execFileSync(process.execPath, options, { env: { TZ }, encoding: 'utf8' }));
}

// At this time one of the two zones has the next year. Both differ from UTC by half hours.
it.each([
  {
    TZ: 'Asia/Kolkata',
    times: {
      clockTime: '04:15:30',
      date: 'Jan 1, 2027',
      dateTime: 'Jan 1, 2027, 04:15',
      day: 'Jan 1',
      month: 'Jan',
      year: 2027,
      zonedTime: 'Jan 1, 2027, 04:15 GMT+5:30',
    },
  },
  {
    TZ: 'America/St_Johns',
    times: {
      clockTime: '19:15:30',
      date: 'Dec 31, 2026',
      dateTime: 'Dec 31, 2026, 19:15',
      day: 'Dec 31',
      month: 'Dec',
      year: 2026,
      zonedTime: 'Dec 31, 2026, 19:15 GMT-3:30',
    },
  },
])('the page shows times of the zone $TZ', ({ TZ, times }) => {
  expect(runIn(TZ, SCRIPT)).toEqual(times);
});

/**
 * Prints what the page shows for ends at midnight UTC, with which Polymarket means dates, unless
 * the market was created at most two days before: `shortMoment(end, createdAt)`.
 */
const DATES = `
  const { date, ends, shortMoment, fullMoment } = await import(${JSON.stringify(FORMAT)});
  const [election, month] = ['2028-11-07T00:00:00Z', '2027-03-01T00:00:00.000Z'];
  const now = Date.parse('2026-11-24T12:00:00Z');
  console.log(JSON.stringify({
    dates: [date(election), shortMoment(election, '2024-01-01T00:00:00Z'), fullMoment(election)],
    month: date(month),
    ends: [ends(election, now), ends(month, now), ends('2026-11-27T00:00:00Z', now)],
  }));
`;

it.each(['UTC', 'America/New_York', 'America/Los_Angeles', 'Pacific/Auckland'])(
  'a date without a time is the same day in %s',
  (TZ) => {
    expect(runIn(TZ, DATES)).toEqual({
      dates: ['Nov 7, 2028', 'Nov 7, 2028', 'Nov 7, 2028'],
      month: 'Mar 1, 2027',
      // About two years, three months and three days after the time of the script.
      ends: ['Nov 2028', 'Mar 2027', 'Fri'],
    });
  },
);

it('a short market that ends at midnight UTC has the time of the zone', () => {
  const script = `
    const { shortMoment, fullMoment } = await import(${JSON.stringify(FORMAT)});
    const [end, createdAt] = ['2026-11-25T00:00:00Z', '2026-11-24T23:15:00Z'];
    console.log(JSON.stringify([shortMoment(end, createdAt), fullMoment(end, createdAt)]));
  `;
  const local = 'Nov 24, 2026, 19:00';
  expect(runIn('America/New_York', script)).toEqual([local, local]);
});
