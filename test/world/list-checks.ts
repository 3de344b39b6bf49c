import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { knowable, WINDOWS } from './changes.ts';
import type { Published } from './container.ts';
import { CATALOGUE_KINDS, type Fault } from './faults.ts';
import { iso, MAX_PRICE_AGE_MS, type Report } from './price-checks.ts';
import type { TrueMarket } from './truth.ts';
import { MINUTE, type World } from './world.ts';

/**
 * After this time the list contains a market that opened, and no longer contains one that closed.
 */
const LISTING_MS = 15 * MINUTE;
/** After this time without a fault, a list has everything. */
export const QUIET_MS = LISTING_MS + 10 * MINUTE;
/** Markets near the end of the list come and go with their volumes. */
const SURE_SHARE = 0.9;
/** Larger losses are shown (docs/api.md). */
const MAX_LOST_SHARE = 0.2;
/** The service knows volumes and closings a little later than the truth. */
const LOST_MARGIN = 0.03;
/**
 * After so many full runs, the service knows the changes. It reads the history of a market whose
 * book becomes tight in the next full run.
 */
const HISTORY_RUNS = 4;
const MIN_KNOWN_SHARE = 0.85;
const MIN_KNOWABLE = 20;
/** Later changes begin at samples of books, which can fail. */
const BEFORE_SAMPLES_MS = 50 * MINUTE;

/** Checks what a list lacks, and which changes it does not know. */
export class ListChecks {
  readonly #world: World;
  /** The last list that lacked no more than a fifth of the one before. */
  #complete: readonly TrueMarket[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  check({ at, snapshot }: Published, report: Report): void {
    this.#checkLoss(at, snapshot, report);
    const from = at - QUIET_MS;
    const { isSteady, start } = this.#world;
    const faults = this.#world.faultsIn(from, at);
    if (isSteady && faults.every(isNoticed)) this.#checkOpen(at, snapshot, report);
    if (isSteady && faults.length === 0 && from > start) this.#checkClosed(snapshot, report);
    if (isSteady && this.#hasHistories(at)) this.#checkKnown(snapshot, report);
  }

  /** Reports a loss of markets that the snapshot does not show, and a shown loss that is none. */
  #checkLoss(at: number, { markets, missing }: SnapshotDraft, report: Report): void {
    const { polymarket, options } = this.#world;
    const listed = new Set(markets.map(({ clobTokenId }) => clobTokenId));
    const isCut = markets.length >= options.maxMarkets;
    const lowest = isCut ? (markets.at(-1)?.volume ?? 0) : -1;
    const expected = this.#complete.filter(
      (market) => market.isOpen(at) && market.volume(at) > lowest,
    );
    const lost = expected.filter(({ yes }) => !listed.has(yes)).length;
    const share = lost / Math.max(1, expected.length);
    const isSure = Math.abs(share - MAX_LOST_SHARE) > LOST_MARGIN && !this.#isClobSilent(at);
    const isLost = isSure ? share > MAX_LOST_SHARE : missing !== undefined;
    const numbers = `${lost} of ${expected.length} lost`;
    if (isLost && !missing) report('the list', 'a loss that is shown', numbers);
    if (!isLost && missing)
      report('the list', 'no loss', `${missing.markets.length} shown, ${numbers}`);
    if (isLost) return;
    this.#complete = polymarket.markets.filter(({ yes }) => listed.has(yes));
  }

  /** Whether CLOB omitted books. An omitted book looks like that of a closed market. */
  #isClobSilent(at: number): boolean {
    const faults = this.#world.faultsIn(at - MAX_PRICE_AGE_MS, at);
    return faults.some(({ route }) => route === 'prices');
  }

  /** Reports an open market of high volume that is not listed. */
  #checkOpen(at: number, { markets, catalogueAsOf }: SnapshotDraft, report: Report): void {
    const { polymarket, options } = this.#world;
    const listed = new Set(markets.map(({ clobTokenId }) => clobTokenId));
    const open = polymarket.markets
      .filter(
        (market) =>
          market.isOpen(at) &&
          market.opensAt < catalogueAsOf - LISTING_MS &&
          market.closesAt > at + MINUTE,
      )
      .sort((a, b) => b.volume(at) - a.volume(at));
    for (const market of open.slice(0, SURE_SHARE * options.maxMarkets)) {
      const { yes, opensAt } = market;
      const hasTrade = market.quote(at).last !== undefined;
      // A rejected token has only the price of the catalogue, which counts for ten minutes.
      const isRead = !polymarket.rejected.has(yes) || at - catalogueAsOf < MAX_PRICE_AGE_MS / 2;
      if (!listed.has(yes) && hasTrade && isRead)
        report(yes, 'listed', `not listed, open since ${iso(Math.max(opensAt, 0))}`);
    }
  }

  #checkClosed({ markets, asOf }: SnapshotDraft, report: Report): void {
    const listed = new Set(markets.map(({ clobTokenId }) => clobTokenId));
    for (const { yes, closesAt } of this.#world.polymarket.markets) {
      if (listed.has(yes) && closesAt < asOf - LISTING_MS)
        report(yes, 'not listed', `listed, closed ${iso(closesAt)}`);
    }
  }

  /** Whether full runs could read the histories. Those that one route omits come from another. */
  #hasHistories(at: number): boolean {
    const { published, start } = this.#world;
    const before = published.filter((one) => one.at < at);
    const catalogues = new Set(before.map(({ snapshot }) => snapshot.catalogueAsOf));
    const isRead = this.#world
      .faultsIn(start, at)
      .every(({ kind, route }) => route !== 'batch-prices-history' || kind === 'partial');
    const hasFullRuns = this.#world
      .faultsIn(at - QUIET_MS, at)
      .every(({ route }) => route === 'batch-prices-history');
    const isEarly = at < start + BEFORE_SAMPLES_MS;
    return isEarly && catalogues.size > HISTORY_RUNS && isRead && hasFullRuns;
  }

  #checkKnown({ markets, asOf }: SnapshotDraft, report: Report): void {
    const counts = new Map(WINDOWS.map(({ field }) => [field, { knowable: 0, known: 0 }]));
    for (const market of markets) {
      const truth = this.#world.polymarket.byToken.get(market.clobTokenId);
      if (!truth || market.midpoint === undefined) continue;
      for (const field of knowable(truth, asOf)) {
        const count = counts.get(field);
        if (!count) continue;
        count.knowable += 1;
        count.known += Number(typeof market[field] === 'number');
      }
    }
    for (const [field, { knowable: all, known }] of counts) {
      if (all >= MIN_KNOWABLE && known < MIN_KNOWN_SHARE * all)
        report('the list', `${field} of ${all} markets`, `${known} known`);
    }
  }
}

/**
 * Whether a fault leaves the markets of a list complete. A run that reads wrong pages fails, so no
 * list has them. Histories decide changes only.
 */
function isNoticed({ kind, route }: Fault): boolean {
  const isWrong = kind !== 'hidden' && CATALOGUE_KINDS.some((lie) => lie === kind);
  return isWrong || route === 'batch-prices-history';
}
