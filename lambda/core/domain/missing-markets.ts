/**
 * Detects that the list of a run lost markets. Polymarket can hide markets that still trade, and
 * the service must not publish such a list as complete. For example, the list of noon has the
 * markets A to Z, and the next one has A to T and ten new ones: it lacks U to Z, unless they have
 * ended.
 */
import { MAX_MISSING_PERCENT } from '../contract/constants.ts';
import { paddedConditionId } from './ids.ts';
import type { Market } from './market.ts';
import type { MissingCounts } from './snapshot.ts';
import { DAY_MS, type UnixMs } from './time.ts';

/** A market of an earlier list. */
interface EarlierMarket {
  /** Padded condition id. */
  readonly id: string;
  readonly endsAt: UnixMs;
  /** USD, in the last list that had it. */
  readonly volume: number;
}

/**
 * The markets that a list lacks, for example 450 of `expected` 2,000 `since` noon. Callers get only
 * their number, as `MissingCounts`.
 */
export interface MissingMarkets extends Omit<MissingCounts, 'markets'> {
  readonly markets: readonly EarlierMarket[];
}

/** After this time, a list counts as complete, whatever it lacks. */
const MAX_INCOMPLETE_MS = 7 * DAY_MS;

/** The list of the newest snapshot, and what it lacked. */
interface PreviousList {
  readonly markets: readonly Market[];
  readonly missing?: MissingMarkets;
}

/** A list that a run is about to publish. */
export interface NewList {
  readonly asOf: UnixMs;
  readonly markets: readonly Market[];
  readonly maxMarkets: number;
  /** Padded ids of markets that the catalogue or CLOB shows as closed. */
  readonly closed: ReadonlySet<string>;
}

/**
 * Finds the markets that a new list lacks. It compares ids, because other markets can take the
 * places of missing ones, and the list stays as long. A market should be listed until its end date
 * has passed, the upstream shows it as closed, or its volume is too low for the list.
 *
 * The new list is compared with the previous list and what that one lacked. Together they are the
 * last complete list, so nothing stores that list.
 *
 * @returns undefined if the new list is complete: it lacks at most 20 %, or has lacked more for
 * seven days
 */
export function findMissingMarkets(
  previous: PreviousList,
  { asOf, markets, maxMarkets, closed }: NewList,
): MissingMarkets | undefined {
  const { missing: missingBefore } = previous;
  const since = missingBefore?.since ?? asOf;
  if (asOf - since >= MAX_INCOMPLETE_MS) return undefined;

  const earlier = [...previous.markets.map(asEarlierMarket), ...(missingBefore?.markets ?? [])];
  const listed = new Set(markets.map(({ id }) => paddedConditionId(id)));
  const absent = earlier.filter(
    ({ id, endsAt }) => endsAt > asOf && !listed.has(id) && !closed.has(id),
  );

  // The list should have the `maxMarkets` of highest volume, with the absent ones among them.
  const volumes = [...markets, ...absent].map(({ volume }) => volume).sort((a, b) => b - a);
  const highestCutVolume = volumes[maxMarkets] ?? Number.NEGATIVE_INFINITY;
  const missing = absent.filter(({ volume }) => volume > highestCutVolume);
  const expected = Math.min(volumes.length, maxMarkets);
  if (missing.length <= (MAX_MISSING_PERCENT / 100) * expected) return undefined;
  return { since, markets: missing, expected };
}

function asEarlierMarket({ id, endDate, volume }: Market): EarlierMarket {
  return { id: paddedConditionId(id), endsAt: Date.parse(endDate), volume };
}
