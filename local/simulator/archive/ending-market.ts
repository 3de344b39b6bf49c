import type { CatalogueMarket } from '../../../lambda/core/domain/market.ts';
import { HOUR_MS, MINUTE_MS, type UnixMs } from '../../../lambda/core/domain/time.ts';
import { cumulative, normal } from '../prices.ts';
import type { Draw } from '../random.ts';

/** The share of the ending markets that are resolved. The archive gives up the others. */
const RESOLVED_SHARE = 0.95;
/**
 * At the end the walk makes one last jump, with this share of its variance. Without it, nearly all
 * prices would show the result an hour before the end.
 */
const LAST_JUMP_SHARE = 0.4;
/** The standard deviation of the walks' first positions, so that markets start at other prices. */
const START_DEVIATION = 0.5;
/** A disputed market opens again this long after its end: on a later day of the archive. */
const REOPENS_AFTER_MS = 26 * HOUR_MS;
const REOPENED_MS = 3 * HOUR_MS;

/**
 * The special kinds. A market has a kind if its number in its group, divided by `every`, leaves
 * `remainder`. All these numbers are multiples of 10, and the remainders differ, so a market has at
 * most one kind.
 */
const KINDS = {
  /** Pays both sides the same. */
  split: { every: 100, remainder: 1 },
  /** Is disputed: it opens again and is resolved twice. */
  reopened: { every: 100, remainder: 2 },
  /** Ends when half of its planned life is over, as "by DATE" markets do. */
  early: { every: 10, remainder: 3 },
  /** Polymarket moves its planned end to a later time. */
  moved: { every: 20, remainder: 4 },
} as const;

/**
 * A market that ends during the simulated days. It has a random walk of variance 1, and it pays 1
 * if the walk ends above 0. Its price is the chance of that.
 */
export interface EndingMarket {
  readonly market: CatalogueMarket;
  readonly startsAt: UnixMs;
  readonly endsAt: UnixMs;
  readonly isResolved: boolean;
  readonly isSplit: boolean;
  readonly isReopened: boolean;
  /** The planned end at a time. Markets can end before, and plans can change. */
  readonly plannedEnd: (time: UnixMs) => UnixMs;
  readonly draw: Draw;
  /** The position of the walk at the time `walkedTo`. */
  position: number;
  walkedTo: UnixMs;
}

interface EndingMarketParts {
  /** The market's number in its group. */
  readonly place: number;
  readonly startsAt: UnixMs;
  readonly lifeMs: number;
  readonly draw: Draw;
}

/** Makes an ending market from one of the catalogue. */
export function endingMarket(
  market: CatalogueMarket,
  { place, startsAt, lifeMs, draw }: EndingMarketParts,
): EndingMarket {
  const endsAt = startsAt + Math.round(lifeMs / MINUTE_MS) * MINUTE_MS;
  const position = START_DEVIATION * normal(draw);
  const isResolved = draw.chance(RESOLVED_SHARE);
  return {
    market: { ...market, createdAt: new Date(startsAt).toISOString() },
    startsAt,
    endsAt,
    isResolved,
    isSplit: isKind('split', place),
    isReopened: isKind('reopened', place),
    plannedEnd: plannedEndOf(startsAt, endsAt, place),
    draw,
    position,
    walkedTo: startsAt,
  };
}

/** The times between which a disputed market is open again. */
export function reopenedOf({ endsAt }: EndingMarket): readonly [opens: UnixMs, closes: UnixMs] {
  return [endsAt + REOPENS_AFTER_MS, endsAt + REOPENS_AFTER_MS + REOPENED_MS];
}

/**
 * The price at a time, 0 to 1. Moves the walk to this time, or to the end if that is earlier. From
 * the end on, the price is 0 or 1.
 */
export function priceAt(market: EndingMarket, time: UnixMs): number {
  const until = Math.max(market.walkedTo, Math.min(time, market.endsAt));
  const before = varianceLeft(market, market.walkedTo);
  const left = varianceLeft(market, until);
  if (left < before) market.position += Math.sqrt(before - left) * normal(market.draw);
  market.walkedTo = until;
  if (left === 0) return market.position > 0 ? 1 : 0;
  return cumulative(market.position / Math.sqrt(left));
}

function isKind(kind: keyof typeof KINDS, place: number): boolean {
  const { every, remainder } = KINDS[kind];
  return place % every === remainder;
}

/** The planned end of a market at each time. @param place the market's number in its group */
function plannedEndOf(startsAt: UnixMs, endsAt: UnixMs, place: number): EndingMarket['plannedEnd'] {
  const lifeMs = endsAt - startsAt;
  if (isKind('early', place)) return () => endsAt + lifeMs;
  // In its first half, the market has another plan: to end after three quarters.
  if (isKind('moved', place))
    return (time) => (time < endsAt - lifeMs / 2 ? endsAt - lifeMs / 4 : endsAt);
  return () => endsAt;
}

/**
 * The variance of the walk's remaining moves: 1 at the start, `LAST_JUMP_SHARE` just before the
 * end, 0 at the end.
 */
function varianceLeft({ startsAt, endsAt }: EndingMarket, time: UnixMs): number {
  return time >= endsAt
    ? 0
    : LAST_JUMP_SHARE + ((1 - LAST_JUMP_SHARE) * (endsAt - time)) / (endsAt - startsAt);
}
