import { paddedConditionId } from '../domain/condition-id.ts';
import type { CatalogueMarket } from '../domain/market.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import { type Band, isInBands } from './bands.ts';

/** The bands of so many markets are read in every run … */
const TOP_MARKETS = 2_000;
/** … and all others, too, where there are no more than so many: then a run takes 15 s. */
const WHOLE_MARKETS = 10_000;
/** Beyond, a run reads this share of the rest: with full runs every two minutes its facts are at most 14 minutes old. */
const TURNS = 7;
/** A market that its part of the catalogue was read without so often is gone, whatever nobody could be asked about it … */
const MOST_READINGS = 2;
/** … and one that was not seen in two rounds is gone although its part was not read. */
const MOST_UNSEEN_RUNS = 2 * TURNS;

/** A market of which nothing was seen. */
interface Absence {
  /** The first run of it. */
  readonly since: number;
  /** How often its part of the catalogue was read meanwhile. */
  readonly readings: number;
}

/** The tail of a large catalogue is read in turns. One for all runs of a container. */
export class TailTurns {
  #turn: number | undefined;
  /** By padded id. */
  #absences = new Map<string, Absence>();
  #run = 0;

  /**
   * The bands of this run.
   *
   * @param markets of the previous snapshot
   * @param now ms: a new container begins anywhere, so that no part of the tail waits for the others twice
   */
  bands(all: readonly Band[], markets: number, now: number): readonly Band[] {
    if (markets <= WHOLE_MARKETS) return all;
    this.#turn = ((this.#turn ?? Math.floor(now / 1_000)) + 1) % TURNS;
    const top = Math.ceil((all.length * TOP_MARKETS) / markets);
    // What a stage grows by waits for no turn: between the bands of one turn everything would be missing.
    return all.filter(({ pages }, n) => n < top || pages !== undefined || n % TURNS === this.#turn);
  }

  /**
   * The markets of the previous snapshot that are believed to be there although this run did not come by them.
   *
   * @param unread that may be there
   * @param bands that were read, of `all`
   * @param midpoints of all markets, this run's and the unread ones
   */
  carried(
    unread: readonly SnapshotEntry[],
    markets: readonly CatalogueMarket[],
    bands: readonly Band[],
    midpoints: ReadonlyMap<string, number>,
  ): SnapshotEntry[] {
    this.#run += 1;
    const found = new Set(markets.map(({ id }) => paddedConditionId(id)));
    const absences = new Map<string, Absence>();
    const carried = unread.filter(({ market }) => {
      const id = paddedConditionId(market.id);
      if (found.has(id)) return false;
      const { since, readings } = this.#absences.get(id) ?? { since: this.#run, readings: 0 };
      const wasRead = isInBands(bands, market.volume);
      const absence = { since, readings: wasRead ? readings + 1 : readings };
      // Not in its band any more and without an order book: closed. With one it may have grown into a band of another turn,
      // or nobody could be asked about it.
      if (wasRead && !midpoints.has(market.clobTokenId)) return false;
      if (absence.readings >= MOST_READINGS || this.#run - since >= MOST_UNSEEN_RUNS) return false;
      absences.set(id, absence);
      return true;
    });
    this.#absences = absences;
    return carried;
  }
}
