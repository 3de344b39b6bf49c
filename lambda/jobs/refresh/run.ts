/** What the steps of a run of the refresher share: its dependencies, times, and newest snapshot. */
import type { Market } from '../../core/domain/market.ts';
import { ageSeconds, isServable, type UnixMs } from '../../core/domain/time.ts';
import type { PointerInfo } from '../../io/snapshots/pointer-writer.ts';
import type { SnapshotWriter } from '../../io/snapshots/snapshot-writer.ts';
import type { CatalogueDependencies } from './crawl.ts';
import type { HistoryDependencies } from './history-requests.ts';
import type { PriceDependencies, PriceReader } from './price-reader.ts';
import { RefreshError } from './run-result.ts';
import type { SizeDependencies } from './size-reader.ts';
import { TIMEOUTS } from './timeouts.ts';

/** What every run uses. */
export interface RefreshDependencies
  extends CatalogueDependencies,
    PriceDependencies,
    SizeDependencies,
    HistoryDependencies {
  /** Reads CLOB. `PriceDependencies` and `SizeDependencies` name different methods of it. */
  readonly prices: PriceDependencies['prices'] & SizeDependencies['prices'];
  readonly writer: Pick<SnapshotWriter, 'newest' | 'publish' | 'recordShrunkRun'>;
  readonly random: () => number;
  /** The host of the catalogue, such as `gamma-api.polymarket.com`. */
  readonly upstream: string;
}

/** One run of the refresher: its dependencies and its times. */
export interface Run extends RefreshDependencies {
  readonly started: UnixMs;
  readonly deadline: UnixMs;
  readonly reader: PriceReader;
  /** Resolves when the past prices are loaded, from which price changes start. */
  readonly startPricesReady: Promise<void>;
}

/** The published snapshot with the newest data; undefined without a readable one. */
export type Newest =
  | { readonly info: PointerInfo; readonly markets: readonly Market[] }
  | undefined;

/** If a larger share of the newest snapshot would leave because of old prices, the run fails. */
const MAX_SHARE_TOO_OLD = 0.5;

/**
 * Reads the newest snapshot.
 *
 * @throws TimeoutError after 10 s or at the run's deadline, or the table's error
 */
export function readNewest({
  writer,
  clock,
  deadline,
}: Pick<Run, 'writer' | 'clock' | 'deadline'>): Promise<Newest> {
  return writer.newest(Math.min(deadline, clock.now() + TIMEOUTS.newestTimeoutMs));
}

/**
 * Checks that few markets would leave the list because of old prices. If most would, CLOB is out.
 * The run then fails, and the newest list ages until callers get an error: a short list would look
 * complete. If the newest list is already too old, a shorter one is better than none.
 *
 * @param tooOld tokens of markets whose only price is too old
 * @throws RefreshError if they are more than half of the newest snapshot's markets
 */
export function requireRecentPrices(
  { clock }: Run,
  newest: Newest,
  tooOld: ReadonlySet<string>,
): void {
  if (!newest || !isServable(ageSeconds(newest.info.asOf, clock.now()))) return;
  const leaving = newest.markets.filter(({ clobTokenId }) => tooOld.has(clobTokenId)).length;
  if (leaving > MAX_SHARE_TOO_OLD * newest.markets.length) {
    throw new RefreshError('The prices of most markets are older than ten minutes');
  }
}
