/** `npm run world`: the service in virtual time. Options: see USAGE. */
import { exitWithUsage, readArguments } from '../../tools/arguments.ts';
import { Callers } from './callers.ts';
import { checkDays } from './days.ts';
import { Invariants } from './invariants.ts';
import { conditionsOf, planFaults } from './plan.ts';
import { World } from './world.ts';

const USAGE = `Usage: npm run world -- [--seeds N] [--seed S] [--days N]

Runs the service in virtual time with seeded faults, and compares every price, time and change that it publishes
with the truth of a simulated Polymarket.
--seeds N   the number of worlds (default: 20, with --seed 1)
--seed S    the first seed (default: 1)
--days N    checks only the changes, over so many days

Exit status: 0 everything is true, 1 something is not, 2 the options are wrong.`;

const option = { type: 'string' } as const;
const values = readArguments(USAGE, { seeds: option, seed: option, days: option });
const first = Number(values.seed ?? 1);
const count = Number(values.seeds ?? (values.seed === undefined ? 20 : 1));
const days = Number(values.days ?? 1);
if (![first, count, days].every((number) => Number.isSafeInteger(number) && number > 0))
  exitWithUsage(USAGE, 'Each option must be a whole number above 0.');

if (values.days !== undefined) process.exit((await checkDays(days, first)) === 0 ? 0 : 1);

const checked = new Map<string, number>();
const compared = new Map<string, number>();
const starts = new Map<string, number>();
let broken = 0;
let unserved = 0;
for (let seed = first; seed < first + count; seed++) {
  // After 60 minutes, the 1-hour changes begin at the service's own samples.
  const minutes = seed % 5 === 0 ? 100 : 40;
  const world = new World({
    seed,
    minutes,
    markets: 450,
    maxMarkets: 300,
    loose: 0.4,
    ...conditionsOf(seed),
    plan: planFaults,
  });
  const invariants = new Invariants(world);
  const callers = new Callers(world, invariants.violation);
  await world.run(() => {
    invariants.check();
    void callers.call();
  });
  addTo(checked, invariants.checked);
  addTo(compared, Object.entries(callers.compared));
  addTo(starts, Object.entries(invariants.starts));
  broken += invariants.violations.length;
  const missing = world.served.filter(
    ({ at, asOf }) => asOf === undefined && at > world.start + 120_000,
  ).length;
  unserved += missing;
  const state =
    invariants.violations.length === 0
      ? 'no broken invariant'
      : `${invariants.violations.length} BROKEN`;
  console.log(
    `seed ${seed}: ${world.published.length} snapshots, ${missing} reads without data, ${state}`,
  );
  for (const { at, market, expected, found } of invariants.violations.slice(0, 8)) {
    console.log(`  ${at} ${market}: expected ${expected}; found ${found}`);
  }
}
console.log(`responses: ${Array.from(compared, ([what, n]) => `${n} ${what}`).join(', ')}`);
const counts = Array.from(checked, ([source, n]) => `${n} ${source}`).join(', ');
const begins = ['tight', 'loose', 'nowhere']
  .map((book) => `${starts.get(book) ?? 0} ${book}`)
  .join(', ');
console.log(`books at the starts of changes: ${begins}`);
console.log(
  `seeds ${first} to ${first + count - 1}: ${broken} broken invariants, ${unserved} reads without data; prices checked: ${counts}`,
);
process.exitCode = broken === 0 ? 0 : 1;

function addTo(total: Map<string, number>, added: Iterable<readonly [string, number]>): void {
  for (const [name, n] of added) total.set(name, (total.get(name) ?? 0) + n);
}
