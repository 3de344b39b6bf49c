import { GAMMA_PAGE_MARKETS } from '../contract/constants.ts';
import type { CatalogueMarket } from '../domain/market.ts';
import type { Catalogue } from './ports.ts';
import type { SeenMarkets } from './seen-markets.ts';

/** A stretch of the catalogue by volume in USD, read upwards from its lower end. */
export interface Band {
  readonly from: number;
  /** Where the next one begins. */
  readonly to: number;
  /** What lies beyond comes another time. @default as many as there are */
  readonly pages?: number;
}

/** Whether a volume lies in one of some bands. */
export function isInBands(bands: readonly Band[], volume: number): boolean {
  return bands.some(({ from, to }) => from <= volume && volume < to);
}

/** The catalogue does not keep to a lower bound that it was given. */
export class BandsIgnoredError extends Error {
  override readonly name = 'BandsIgnoredError';
}

/** So many that a band fits into one page with what cannot be listed (about 4 %), and the page ends beyond the band. */
const BAND_MARKETS = 85;
/** So much below the last market of the previous snapshot the lowest band begins: others may have closed meanwhile. */
const LOWEST_SHARE = 0.98;
/** Nobody knows whether a bound includes what lies on it. */
const BOUND_SLACK = 1e-6;
/**
 * A band that ends later than this loops, or has a part in it that nobody has read yet: what is left comes the next time.
 * One after the other they take 66 s at 1.1 s each, which a run has.
 */
const MOST_PAGES = 60;
/** A stage of more markets than a run can read page after page: it begins with the first ones, and grows by bands below them. */
export const PLAIN_MARKETS = 4_000;
/** So many bands, each down to this share of the one above, of so many pages at most: about 5,000 markets more a run. */
const GROWTH_BANDS = 16;
const GROWTH_SHARE = 0.93;
const GROWTH_PAGES = 6;
/** Below this volume, USD, hardly anything is left: one band takes it all. */
const SMALL_VOLUME = 1_000;
/** A catalogue that ignores bounds is not asked in bands again for so long. */
const PLAIN_MS = 3_600_000;

/** How the catalogue is divided, and whether it may be. One for all runs of a container. */
export class BandPlan {
  #plainUntil = Number.NEGATIVE_INFINITY;

  /**
   * Bands of about equally many markets, as the previous snapshot has them; undefined where plain cursors do as well: for
   * a few pages, or where the snapshot holds the whole catalogue, whose end no bound describes. A large stage that is not
   * full yet grows by bands below what it has.
   *
   * @param volumes of the previous snapshot's markets, descending
   */
  bands(volumes: readonly number[], maxMarkets: number, now: number): readonly Band[] | undefined {
    const last = volumes.at(-1) ?? 0;
    const pages = Math.ceil(volumes.length / GAMMA_PAGE_MARKETS);
    const grows = volumes.length < maxMarkets;
    if (now < this.#plainUntil || pages < 4 || last <= 0) return undefined;
    if (grows && maxMarkets <= PLAIN_MARKETS) return undefined;
    const count = Math.ceil(volumes.length / BAND_MARKETS);
    const cuts = Array.from({ length: count }, (_, n) =>
      n === count - 1
        ? last * LOWEST_SHARE
        : (volumes[Math.floor(((n + 1) * volumes.length) / count)] ?? last),
    );
    const bands = cuts.map((from, n): Band => {
      const to = n === 0 ? Number.POSITIVE_INFINITY : (cuts[n - 1] ?? 0);
      // Wider than a band of growth: there may be a part in it that has not been read to its end.
      return grows && from < to * GROWTH_SHARE ? { from, to, pages: MOST_PAGES } : { from, to };
    });
    return [...bands, ...(grows ? growth(last * LOWEST_SHARE) : [])].filter(({ from, to }) => from < to);
  }

  ignored(now: number): void {
    this.#plainUntil = now + PLAIN_MS;
  }
}

/** Bands below everything that is known. What they miss of a part that is denser than they expect, the next run's bands find. */
function growth(below: number): Band[] {
  if (below < SMALL_VOLUME) return [{ from: 0, to: below, pages: MOST_PAGES }];
  return Array.from({ length: GROWTH_BANDS }, (_, n) => ({
    from: below * GROWTH_SHARE ** (n + 1),
    to: below * GROWTH_SHARE ** n,
    pages: GROWTH_PAGES,
  }));
}

/**
 * Reads bands of the catalogue side by side, each upwards and the lowest first: volumes only grow, so a market that grows
 * while the catalogue is read mostly comes later, not never. Those that do not, `askForUnseen` looks after. Once a band has
 * failed no further page is asked for: without it there is no snapshot.
 *
 * @param onPage told the new listable markets of each page
 * @throws BandsIgnoredError when a page holds a market below its band; else what the catalogue throws
 */
export async function crawlBands(
  catalogue: Catalogue,
  bands: readonly Band[],
  deadline: number,
  seenMarkets: SeenMarkets,
  onPage: (markets: readonly CatalogueMarket[]) => void,
): Promise<void> {
  let failed = false;
  const read = async ({ from, to, pages = MOST_PAGES }: Band) => {
    const atLeast = from * (1 - BOUND_SLACK);
    const cursors = new Set<string>();
    let cursor: string | undefined;
    for (let n = 0; n < pages && !failed; n++) {
      const page = await catalogue.page(cursor, deadline, atLeast);
      const volumes = page.records.flatMap((record) =>
        record.kind === 'listable' ? [record.market.volume] : [],
      );
      if (volumes.some((volume) => volume < atLeast)) {
        throw new BandsIgnoredError('The catalogue does not keep to a lower bound of the volume');
      }
      onPage(seenMarkets.takePage(page).fresh);
      cursor = page.nextCursor;
      if (cursor === undefined || cursors.has(cursor) || (volumes.at(-1) ?? 0) >= to) return;
      cursors.add(cursor);
    }
  };
  const reads = bands.toReversed().map(async (band) => {
    try {
      await read(band);
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  await Promise.all(reads);
}
