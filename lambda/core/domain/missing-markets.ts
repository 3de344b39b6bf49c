/** Detects a list that lost markets, because upstream hides them. */
import { MAX_MISSING_PERCENT } from '../contract/constants.ts';
import { paddedConditionId } from './ids.ts';
import type { Market } from './market.ts';
import type { MissingCounts } from './snapshot.ts';
import { DAY_MS, type UnixMs } from './time.ts';

/** A market that the list should have and lacks. */
interface MissingMarket {
  /** Padded condition id. */
  readonly id: string;
  readonly endsAt: UnixMs;
  /** USD, in the last list that had it. */
  readonly volume: number;
}

/** What a list lacks: the numbers for callers, and which markets these are. */
export interface MissingMarkets extends Omit<MissingCounts, 'markets'> {
  readonly markets: readonly MissingMarket[];
}

/** After this time, the list that callers get counts as complete, whatever it lacks. */
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
 * The markets of the last complete list are those of the previous list, and those that it lacked.
 * So nothing stores the complete list.
 *
 * @returns undefined if the new list is complete: it lacks at most 20 %, or has lacked more for
 * seven days
 */
export function missingMarkets(
  previous: PreviousList,
  { asOf, markets, maxMarkets, closed }: NewList,
): MissingMarkets | undefined {
  const since = previous.missing?.since ?? asOf;
  if (asOf - since >= MAX_INCOMPLETE_MS) return undefined;
  const listed = new Set(markets.map(({ id }) => paddedConditionId(id)));
  const known = [...previous.markets.map(missingMarket), ...(previous.missing?.markets ?? [])];
  const absent = known.filter(
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

function missingMarket({ id, endDate, volume }: Market): MissingMarket {
  return { id: paddedConditionId(id), endsAt: Date.parse(endDate), volume };
}
