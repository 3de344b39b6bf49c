import type { Period } from './period-meter.ts';
import type { Simulated } from './results.ts';

const COLUMNS = [
  'Fault',
  'Until then',
  'Runs that published',
  'Greatest and median age (s)',
  'Without a change over 1, 7, 30 days (%)',
  'Right within 0.5 points over 1, 7, 30 days (%)',
  'History calls: in all, a full run',
  'Write units a snapshot',
];

/** The chapter of docs/faults.md about a long time. */
export function simulatedChapter(results: readonly Simulated[]): string {
  const rows = results.flatMap(({ scenario, periods }) => periods.map((period) => rowOf(scenario, period)));
  return `## An hour, a day and 31 days

The refresh as it is under a simulated clock, from a first deployment on: \`npm run simulate\` (tools/simulate), whose results are
committed; a test holds a shorter one. The first hour is that of 2,000 markets whose facts and prices move, stored as they
are on AWS; the day and the month are those of 40 markets, of which only the price memory is stored. A container lives for six hours. A full
run takes 4.9 s at the latencies of the real upstreams; ages are those of the newest data that a reader finds, and beyond 150 s
the reader gets 502 instead (where one run in ten fails, several in a row do so now and then);
"right" is held against the simulated
truth in the last hour of the period, and what a run calls and writes is that of the second half.

${line(COLUMNS)}
${line(COLUMNS.map(() => '---'))}
${rows.join('\n')}

Where all history is gone from the first moment the 1-day changes are there after a day, and the others after 7 and 30 days.
Runs begin on the very minute here, so that a sample lies at the very start of a window; with starts anywhere between two
samples 99 % are right (test/unit/tools/simulate). What is not right within half a point is counted from upstream's histories, whose points lie a quarter of an hour to two hours
apart: the simulated prices move within minutes.
`;
}

function rowOf(scenario: string, period: Period): string {
  const { name, markets, runs, published, greatestAge, medianAge, withoutChange, right } = period;
  const { historyCalls, historyCallsARun, writeUnits } = period;
  return line([
    scenario,
    `${name}, ${markets.toLocaleString('en')} markets`,
    `${published} of ${runs}`,
    `${greatestAge}, ${medianAge}`,
    [withoutChange.oneDay, withoutChange.sevenDay, withoutChange.thirtyDay].join(', '),
    [right.oneDay, right.sevenDay, right.thirtyDay].map((value) => value ?? '–').join(', '),
    `${historyCalls}, ${historyCallsARun}`,
    String(writeUnits),
  ]);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
