import { readSimulated } from '../../../tools/simulate/results.ts';
import { simulatedChapter } from '../../../tools/simulate/table.ts';
import { CATALOGUE_CASES } from './cases/catalogue.ts';
import { CLOCK_CASES } from './cases/clock.ts';
import { LIE_CASES } from './cases/lies.ts';
import { LIVE_LIE_CASES } from './cases/live-lies.ts';
import { ODD_CATALOGUE_CASES } from './cases/odd-catalogue.ts';
import { PRICE_LIE_CASES } from './cases/price-lies.ts';
import { PRICE_CASES } from './cases/prices.ts';
import { PUBLISHING_CASES } from './cases/publishing.ts';
import { STORE_CASES } from './cases/store.ts';
import { TIME_CASES } from './cases/time.ts';
import { renderFaults } from './support/table.ts';

export const FAULTS_FILE = new URL('../../../docs/faults.md', import.meta.url);

const INTRODUCTION = `# Faults, and what becomes of them

Every row is a test over the whole service (test/service/faults): the fault is injected, a refresh runs, readers ask
over HTTP, and the log and the metrics are held against what stands here. After each, the fault is taken away and the
next run must heal everything. In each case every number that a reader got is held against what the upstream really
says: a fault may take something away, it never makes anything wrong. Where a run fails or readers get 502, a saved query
of the runbook must find the line that says so.

Written by \`npm run docs\` from the tables that the tests run; do not edit it by hand.
The simulated upstream of \`npm start\` takes the same faults: \`GET /_control/faults\` lists them.

A snapshot is fresh for two minutes, and served for 30 s more while the next run publishes. A run that ends reports
\`SnapshotAge\`, however it ended, unless the store cannot be read; a run that dies reports nothing. The alarm takes a missing
value for a bad one.

`;

/** Seen with `npm start` beside `npm run upstream -- --seed 77 --v2-share 0.5`, two routes of three gone. */
const ONE_ROUTE = `## One history route left, and no memory yet

The worst that can happen to a first deployment short of no history at all: 2,000 markets and an empty price memory, calls at half
of the documented limits. Changes are missing for a while, never wrong.

| Route that is left | 1-day changes |
| --- | --- |
| Batch route (20 tokens a call) | all in the first run, after 6 s |
| Single route (500 calls in 10 s) | all in the first run, after 44 s |
| Data API (100 calls in 10 s) | a third in the first run, after 75 s; all that there are after five minutes |

A run waits 70 s for histories, publishes, and goes on asking until its time is up; what it learns so late the next run shows. Two first
runs at once, as when the first takes longer than a minute, read each other's findings before they publish. The Data API has no price of a market
that was never traded, some 4 % of the simulated ones: their changes come from the service's own memory when it is a day old.
`;

/** docs/faults.md as it should be. */
export function faultsDocument(): string {
  const chapters = [
    { title: 'The catalogue does not respond as it should', rows: CATALOGUE_CASES },
    { title: 'The catalogue says odd things', rows: ODD_CATALOGUE_CASES },
    { title: 'The upstream lies', rows: [...LIE_CASES, ...PRICE_LIE_CASES, ...LIVE_LIE_CASES] },
    { title: 'Prices and histories', rows: PRICE_CASES },
    { title: 'Time', rows: TIME_CASES },
    { title: 'Clocks', rows: CLOCK_CASES },
    { title: 'The store', rows: STORE_CASES },
    { title: 'Publishing', rows: PUBLISHING_CASES },
  ];
  return `${INTRODUCTION}${renderFaults(chapters)}\n${ONE_ROUTE}\n${simulatedChapter(readSimulated())}`;
}
