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

/** `MissingCounts`, and which markets these are. */
export interface MissingMarkets extends Omit<MissingCounts, 'markets'> {
  readonly markets: readonly MissingMarket[];
}

/** After this time, the list that callers get counts as complete, whatever it lacks. */
const MAX_INCOMPLETE_MS = 7 * DAY_MS;

/** The list of the newest snapshot, and what that list lacked. */
interface ListBefore {
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
 * Finds the markets of the last complete list that a new list lacks, by their ids, because other
 * markets can take their places. A market should be listed until its end date has passed, the
 * upstream shows it as closed, or its volume is too low for the list.
 *
 * The list before and what that list lacked have all markets of the last complete list, so nothing
 * stores the complete list.
 *
 * @returns undefined if the new list is complete: it lacks at most 20 %, or has lacked more for
 * seven days
 */
export function missingMarkets(
  before: ListBefore,
  { asOf, markets, maxMarkets, closed }: NewList,
): MissingMarkets | undefined {
  const since = before.missing?.since ?? asOf;
  if (asOf - since >= MAX_INCOMPLETE_MS) return undefined;
  const listed = new Set(markets.map(({ id }) => paddedConditionId(id)));
  const known = [...before.markets.map(described), ...(before.missing?.markets ?? [])];
  const absent = known.filter(
    ({ id, endsAt }) => endsAt > asOf && !listed.has(id) && !closed.has(id),
  );
  const volumes = [...markets, ...absent].map(({ volume }) => volume).sort((a, b) => b - a);
  const lowest = volumes[maxMarkets] ?? Number.NEGATIVE_INFINITY;
  const missing = absent.filter(({ volume }) => volume > lowest);
  const expected = Math.min(volumes.length, maxMarkets);
  return missing.length > (MAX_MISSING_PERCENT / 100) * expected
    ? { since, markets: missing, expected }
    : undefined;
}

function described({ id, endDate, volume }: Market): MissingMarket {
  return { id: paddedConditionId(id), endsAt: Date.parse(endDate), volume };
}
