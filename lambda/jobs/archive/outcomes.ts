/**
 * The outcomes of markets for the archive. It follows each market that left the list until upstream
 * knows its resolution (what a share of YES pays), or gives it up.
 */
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

/** A row of the outcomes: a payout, or that the archive gave the market up. */
export interface KnownOutcome extends Pick<FollowedMarket, 'id' | 'lastTime' | 'leftReason'> {
  /** What a share of YES pays, 0 to 1. Absent if the archive gave the market up. */
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
 * The archive gives a market up this long after its planned end, or after it left the list if that
 * is later.
 */
export const PATIENCE_MS = 30 * DAY_MS;
/**
 * The largest number of markets that the archive follows. Beyond it, the archive gives up those that
 * left the list first.
 */
const MAX_UNRESOLVED = 20_000;
/**
 * The time for all requests of a job: 20,000 markets need 1,000 calls, of which 100 may begin in
 * 10 s.
 */
const RESOLUTIONS_TIMEOUT_MS = 4 * MINUTE_MS;

/**
 * Reads the outcomes of markets that left the list, as far as upstream knows them. Never throws: the
 * next job retries failed reads.
 */
export async function readOutcomes(
  unlisted: readonly FollowedMarket[],
  knownAt: UnixMs,
  reader: OutcomeReader,
): Promise<KnownOutcome[]> {
  const ids = unlisted.map(({ id }) => id);
  const resolutions = await readResolutions(ids, reader);
  const outcomes: KnownOutcome[] = [];
  for (const market of unlisted) {
    const resolution = resolutions.get(paddedConditionId(market.id));
    const payout = payoutOf(resolution, market.yes);
    if (payout === undefined) continue;
    const resolvedAt = fieldIf('resolvedAt', resolution?.resolvedAt);
    outcomes.push({ ...outcomeOf(market, knownAt), payout, ...resolvedAt });
  }
  return outcomes;
}

/** The resolutions of markets by padded id, without those of failed calls. */
async function readResolutions(
  ids: readonly string[],
  { resolutions, clock, logger }: OutcomeReader,
): Promise<ReadonlyMap<string, Resolution>> {
  const limits = { deadline: clock.now() + RESOLUTIONS_TIMEOUT_MS, retries: 2 };
  const reads = inGroups(ids, RESOLUTIONS_BATCH_CONDITIONS).map((group) =>
    resolutions.read(group, limits),
  );
  const errors: unknown[] = [];
  const byId = new Map<string, Resolution>();
  for (const result of await Promise.allSettled(reads)) {
    if (result.status === 'rejected') errors.push(result.reason);
    else for (const [id, resolution] of result.value) byId.set(id, resolution);
  }
  if (errors.length > 0) {
    logger.warn('The archive could not read all resolutions; the next job reads them', {
      calls: errors.length,
      error: errors[0],
    });
  }
  return byId;
}

/** The markets that the archive gives up. @param unresolved unlisted, without a known outcome */
export function givenUp(
  unresolved: readonly FollowedMarket[],
  dayEnd: UnixMs,
  knownAt: UnixMs,
): KnownOutcome[] {
  const newestFirst = unresolved.toSorted((a, b) => b.lastTime - a.lastTime);
  const ended = newestFirst.filter(({ lastTime, endDate }, place) => {
    const waitsSince = Math.max(lastTime, endDate ?? 0);
    return place >= MAX_UNRESOLVED || waitsSince + PATIENCE_MS < dayEnd;
  });
  return ended.map((market) => outcomeOf(market, knownAt));
}

/** The fields of an outcome without its payout. */
function outcomeOf({ id, lastTime, leftReason }: FollowedMarket, knownAt: UnixMs): KnownOutcome {
  return { id, lastTime, knownAt, ...fieldIf('leftReason', leftReason) };
}
