/**
 * `npm run simulate -- [numbers of scenarios]`: an hour, a day and 31 days under a simulated clock, some minutes for all
 * scenarios; `npm run docs` then writes docs/faults.md.
 */
import { writeFileSync } from 'node:fs';
import { RESULTS_FILE, readSimulated, type Simulated } from './results.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { simulate } from './simulate.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
/** Nobody has to wait for a month of 2,000 markets: the first hour is that of all, the rest that of some. */
const ALL = 2_000;
const SOME = 40;

async function simulated(scenario: Scenario): Promise<Simulated> {
  const hour = { name: 'an hour', minutes: HOUR };
  const long = [
    { name: 'a day', minutes: DAY },
    { name: '31 days', minutes: 31 * DAY },
  ];
  const periods = [
    ...(await simulate({ scenario, markets: ALL, periods: [hour], stored: true })),
    ...(await simulate({ scenario, markets: SOME, periods: long })),
  ];
  return { scenario: scenario.name, periods };
}

const numbers = process.argv.slice(2).map(Number);
for (const [n, scenario] of SCENARIOS.entries()) {
  if (numbers.length > 0 && !numbers.includes(n + 1)) continue;
  const result = await simulated(scenario);
  console.log(JSON.stringify(result, null, 2));
  // Read again: the scenarios may be played side by side.
  const others = readSimulated();
  const all = SCENARIOS.flatMap(({ name }) =>
    name === scenario.name ? [result] : others.filter((other) => other.scenario === name),
  );
  writeFileSync(RESULTS_FILE, `${JSON.stringify(all, null, 2)}\n`);
}
