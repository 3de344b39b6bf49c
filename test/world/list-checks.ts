// Checks which markets are in a published list. The service runs in a simulated world, so the
// markets that are open are known.

import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';
import type { Published } from './container.ts';
import type { Fault } from './faults.ts';
import { iso, MAX_PRICE_AGE_MS, type Report } from './price-checks.ts';
import type { TrueMarket } from './true-market.ts';
import { MINUTE, type World } from './world.ts';

/**
 * After this time the list contains a market that opened, and no longer contains one that closed.
 */
const LISTING_MS = 15 * MINUTE;
/** After this time without a fault, a list has everything. */
export const QUIET_MS = LISTING_MS + 10 * MINUTE;
/** This share of the list is checked. Markets near its end come and go with their volumes. */
const SURE_SHARE = 0.9;
/** The service says in `missing` that a list lost a larger share than this (docs/api.md). */
const MAX_LOST_SHARE = 0.2;
/** So near to this limit, either is right: the service learns volumes and closings a little late. */
const LOST_MARGIN = 0.03;

/**
 * Checks that each list has the open markets of highest volume and no closed ones, and that it says
 * if it lost many.
 */
export class ListChecks {
  readonly #world: World;
  /** The markets of the last list that lost no more than a fifth of the one before. */
  #complete: readonly TrueMarket[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  check({ at, snapshot }: Published, report: Report): void {
    this.#checkLoss(at, snapshot, report);
    const { isSteady, start } = this.#world;
    if (!isSteady) return;
    const from = at - QUIET_MS;
    const faults = this.#world.faultsIn(from, at);
    if (faults.every(leavesComplete)) this.#checkOpen(at, snapshot, report);
    if (faults.length === 0 && from > start) this.#checkClosed(snapshot, report);
  }

  /** Reports a loss of markets that the snapshot does not show, and a shown loss that is none. */
  #checkLoss(at: number, snapshot: SnapshotDraft, report: Report): void {
    const { missing } = snapshot;
    const listed = tokensOf(snapshot);
    const expected = this.#stillExpected(at, snapshot);
    const lost = expected.filter(({ yes }) => !listed.has(yes)).length;
    const share = lost / Math.max(1, expected.length);
    const isNearLimit = Math.abs(share - MAX_LOST_SHARE) <= LOST_MARGIN;
    // If the check cannot decide, it believes the service.
    const isUnsure = isNearLimit || this.#mayLackBooks(at);
    const isLost = isUnsure ? missing !== undefined : share > MAX_LOST_SHARE;
    const numbers = `${lost} of ${expected.length} lost`;
    if (isLost && !missing) report('the list', 'a loss that is shown', numbers);
    if (!isLost && missing)
      report('the list', 'no loss', `${missing.markets.length} shown, ${numbers}`);
    if (isLost) return;
    this.#complete = this.#world.polymarket.markets.filter(({ yes }) => listed.has(yes));
  }

  /** Markets of the last complete list that are open and large enough for this list. */
  #stillExpected(at: number, { markets }: SnapshotDraft): readonly TrueMarket[] {
    const isFull = markets.length >= this.#world.options.maxMarkets;
    const lowest = isFull ? (markets.at(-1)?.volume ?? 0) : -1;
    return this.#complete.filter((market) => market.isOpen(at) && market.volume(at) > lowest);
  }

  /** Whether CLOB may have omitted books. An omitted book looks like that of a closed market. */
  #mayLackBooks(at: number): boolean {
    const faults = this.#world.faultsIn(at - MAX_PRICE_AGE_MS, at);
    return faults.some(({ route }) => route === 'prices');
  }

  /** Reports an open market of high volume that is not listed. */
  #checkOpen(at: number, snapshot: SnapshotDraft, report: Report): void {
    const { polymarket, options } = this.#world;
    const { catalogueAsOf } = snapshot;
    const listed = tokensOf(snapshot);
    const open = polymarket.markets.filter(
      (market) =>
        market.isOpen(at) &&
        market.opensAt < catalogueAsOf - LISTING_MS &&
        market.closesAt > at + MINUTE,
    );
    open.sort((a, b) => b.volume(at) - a.volume(at));
    for (const market of open.slice(0, SURE_SHARE * options.maxMarkets)) {
      const { yes, opensAt } = market;
      const hasTrade = market.quote(at).last !== undefined;
      // A rejected token has only the price of the catalogue, which counts for ten minutes.
      const isRead = !polymarket.rejected.has(yes) || at - catalogueAsOf < MAX_PRICE_AGE_MS / 2;
      if (!listed.has(yes) && hasTrade && isRead)
        report(yes, 'listed', `not listed, open since ${iso(Math.max(opensAt, 0))}`);
    }
  }

  /** Reports a listed market that closed long ago. */
  #checkClosed(snapshot: SnapshotDraft, report: Report): void {
    const listed = tokensOf(snapshot);
    for (const { yes, closesAt } of this.#world.polymarket.markets) {
      if (listed.has(yes) && closesAt < snapshot.asOf - LISTING_MS)
        report(yes, 'not listed', `listed, closed ${iso(closesAt)}`);
    }
  }
}

function tokensOf({ markets }: SnapshotDraft): ReadonlySet<string> {
  return new Set(markets.map(({ clobTokenId }) => clobTokenId));
}

/**
 * Whether a fault leaves the markets of a list complete. The service notices a wrong order and a
 * cursor that leads back: the run fails, so no list has these pages. Histories decide changes only.
 */
function leavesComplete({ kind, route }: Fault): boolean {
  return kind === 'unsorted' || kind === 'looping' || route === 'batch-prices-history';
}
