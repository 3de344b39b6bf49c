import { paddedConditionId } from '../../core/domain/condition-id.ts';
import type { Market } from '../../core/domain/market.ts';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf, inGroups } from '../../core/domain/values.ts';
import type { Clock } from '../../io/platform/clock.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import { isResolvedStatus, RESOLUTIONS_BATCH_CONDITIONS, type Resolutions } from '../../io/polymarket/resolutions.ts';
import type { Day } from './day.ts';
import type { DayRows } from './day-rows.ts';

/** In a day's last snapshot: id → position of YES among the outcomes. */
export type YesPositions = Readonly<Record<string, number>>;

/** Left the list, without a known resolution. */
interface PendingMarket {
  readonly id: string;
  /** Position among the outcomes. */
  readonly yes: number;
  /** Last snapshot that lists it, RFC 3339. */
  readonly left: string;
}

export interface KnownOutcome {
  readonly id: string;
  /** Per share of YES, 0 to 1. */
  readonly payout: number;
  readonly resolvedAt?: UnixMs;
  readonly knownAt: UnixMs;
}

/** From one manifest to the next. */
export interface FollowedMarkets {
  readonly listed: YesPositions;
  readonly pending: readonly PendingMarket[];
}

/** Then the archive no longer follows an unresolved market. */
const MAX_PENDING_DAYS = 30;
/** For all requests together: the job has five minutes. */
const RESOLUTIONS_TIMEOUT_MS = MINUTE_MS;

const yesOf = ({ outcomes, clobTokenId }: Market): number =>
  outcomes.findIndex(({ tokenId }) => tokenId === clobTokenId);

/** Listed at the end of a day, or in the 30 days before. */
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

/** Never throws: after a failure, markets stay pending. */
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
