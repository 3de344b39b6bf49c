import { paddedConditionId } from '../../core/domain/condition-id.ts';
import type { Market } from '../../core/domain/market.ts';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf, inGroups } from '../../core/domain/values.ts';
import type { Clock } from '../../io/platform/clock.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import { isResolvedStatus, RESOLUTIONS_BATCH_CONDITIONS, type Resolutions } from '../../io/polymarket/resolutions.ts';
import type { Day } from './day.ts';
import type { DayRows } from './day-rows.ts';

/** Markets of the last snapshot of a day: id → position of YES among the outcomes. */
export type YesPositions = Readonly<Record<string, number>>;

/** A market that left the list, without a known resolution. */
interface PendingMarket {
  readonly id: string;
  /** The position of YES among the outcomes. */
  readonly yes: number;
  /** Time of the last snapshot that lists it, RFC 3339. */
  readonly left: string;
}

export interface KnownOutcome {
  readonly id: string;
  /** What a share of YES pays, 0 to 1. */
  readonly payout: number;
  readonly resolvedAt?: UnixMs;
  /** When the archive learned it. */
  readonly knownAt: UnixMs;
}

/** The markets that a manifest passes on to the next one. */
export interface FollowedMarkets {
  readonly listed: YesPositions;
  readonly pending: readonly PendingMarket[];
}

/** After this time, the archive no longer follows an unresolved market. */
const MAX_PENDING_DAYS = 30;
/** Of all requests together: the job has five minutes. */
const RESOLUTIONS_TIMEOUT_MS = MINUTE_MS;

const yesOf = ({ outcomes, clobTokenId }: Market): number =>
  outcomes.findIndex(({ tokenId }) => tokenId === clobTokenId);

/** The markets in the list at the end of a day, and those that left it in the last 30 days. */
export function followedOn(
  day: Day,
  rows: DayRows,
  before?: FollowedMarkets & { readonly lastSnapshot: string },
): FollowedMarkets {
  const lastTime = rows.times.at(-1);
  const listed: Record<string, number> = {};
  const left: PendingMarket[] = [];
  for (const [id, market] of rows.markets) {
    const [, time] = rows.spanOf(market);
    const yes = yesOf(market.market);
    if (time === lastTime) listed[id] = yes;
    else left.push({ id, yes, left: new Date(time).toISOString() });
  }
  const listedBefore = Object.entries(before?.listed ?? {}).map(([id, yes]) => ({
    id,
    yes,
    left: before?.lastSnapshot ?? '',
  }));
  const earlier = [...(before?.pending ?? []), ...listedBefore].filter(({ id }) => !rows.markets.has(id));
  const oldest = day.end - MAX_PENDING_DAYS * DAY_MS;
  return { listed, pending: [...earlier, ...left].filter((market) => Date.parse(market.left) >= oldest) };
}

export interface OutcomeReader {
  readonly resolutions: Pick<Resolutions, 'read'>;
  readonly clock: Clock;
  readonly logger: Pick<Log, 'warn'>;
}

/** Reads the resolutions of pending markets. Never throws: after a failure, markets stay pending. */
export async function readOutcomes(
  pending: readonly PendingMarket[],
  { resolutions, clock, logger }: OutcomeReader,
): Promise<KnownOutcome[]> {
  const deadline = clock.now() + RESOLUTIONS_TIMEOUT_MS;
  const read = async (group: readonly PendingMarket[]): Promise<KnownOutcome[]> => {
    try {
      const found = await resolutions.read(
        group.map(({ id }) => id),
        { deadline, retries: 2 },
      );
      return group.flatMap((market) => knownOutcome(market, found, clock.now()));
    } catch (error) {
      logger.warn('The archive could not read resolutions; the markets stay pending', { markets: group.length, error });
      return [];
    }
  };
  return (await Promise.all(inGroups(pending, RESOLUTIONS_BATCH_CONDITIONS).map(read))).flat();
}

function knownOutcome(
  { id, yes }: PendingMarket,
  found: Awaited<ReturnType<Resolutions['read']>>,
  knownAt: UnixMs,
): KnownOutcome[] {
  const resolution = found.get(paddedConditionId(id));
  const payout = isResolvedStatus(resolution?.status) ? resolution?.payouts?.[yes] : undefined;
  return payout === undefined ? [] : [{ id, payout, knownAt, ...fieldIf('resolvedAt', resolution?.resolvedAt) }];
}
