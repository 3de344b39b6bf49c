import type { Figure } from '../../bench/harness/figure.ts';
import { significant } from '../../bench/harness/report.ts';
import { readResults } from '../../bench/results.ts';
import type { Deployed } from '../../costs/deployed.ts';
import type { Measured } from '../../costs/measured.ts';
import { refresherCost } from '../../costs/model.ts';
import type { Period } from '../../simulate/period-meter.ts';
import { readSimulated } from '../../simulate/results.ts';

/**
 * Ms that a refresh of so many markets takes under the simulated clock, upstream at its measured latencies, and minutes from a
 * first deployment to all 7- and 30-day changes: the tests that print them hold them to these.
 */
export const RUN_MS = { 2000: 3_950, 10000: 11_900 } as const;
export const FIRST_DAY_SECONDS = 22.75;
export const ALL_CHANGES_MINUTES = 10;

const READ_CATALOGUE = 'npm test -- test/unit/lambda/refresh/read-catalogue';
const FIRST_RUNS = 'npm test -- test/unit/lambda/refresh/refresh.first-runs';
const SIMULATE = 'npm test -- test/unit/tools/simulate';
const FRESHNESS = 'npm test -- test/service/freshness';

interface Row {
  readonly what: string;
  readonly target: string;
  readonly value: string;
  /** The command that prints it. */
  readonly printedBy: string;
}

/** The chapter of docs/performance.md that says what the refresh promises, how much of it is kept, and what prints it. */
export function targetsChapter(deployed: Deployed, measured: Measured): string {
  const rows = [...ages(), ...runs(), ...changes(), ...units(deployed, measured), ...large()];
  return `
## What the refresh promises

Each target, its newest value, and the command that prints it. Ages, calls, write units and changes are those of
\`npm run simulate\` ([faults.md](faults.md)); the tests play shorter times and hold both to the targets.

| what | target | value | printed by |
| --- | --- | --- | --- |
${rows.map(({ what, target, value, printedBy }) => `| ${what} | ${target} | ${value} | \`${printedBy}\` |`).join('\n')}
`;
}

function period(scenario: string, name: string): Period {
  const found = readSimulated()
    .find((one) => one.scenario === scenario)
    ?.periods.find((one) => one.name === name);
  if (!found) throw new Error(`Nobody has simulated ${name} of "${scenario}"`);
  return found;
}

function ages(): Row[] {
  const well = period('No fault', 'an hour').greatestAge;
  const outage = period('No catalogue for ten minutes a day', 'an hour').greatestAge;
  return [
    { what: 'greatest age of the prices', target: '≤ 65 s', value: `${well} s`, printedBy: SIMULATE },
    {
      what: 'the same, ten minutes without a catalogue',
      target: '≤ 120 s',
      value: `${outage} s`,
      printedBy: SIMULATE,
    },
    {
      what: 'the same, with runs that begin late and take their time',
      target: '≤ 120 s',
      value: 'in the line “catalogue down”',
      printedBy: FRESHNESS,
    },
  ];
}

function runs(): Row[] {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    {
      what: 'a refresh of 2,000 markets, upstream at its measured latencies',
      target: '≤ 5 s',
      value: seconds(RUN_MS[2_000]),
      printedBy: READ_CATALOGUE,
    },
    {
      what: 'a refresh of 10,000 markets',
      target: '≤ 15 s',
      value: seconds(RUN_MS[10_000]),
      printedBy: READ_CATALOGUE,
    },
    {
      what: 'markets missed in 1,000 crawls while volumes move',
      target: '0',
      value: '0',
      printedBy: READ_CATALOGUE,
    },
    {
      what: 'history calls a full run, steady state',
      target: '≤ 5',
      value: String(period('No fault', 'an hour').historyCallsARun),
      printedBy: SIMULATE,
    },
  ];
}

function changes(): Row[] {
  const { oneDay, sevenDay, thirtyDay } = period('All history is gone', '31 days').right;
  return [
    {
      what: 'changes over 1, 7 and 30 days within half a point, 31 days without any history route',
      target: '≥ 99 %',
      value: `${oneDay}, ${sevenDay}, ${thirtyDay} %`,
      printedBy: SIMULATE,
    },
    {
      what: 'all 1-day changes after a first deployment',
      target: '≤ 2 min',
      value: `${FIRST_DAY_SECONDS} s`,
      printedBy: FIRST_RUNS,
    },
    {
      what: 'all 7- and 30-day changes',
      target: '≤ 15 min',
      value: `${ALL_CHANGES_MINUTES} min`,
      printedBy: FIRST_RUNS,
    },
  ];
}

function units(deployed: Deployed, measured: Measured): Row[] {
  return [
    {
      what: 'write units a snapshot of 2,000 markets',
      target: '≤ 40',
      value: String(period('No fault', 'an hour').writeUnits),
      printedBy: SIMULATE,
    },
    {
      what: 'read units of a container that takes over a snapshot',
      target: '≤ 10',
      value: String(measured.load.readUnits),
      printedBy: 'npm run costs:measure',
    },
    {
      what: 'the refresher of 2,000 markets a month at list price, function and writes',
      target: '≤ 2.50 USD',
      value: `${refresherCost(deployed, measured).toFixed(2)} USD`,
      printedBy: 'npm test -- test/unit/tools/costs/model',
    },
  ];
}

/** What a container of the search needs with 50,000 markets. */
function large(): Row[] {
  const { figures } = readResults();
  const row = (what: string, target: string, unit: Figure['unit']): Row[] => {
    const figure = figures.find((one) => one.what === `${what}, 50,000 markets`);
    const value = figure === undefined ? 'not measured yet' : `${significant(figure.ours)} ${unit}`;
    return [{ what: `${what}, 50,000 markets`, target, value, printedBy: 'npm run bench -- growth' }];
  };
  return [
    ...row('p99 of a search', '≤ 20 ms', 'ms'),
    ...row('container ready', '≤ 1,500 ms', 'ms'),
    ...row('resident memory of the search', '≤ 512 MB', 'MB'),
    {
      what: 'age of the tail’s facts, 50,000 markets',
      target: '≤ 15 min',
      value: 'read in seven turns of two minutes',
      printedBy: 'npm test -- test/unit/lambda/refresh/tail-turns',
    },
  ];
}
