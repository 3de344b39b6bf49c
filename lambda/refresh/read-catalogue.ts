import { paddedConditionId } from '../domain/condition-id.ts';
import { byVolume, type CatalogueMarket } from '../domain/market.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import type { Clock } from '../platform/clock.ts';
import {
  type Band,
  type BandPlan,
  BandsIgnoredError,
  crawlBands,
  isInBands,
  PLAIN_MARKETS,
} from './bands.ts';
import { crawl } from './crawl.ts';
import type { Catalogue } from './ports.ts';
import type { RunReport } from './run-report.ts';
import { SeenMarkets } from './seen-markets.ts';
import type { TailTurns } from './tail-turns.ts';
import { askForUnseen } from './unseen-markets.ts';

/** Time for the markets that no page has shown: a hiccup is over by then, and without them a run is hardly worse. */
const UNSEEN_MS = 10_000;

export interface CatalogueReader {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly maxMarkets: number;
  /** How to read side by side. @default page after page */
  readonly bands?: BandPlan;
  /** Which part of a large catalogue a run reads. @default all of it */
  readonly turns?: TailTurns;
}

export interface CatalogueReading {
  /** In list order. */
  readonly markets: readonly CatalogueMarket[];
  /** Markets of the previous snapshot that may be there although they were not read; the rest of them are gone. */
  readonly unread: readonly SnapshotEntry[];
  /** What was read of the catalogue. */
  readonly bands: readonly Band[];
}

/**
 * Reads the catalogue: in bands where the previous snapshot says how, otherwise page after page; then asks for the
 * markets of the previous snapshot that should have been on the pages and were not.
 *
 * @param previous entries of the newest snapshot, in list order
 * @param deadline absolute ms
 * @param onMarkets told the new listable markets of each response
 * @throws whatever the catalogue throws once its retries are used up: without its pages there is no snapshot
 */
export async function readCatalogue(
  reader: CatalogueReader,
  previous: readonly SnapshotEntry[],
  deadline: number,
  report: RunReport,
  onMarkets: (markets: readonly CatalogueMarket[]) => void,
): Promise<CatalogueReading> {
  const { catalogue, clock, maxMarkets } = reader;
  const markets: CatalogueMarket[] = [];
  const add = (some: readonly CatalogueMarket[]) => {
    markets.push(...some);
    onMarkets(some);
  };
  let seenMarkets = new SeenMarkets(report);
  let bands = bandsOf(reader, previous);
  if (bands) {
    report.bands = bands.length;
    const inBands: CatalogueMarket[] = [];
    try {
      await crawlBands(catalogue, bands, deadline, seenMarkets, (some) => {
        inBands.push(...some);
        onMarkets(some);
      });
      for (const market of inBands) markets.push(market); // too many to be arguments of one call
    } catch (error) {
      if (!(error instanceof BandsIgnoredError)) throw error;
      reader.bands?.ignored(clock.now());
      report.bandsIgnored = true;
      seenMarkets = new SeenMarkets(report);
      bands = undefined;
    }
  }
  if (!bands) {
    const most = reader.bands ? Math.min(maxMarkets, PLAIN_MARKETS) : maxMarkets;
    for await (const page of crawl(catalogue, most, deadline, seenMarkets)) add(page);
  }
  if (markets.length === 0) throw new Error('The catalogue holds no market that can be listed');
  // Of a small stage that was everything: whatever is missing now has moved, or is gone.
  const large = maxMarkets > PLAIN_MARKETS;
  const lowest = markets.reduce((least, { volume }) => Math.min(least, volume), Number.POSITIVE_INFINITY);
  const read = bands ?? [{ from: large ? lowest : 0, to: Number.POSITIVE_INFINITY }];
  const missing = previous.filter(({ market }) => !seenMarkets.saw(market.id));
  const unseen = missing.filter(({ market }) => isInBands(read, market.volume));
  const until = Math.min(deadline, clock.now() + UNSEEN_MS);
  const { found, closed } = await askForUnseen(catalogue, unseen, markets, seenMarkets, until, report);
  if (found.length > 0) add(found);
  return {
    markets: markets.sort(byVolume),
    unread: missing.filter(
      ({ market }) => !seenMarkets.saw(market.id) && !closed.has(paddedConditionId(market.id)),
    ),
    bands: read,
  };
}

function bandsOf(
  { bands, turns, maxMarkets, clock }: CatalogueReader,
  previous: readonly SnapshotEntry[],
): readonly Band[] | undefined {
  const volumes = previous.map(({ market }) => market.volume);
  const all = bands?.bands(volumes, maxMarkets, clock.now());
  return all && (turns?.bands(all, volumes.length, clock.now()) ?? all);
}
