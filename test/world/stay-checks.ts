// Checks that markets stay in the list of the service while the simulated Polymarket has a fault.

import type { Published } from './container.ts';
import { MAX_PRICE_AGE_MS, quotesBetween, type Report } from './price-checks.ts';
import { mayLackTrade } from './reading-faults.ts';
import { MAX_SKEW_MS, MINUTE, type World } from './world.ts';

/**
 * A single fault of this length must not remove a market. A crawl is one reading of the catalogue:
 * a punctual schedule has two in this time, and late and doubled runs have more.
 */
const MAX_KEPT_MS = 4 * MINUTE;
const MAX_KEPT_CRAWLS = 2;

/**
 * Reports a market that left the list although CLOB, the API for prices, has its book and a trade.
 *
 * @param tokensBefore the list that the run knew, by volume
 */
export function checkStays(
  world: World,
  { at, snapshot: { markets, asOf } }: Published,
  tokensBefore: readonly string[],
  report: Report,
): void {
  if (!mustKeep(world, at)) return;
  const { polymarket } = world;
  const listed = new Set(markets.map(({ clobTokenId }) => clobTokenId));
  // Volumes move markets of the lower half across the end of the list.
  for (const token of tokensBefore.slice(0, tokensBefore.length / 2)) {
    const truth = polymarket.byToken.get(token);
    if (listed.has(token) || !truth?.isOpen(at) || polymarket.rejected.has(token)) continue;
    if (mayLackTrade(world, truth, asOf)) continue;
    const hasBook = quotesBetween(truth, asOf, at).every(
      ({ bid, ask, last }) => (bid ?? ask) !== undefined && last !== undefined,
    );
    if (hasBook) report(token, 'listed: CLOB has its book and a trade', 'not listed');
  }
}

/** Whether there was at most one fault, and it began recently. */
function mustKeep(world: World, at: number): boolean {
  const faults = world
    .faultsIn(at - MAX_PRICE_AGE_MS, at)
    .filter(({ route }) => route !== 'batch-prices-history');
  const isLong = faults.some(
    ({ from }) => from < at - MAX_KEPT_MS || crawlsIn(world, from, at) > MAX_KEPT_CRAWLS,
  );
  return faults.length <= 1 && !isLong;
}

/** The number of catalogues that were read and published in a span. */
function crawlsIn({ published }: World, from: number, until: number): number {
  const recent = published.filter(
    ({ at, snapshot }) => snapshot.catalogueAsOf > from - MAX_SKEW_MS && at <= until,
  );
  return new Set(recent.map(({ snapshot }) => snapshot.catalogueAsOf)).size;
}
