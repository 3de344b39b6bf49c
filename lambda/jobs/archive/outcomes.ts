import { paddedConditionId } from '../../core/domain/ids.ts';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf, inGroups } from '../../core/domain/values.ts';
import type { Clock } from '../../io/platform/clock.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import {
  payoutOf,
  RESOLUTIONS_BATCH_CONDITIONS,
  type Resolution,
  type Resolutions,
} from '../../io/polymarket/resolutions.ts';
import type { LeftReason } from './day-rows.ts';

/** A market that the archive follows until its outcome is known. */
export interface FollowedMarket {
  readonly id: string;
  /** Index of YES in the outcomes. */
  readonly yes: number;
  readonly endDate?: UnixMs;
  /** From the last snapshot that lists it. */
  readonly lastTime: UnixMs;
  readonly lastVolume: number;
  /** Absent while the market is listed, or if the reason is unknown. */
  readonly leftReason?: LeftReason;
}

/** A row of the outcomes: a payout, or that the archive stopped looking. */
export interface KnownOutcome extends Pick<FollowedMarket, 'id' | 'lastTime' | 'leftReason'> {
  /** What a share of YES pays, 0 to 1. Absent if the archive stopped looking. */
  readonly payout?: number;
  readonly resolvedAt?: UnixMs;
  /** When the job that found it began. */
  readonly knownAt: UnixMs;
}

/** What reads the resolutions. */
export interface OutcomeReader {
  readonly resolutions: Pick<Resolutions, 'read'>;
  readonly clock: Clock;
  readonly logger: Pick<Log, 'warn'>;
}

/**
 * The archive stops looking this long after a market's planned end, or after it left the list if
 * that is later.
 */
export const PATIENCE_MS = 30 * DAY_MS;
/**
 * The largest number of markets that the archive follows. Beyond it, the archive stops looking for
 * those that left the list first.
 */
const MAX_UNRESOLVED = 20_000;
/**
 * The time for all requests of a job: 20,000 markets need 1,000 calls, of which 100 may begin in
 * 10 s.
 */
const RESOLUTIONS_TIMEOUT_MS = 4 * MINUTE_MS;

/**
 * Reads the resolutions of markets that left the list. Never throws: the next job retries failed
 * reads.
 *
 * @param left markets that left the list
 */
export async function readOutcomes(
  left: readonly FollowedMarket[],
  knownAt: UnixMs,
  { resolutions, clock, logger }: OutcomeReader,
): Promise<KnownOutcome[]> {
  const limits = { deadline: clock.now() + RESOLUTIONS_TIMEOUT_MS, retries: 2 };
  const ids = left.map(({ id }) => id);
  const reads = inGroups(ids, RESOLUTIONS_BATCH_CONDITIONS).map((group) =>
    resolutions.read(group, limits),
  );
  const results = await Promise.allSettled(reads);
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) {
    logger.warn('The archive could not read all resolutions; the next job reads them', {
      calls: errors.length,
      error: errors[0],
    });
  }
  const resolutionsById = new Map(
    results.flatMap((result) => (result.status === 'fulfilled' ? [...result.value] : [])),
  );
  return left.flatMap((market) =>
    knownOutcome(market, resolutionsById.get(paddedConditionId(market.id)), knownAt),
  );
}

/** Returns the markets for which the archive stops looking. @param left without a known outcome */
export function givenUp(
  left: readonly FollowedMarket[],
  dayEnd: UnixMs,
  knownAt: UnixMs,
): KnownOutcome[] {
  const newestFirst = left.toSorted((a, b) => b.lastTime - a.lastTime);
  return newestFirst
    .filter(({ lastTime, endDate }, place) => {
      const waitsSince = Math.max(lastTime, endDate ?? 0);
      return place >= MAX_UNRESOLVED || waitsSince + PATIENCE_MS < dayEnd;
    })
    .map((market) => outcomeOf(market, knownAt));
}

/** The outcome of a market; none while it is not resolved. */
function knownOutcome(
  market: FollowedMarket,
  resolution: Resolution | undefined,
  knownAt: UnixMs,
): KnownOutcome[] {
  const payout = payoutOf(resolution, market.yes);
  if (payout === undefined) return [];
  return [
    { ...outcomeOf(market, knownAt), payout, ...fieldIf('resolvedAt', resolution?.resolvedAt) },
  ];
}

function outcomeOf({ id, lastTime, leftReason }: FollowedMarket, knownAt: UnixMs): KnownOutcome {
  return { id, lastTime, knownAt, ...fieldIf('leftReason', leftReason) };
}
