/**
 * Bands: ranges of volume that divide Polymarket's catalogue, so that a crawl can read its parts at
 * the same time. Without bands it reads in sequence, because each page names the next one.
 */
import type { CatalogueRecord } from '../../core/domain/market.ts';
import { HOUR_MS, type UnixMs } from '../../core/domain/time.ts';
import { itemAt } from '../../core/domain/values.ts';
import { GAMMA_PAGE_MARKETS } from '../../io/polymarket/gamma-catalogue.ts';

/**
 * The markets with volumes in USD from `from` up to `to`, where the next band begins. The crawl
 * reads a band from its lowest volume upwards.
 */
export type Band = Readonly<{ from: number; to: number }>;

/**
 * A run reads at most this many markets in sequence: that takes 44 s. A longer list grows from run
 * to run, because its lowest band reaches below the list.
 */
export const MAX_PLAIN_MARKETS = 4_000;
/** For a list of fewer pages, reading in sequence is as fast. */
const MIN_PAGES = 4;
/** If the catalogue ignores the bounds or the order, runs read in sequence for this time. */
const PLAIN_TTL_MS = HOUR_MS;
/**
 * The lowest band begins at this share of the last market's volume: markets above may have closed,
 * so others below move into the list.
 */
const LOWEST_SHARE = 0.98;
/** The same share for a list that grows. The band then has a quarter more markets, in about 15 s. */
const GROWTH_SHARE = 0.8;

/**
 * Decides whether a crawl reads the catalogue in bands or in sequence. One plan serves all runs of
 * a container, so that it can remember that the catalogue ignored the bounds.
 */
export class BandPlan {
  #plainUntil: UnixMs = Number.NEGATIVE_INFINITY;

  /**
   * The bands of a crawl, highest first; none if it should read in sequence.
   *
   * @param volumes of the previous snapshot, descending
   * @param maxMarkets length of a full list
   */
  bands(volumes: readonly number[], maxMarkets: number, now: UnixMs): readonly Band[] {
    const lastVolume = volumes.at(-1) ?? 0;
    const isFull = volumes.length >= maxMarkets;
    const isShort = volumes.length < MIN_PAGES * GAMMA_PAGE_MARKETS;
    if (now < this.#plainUntil || isShort || lastVolume <= 0) return [];
    // A crawl in sequence fills such a list in one run.
    if (!isFull && maxMarkets <= MAX_PLAIN_MARKETS) return [];
    return divide(volumes, lastVolume * (isFull ? LOWEST_SHARE : GROWTH_SHARE));
  }

  /** Records that the catalogue ignored the bounds: runs then read in sequence for an hour. */
  ignored(now: UnixMs): void {
    this.#plainUntil = now + PLAIN_TTL_MS;
  }
}

/** The markets of a band. With unlistable records (about 4 %), they fit one page of 100. */
const BAND_MARKETS = 85;

/**
 * Divides a list into bands with about equally many markets. For example, 170 markets and
 * `lowest` 9 make `[{ from: volumes[85], to: Infinity }, { from: 9, to: volumes[85] }]`.
 */
function divide(volumes: readonly number[], lowest: number): Band[] {
  const count = Math.ceil(volumes.length / BAND_MARKETS);
  const bands: Band[] = [];
  let to = Number.POSITIVE_INFINITY;
  for (let n = 1; n <= count; n++) {
    const from = volumes[Math.floor((n * volumes.length) / count)] ?? lowest;
    // Neighbours of equal volume would make an empty band.
    if (from < to) bands.push({ from, to });
    to = from;
  }
  return bands;
}

/** Thrown if the catalogue does not apply the lower bound or the order of a band. */
export class BandsIgnoredError extends Error {
  override readonly name = 'BandsIgnoredError';
}

/**
 * The volume that upstream returns can differ by this many USD from the one that it filters by,
 * because it sometimes rounds `volumeNum` (docs/upstream.md).
 */
const VOLUME_SLACK = 1;

/** The lower bound in a request for a band: below `from`, which upstream may have rounded up. */
export function lowerBound({ from }: Band): number {
  return Math.max(0, from - VOLUME_SLACK);
}

/**
 * Checks a page that answers a request for a band. Drops markets below the band, because their
 * volume is wrong.
 *
 * @returns `isLast` if the page reaches beyond the band
 * @throws BandsIgnoredError if most markets lie below the band, or are not in order
 */
export function checkPage(band: Band, records: readonly CatalogueRecord[]) {
  // Upstream may also have rounded down the volumes of this page.
  const lowest = lowerBound(band) - VOLUME_SLACK;
  const isBelow = (record: CatalogueRecord): boolean =>
    record.kind === 'listable' && record.market.volume < lowest;
  const kept = records.filter((record) => !isBelow(record));
  const volumes = listedVolumes(kept);
  const isMostlyBelow = records.length - kept.length > volumes.length;
  if (isMostlyBelow || ignoresOrder(kept, 'ascending')) {
    throw new BandsIgnoredError('The catalogue does not apply the lower bound or the order');
  }
  return { records: kept, isLast: (volumes.at(-1) ?? 0) >= band.to };
}

/**
 * An upstream that ignores the order has half of all neighbours on a page against it. Moving
 * volumes and old caches put at most 0.05 % against it (docs/upstream.md).
 */
const MAX_UNORDERED_SHARE = 0.1;
/** One market out of place says nothing on a page of a few markets. */
const MIN_UNORDERED = 2;

/** Whether the catalogue ignored the order of volumes that the request asked for. */
export function ignoresOrder(
  records: readonly CatalogueRecord[],
  order: 'ascending' | 'descending',
): boolean {
  const ascending = listedVolumes(order === 'ascending' ? records : records.toReversed());
  let unordered = 0;
  for (let n = 1; n < ascending.length; n++)
    if (itemAt(ascending, n) < itemAt(ascending, n - 1) - VOLUME_SLACK) unordered += 1;
  const maxUnordered = MAX_UNORDERED_SHARE * (ascending.length - 1);
  return unordered >= MIN_UNORDERED && unordered > maxUnordered;
}

/** The volumes of the records that can be listed. */
function listedVolumes(records: readonly CatalogueRecord[]): readonly number[] {
  return records.flatMap((record) => (record.kind === 'listable' ? [record.market.volume] : []));
}
