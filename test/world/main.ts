/** `npm run world`: the service in virtual time. Options: see USAGE. */
import { exitWithUsage, readArguments } from '../../tools/arguments.ts';
import { checkDays } from './days.ts';
import { runFaultyWorld } from './faulty-world.ts';

const USAGE = `Usage: npm run world -- [--seeds N] [--seed S] [--days N]

Runs the service in virtual time with seeded faults, and compares every price, time and change that it publishes
with the truth of a simulated Polymarket.
--seeds N   the number of worlds (default: 20, with --seed 1)
--seed S    the first seed (default: 1)
--days N    checks only the changes, over so many days

Exit status: 0 everything is true, 1 something is not, 2 the options are wrong.`;

const option = { type: 'string' } as const;
const values = readArguments(USAGE, { seeds: option, seed: option, days: option });
const firstSeed = Number(values.seed ?? 1);
const seeds = Number(values.seeds ?? (values.seed === undefined ? 20 : 1));
const days = Number(values.days ?? 1);
if (![firstSeed, seeds, days].every((number) => Number.isSafeInteger(number) && number > 0))
  exitWithUsage(USAGE, 'Each option must be a whole number above 0.');

if (values.days !== undefined) process.exit((await checkDays(days, firstSeed)) ? 0 : 1);

/** The sums over all worlds. The maps count by name. */
const totals = {
  broken: 0,
  unserved: 0,
  /** Prices that were checked, by source. */
  prices: new Map<string, number>(),
  /** Rows, events and points that callers compared, by endpoint. */
  responses: new Map<string, number>(),
  /** Changes by the book at their start: tight, loose or nowhere. */
  starts: new Map<string, number>(),
};

const lastSeed = firstSeed + seeds - 1;
for (let seed = firstSeed; seed <= lastSeed; seed++) await checkWorld(seed);

console.log(`responses: ${listOf(totals.responses)}`);
console.log(`books at the starts of changes: ${listOf(totals.starts)}`);
const result = `${totals.broken} broken invariants, ${totals.unserved} reads without data`;
console.log(
  `seeds ${firstSeed} to ${lastSeed}: ${result}; prices checked: ${listOf(totals.prices)}`,
);
process.exitCode = totals.broken === 0 ? 0 : 1;

/** Runs one world, prints what broke in it, and adds its counts to the totals. */
async function checkWorld(seed: number): Promise<void> {
  // After 60 minutes, the 1-hour changes begin at the service's own samples.
  const minutes = seed % 5 === 0 ? 100 : 40;
  const size = { minutes, markets: 450, maxMarkets: 300 };
  const { world, invariants, callers } = await runFaultyWorld(seed, size);
  const { violations, checked, starts } = invariants;
  const expectedSince = world.start + 120_000;
  const unserved = world.served.filter(
    ({ at, asOf }) => asOf === undefined && at > expectedSince,
  ).length;
  const state = violations.length === 0 ? 'no broken invariant' : `${violations.length} BROKEN`;
  const numbers = `${world.published.length} snapshots, ${unserved} reads without data`;
  console.log(`seed ${seed}: ${numbers}, ${state}`);
  for (const { at, market, expected, found } of violations.slice(0, 8))
    console.log(`  ${at} ${market}: expected ${expected}; found ${found}`);
  totals.broken += violations.length;
  totals.unserved += unserved;
  addTo(totals.prices, checked);
  addTo(totals.responses, Object.entries(callers.compared));
  addTo(totals.starts, Object.entries(starts));
}

function addTo(total: Map<string, number>, added: Iterable<readonly [string, number]>): void {
  for (const [name, count] of added) total.set(name, (total.get(name) ?? 0) + count);
}

/** For example `8988 trade, 22462 book`. */
function listOf(total: ReadonlyMap<string, number>): string {
  return Array.from(total, ([name, count]) => `${count} ${name}`).join(', ');
}
