/**
 * The markets of a simulated archive that open and end during its days. The price of each follows a
 * random walk, so that prices and results agree: of the prices near 0.3, about 30 % come true.
 */
import type { CatalogueMarket } from '../../../lambda/core/domain/market.ts';
import { HOUR_MS, MINUTE_MS, type UnixMs } from '../../../lambda/core/domain/time.ts';
import type { Resolution } from '../../../lambda/io/polymarket/resolutions.ts';
import { cumulative, normal } from '../prices.ts';
import type { Draw } from '../random.ts';

/**
 * The share of these markets that Polymarket resolves. The archive stops waiting for the others.
 */
const RESOLVED_SHARE = 0.95;
/** A market stays in the list this long after its end. */
const CLOSES_AFTER_MS = 10 * MINUTE_MS;
/** Polymarket resolves a market this long after its end. */
const RESOLVES_AFTER_MS = 2 * HOUR_MS;
/** A disputed market opens again this long after its end: on a later day of the archive. */
const REOPENS_AFTER_MS = 26 * HOUR_MS;
const REOPENED_MS = 3 * HOUR_MS;

/** The life of a market: when it opens, for how long it trades, and its random choices. */
interface Life {
  readonly startsAt: UnixMs;
  readonly lifeMs: number;
  /** The market's number in its group, from 0, which decides how it ends. */
  readonly place: number;
  readonly draw: Draw;
}

/** A market that opens and ends during the simulated days. It pays 1 if its walk ends above 0. */
export class EndingMarket {
  readonly market: CatalogueMarket;
  readonly #startsAt: UnixMs;
  /** When trading ends. */
  readonly #endsAt: UnixMs;
  readonly #walk: Walk;
  readonly #isResolved: boolean;
  /** It pays both sides the same. */
  readonly #isSplit: boolean;
  /** Its first result is wrong, so it opens again and is resolved twice. */
  readonly #isDisputed: boolean;
  /** It ends when half of its planned life is over, as "by DATE" markets do. */
  readonly #endsEarly: boolean;
  /** Polymarket moves its planned end to a later time. */
  readonly #isMoved: boolean;

  constructor(market: CatalogueMarket, { startsAt, lifeMs, place, draw }: Life) {
    this.market = { ...market, createdAt: new Date(startsAt).toISOString() };
    this.#startsAt = startsAt;
    this.#endsAt = startsAt + Math.round(lifeMs / MINUTE_MS) * MINUTE_MS;
    this.#walk = new Walk(draw, startsAt, this.#endsAt);
    this.#isResolved = draw.chance(RESOLVED_SHARE);
    // At most one of these is true, because the last digits differ.
    this.#isSplit = place % 100 === 1;
    this.#isDisputed = place % 100 === 2;
    this.#endsEarly = place % 10 === 3;
    this.#isMoved = place % 20 === 4;
  }

  /** Whether the market is in Polymarket's list. A disputed market is there twice. */
  isOpen(time: UnixMs): boolean {
    if (this.#startsAt <= time && time < this.#endsAt + CLOSES_AFTER_MS) return true;
    const { opensAt, closesAt } = this.#reopening();
    return this.#isDisputed && opensAt <= time && time < closesAt;
  }

  /** The volume in USD, which grows evenly until the end. */
  volumeAt(time: UnixMs): number {
    const livedShare = (time - this.#startsAt) / (this.#endsAt - this.#startsAt);
    return Math.round(this.market.volume * Math.min(1, livedShare));
  }

  /** The price, 0 to 1; from the end on, 0 or 1. Callers must ask for ascending times. */
  priceAt(time: UnixMs): number {
    return this.#walk.chanceAbove0(time);
  }

  /** The planned end, as Polymarket shows it at a time. */
  plannedEnd(time: UnixMs): UnixMs {
    const endsAt = this.#endsAt;
    const lifeMs = endsAt - this.#startsAt;
    if (this.#endsEarly) return endsAt + lifeMs;
    // In the first half of its life, a moved market is planned to end after three quarters of it.
    const isFirstHalf = time < endsAt - lifeMs / 2;
    return this.#isMoved && isFirstHalf ? endsAt - lifeMs / 4 : endsAt;
  }

  /**
   * The resolution at a time; undefined before it. A disputed market first has the wrong one, then
   * none from its reopening on, and at last the right one.
   */
  resolution(time: UnixMs): Resolution | undefined {
    const resolvedAt = this.#endsAt + RESOLVES_AFTER_MS;
    if (!this.#isResolved || time < resolvedAt) return undefined;
    const pays1 = this.priceAt(this.#endsAt) === 1;
    if (!this.#isDisputed) return this.#resolutionAs(pays1, resolvedAt);
    const { opensAt, closesAt } = this.#reopening();
    const resolvedAgainAt = closesAt + RESOLVES_AFTER_MS;
    if (time < opensAt) return this.#resolutionAs(!pays1, resolvedAt);
    return time < resolvedAgainAt ? undefined : this.#resolutionAs(pays1, resolvedAgainAt);
  }

  #resolutionAs(pays1: boolean, resolvedAt: UnixMs): Resolution {
    const { outcomes, clobTokenId } = this.market;
    const yes = this.#isSplit ? 0.5 : Number(pays1);
    const payouts = outcomes.map(({ tokenId }) => (tokenId === clobTokenId ? yes : 1 - yes));
    return { status: 'resolved', payouts, resolvedAt };
  }

  /** The times between which the market is open again if it is disputed. */
  #reopening(): { readonly opensAt: UnixMs; readonly closesAt: UnixMs } {
    const opensAt = this.#endsAt + REOPENS_AFTER_MS;
    return { opensAt, closesAt: opensAt + REOPENED_MS };
  }
}

/** The standard deviation of the walks' first positions, so that markets start at other prices. */
const START_DEVIATION = 0.5;
/**
 * At the end the walk makes one last jump, with this share of its variance. Without it, nearly all
 * prices would show the result an hour before the end.
 */
const LAST_JUMP_SHARE = 0.4;

/** A random walk whose moves have a variance of 1 in total. It only moves forwards in time. */
class Walk {
  readonly #draw: Draw;
  readonly #startsAt: UnixMs;
  readonly #endsAt: UnixMs;
  #position: number;
  #walkedTo: UnixMs;

  constructor(draw: Draw, startsAt: UnixMs, endsAt: UnixMs) {
    this.#draw = draw;
    this.#startsAt = startsAt;
    this.#endsAt = endsAt;
    this.#position = START_DEVIATION * normal(draw);
    this.#walkedTo = startsAt;
  }

  /** Moves to a time, and returns the chance that the walk ends above 0: at the end, 0 or 1. */
  chanceAbove0(time: UnixMs): number {
    const until = Math.max(this.#walkedTo, Math.min(time, this.#endsAt));
    const before = this.#varianceLeft(this.#walkedTo);
    const left = this.#varianceLeft(until);
    if (left < before) this.#position += Math.sqrt(before - left) * normal(this.#draw);
    this.#walkedTo = until;
    if (left === 0) return this.#position > 0 ? 1 : 0;
    return cumulative(this.#position / Math.sqrt(left));
  }

  /**
   * The variance of the remaining moves: 1 at the start, `LAST_JUMP_SHARE` just before the end, 0
   * at the end.
   */
  #varianceLeft(time: UnixMs): number {
    if (time >= this.#endsAt) return 0;
    const shareOfLife = (this.#endsAt - time) / (this.#endsAt - this.#startsAt);
    return LAST_JUMP_SHARE + (1 - LAST_JUMP_SHARE) * shareOfLife;
  }
}
