// The service computes price changes, such as the 7-day change, from histories of the upstream,
// which its full runs read. In the simulated world, it must know most changes soon after its first
// start.

import { type ChangeField, hasHole, MAX_GAP_MS, WINDOWS } from './changes.ts';
import type { Published } from './container.ts';
import { QUIET_MS } from './list-checks.ts';
import type { Report } from './price-checks.ts';
import { tightMiddle } from './quote.ts';
import type { TrueMarket } from './true-market.ts';
import { MAX_SKEW_MS, MINUTE, type World } from './world.ts';

/** After this number of full runs, the service has read the histories. */
const HISTORY_RUNS = 4;
/** Not all: a market whose book becomes tight has its history only after the next full run. */
const MIN_KNOWN_SHARE = 0.85;
/** With fewer markets, the share says little. */
const MIN_KNOWABLE = 20;
/**
 * Only changes before this time are checked. Later ones begin at samples: prices that the service
 * read itself.
 */
const BEFORE_SAMPLES_MS = 50 * MINUTE;
/** A sample of the service is at most this much older than the start of a window. */
const MAX_SAMPLE_AGE_MS = 30 * MINUTE;

/**
 * Reports a change that a snapshot has for too few of the markets for which the service must know
 * it. Whether a known change is true, `changesOf` says.
 */
export function checkKnownChanges(
  world: World,
  { at, snapshot: { markets, asOf } }: Published,
  report: Report,
): void {
  if (!world.isSteady || !couldReadHistories(world, at)) return;
  const counts = new Map<ChangeField, { knowable: number; known: number }>();
  for (const market of markets) {
    const truth = world.polymarket.byToken.get(market.clobTokenId);
    if (!truth || market.midpoint === undefined) continue;
    for (const field of knowableChanges(truth, asOf)) {
      const { knowable, known } = counts.get(field) ?? { knowable: 0, known: 0 };
      const isKnown = typeof market[field] === 'number';
      counts.set(field, { knowable: knowable + 1, known: known + Number(isKnown) });
    }
  }
  for (const [field, { knowable, known }] of counts) {
    if (knowable >= MIN_KNOWABLE && known < MIN_KNOWN_SHARE * knowable)
      report('the list', `${field} of ${knowable} markets`, `${known} known`);
  }
}

/**
 * Whether full runs could read the histories. With a `partial` fault they could: the service reads
 * what one route omits from another.
 */
function couldReadHistories(world: World, at: number): boolean {
  if (at >= world.start + BEFORE_SAMPLES_MS) return false;
  const before = world.published.filter((one) => one.at < at);
  const catalogues = new Set(before.map(({ snapshot }) => snapshot.catalogueAsOf));
  const isRead = world
    .faultsIn(world.start, at)
    .every(({ kind, route }) => route !== 'batch-prices-history' || kind === 'partial');
  const hasFullRuns = world
    .faultsIn(at - QUIET_MS, at)
    .every(({ route }) => route === 'batch-prices-history');
  return catalogues.size > HISTORY_RUNS && isRead && hasFullRuns;
}

/**
 * The changes that the service must know when it has read the histories: all books around the
 * start of the window were tight, and the history has no hole there.
 */
function knowableChanges(truth: TrueMarket, asOf: number): ChangeField[] {
  const fields: ChangeField[] = [];
  for (const { field, windowMs, maxAgeMs } of WINDOWS) {
    const start = asOf - windowMs;
    const longestMs = Math.max(maxAgeMs, MAX_SAMPLE_AGE_MS);
    const quotes = [...truth.quotesBefore(start + MAX_SKEW_MS, start - longestMs - MAX_SKEW_MS)];
    const isTight = quotes.every((quote) => tightMiddle(quote) !== undefined);
    const lacksPoints = hasHole(truth, start - maxAgeMs - MAX_GAP_MS, start + MAX_SKEW_MS);
    if (isTight && !lacksPoints) fields.push(field);
  }
  return fields;
}
