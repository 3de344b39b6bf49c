import type { CatalogueMarket, Market } from '../../../lambda/core/domain/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../../../lambda/core/domain/time.ts';
import { readGammaMarket } from '../../../lambda/io/polymarket/gamma-market.ts';
import { type MarketRules, readRules } from '../../../lambda/io/polymarket/market-rules.ts';
import type { Resolution } from '../../../lambda/io/polymarket/resolutions.ts';
import type { SimulatedMarket } from '../market.ts';
import { cumulative, normal } from '../prices.ts';
import { Draw } from '../random.ts';
import { generateUniverse } from '../universe/universe.ts';
import { type PreviousMarket, pricedMarket } from './simulated-price.ts';

/** The markets of the universe. All groups together need about 1,600 of them. */
const GENERATED = 4_000;
/** The markets that are open on all days. */
const LASTING = 60;
/** The groups of ending markets. A life is a random number of days between the two. */
const GROUPS = [
  { count: 1_200, minDays: 0.5, maxDays: 3 },
  { count: 300, minDays: 8, maxDays: 12 },
] as const;
/** The share of the ending markets that are resolved. The archive gives up the others. */
const RESOLVED_SHARE = 0.95;
/**
 * The share of a walk's variance that its last move has. Without such a move, the price would show
 * nearly all results an hour before the end.
 */
const LAST_SHARE = 0.4;
/** The standard deviation of the walks' first positions, so that markets start at other prices. */
const START_DEVIATION = 0.5;
/** A market stays in the list this long after its end. */
const CLOSES_AFTER_MS = 10 * MINUTE_MS;
/** Polymarket resolves a market this long after its end. */
const RESOLVES_AFTER_MS = 2 * HOUR_MS;
/** The list's limit. More markets are open, so some leave the list because of their rank. */
export const MAX_LISTED = 300;
/**
 * One in this many ending markets pays both sides the same. Another one in this many is disputed:
 * it opens again and is resolved twice.
 */
const ODD_EVERY = 100;
/** A disputed market opens again this long after its end: on a later day of the archive. */
const REOPENS_AFTER_MS = 26 * HOUR_MS;
const REOPENED_MS = 3 * HOUR_MS;
/** The number of markets that left before the first day and are never resolved. */
const UNRESOLVED = 3;
/** One in this many ends when half of its planned life is over, as "by DATE" markets do. */
const EARLY_EVERY = 10;
/** For one in this many, Polymarket moves the planned end to a later time. */
const MOVED_EVERY = 20;

/** A generated market as the Gamma reader returns it, with its source. */
type Texts = CatalogueMarket & { readonly simulated: SimulatedMarket };

/**
 * A market that ends during the simulated days. It has a random walk of variance 1, and it pays 1
 * if the walk ends above 0. Its price is the chance of that.
 */
interface EndingMarket {
  readonly market: CatalogueMarket;
  readonly startsAt: UnixMs;
  readonly endsAt: UnixMs;
  readonly isResolved: boolean;
  /** Pays both sides the same. */
  readonly isSplit: boolean;
  /** Is disputed, and opens again. */
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

/**
 * The simulated list of markets at any time, with its rules and resolutions. Callers must request
 * ascending times, because prices are random walks that only move forwards.
 */
export class SimulatedList {
  readonly #lasting: readonly Texts[];
  readonly #ending: readonly EndingMarket[];
  readonly #byId: ReadonlyMap<string, EndingMarket>;
  /** Ids of markets that left before the first day and are never resolved. */
  readonly unresolved: readonly string[];
  readonly #rules = new Map<string, MarketRules>();
  readonly #previous = new Map<string, PreviousMarket>();
  readonly #bias: number;

  /** @param bias how much closer to 50 % prices are than the chances, as a share */
  constructor(start: UnixMs, end: UnixMs, bias: number) {
    const all = this.#readMarkets(start);
    this.#lasting = lastingMarkets(all.filter(({ simulated }) => simulated.endsAt > end));
    // Each group takes the next ones of these.
    const unused = all.filter(({ negRisk }) => !negRisk);
    this.#ending = GROUPS.flatMap(({ count, minDays, maxDays }, group) =>
      unused.splice(0, count).map((market, place) => {
        const draw = new Draw(place, `group ${group}`);
        const lifeMs = draw.between(minDays, maxDays) * DAY_MS;
        const latestStart = Math.max(start, end - lifeMs - DAY_MS);
        const startsAt = Math.round(draw.between(start, latestStart));
        return endingMarket(market, { place, startsAt, lifeMs, draw });
      }),
    );
    this.unresolved = unused.slice(0, UNRESOLVED).map(({ id }) => id);
    this.#byId = new Map(this.#ending.map((ending) => [ending.market.id, ending]));
    this.#bias = bias;
  }

  /** Generates the markets that the refresher would list at the start, and stores their rules. */
  #readMarkets(start: UnixMs): readonly Texts[] {
    const universe = generateUniverse({
      seed: 1,
      markets: GENERATED,
      v2Share: 0.2,
      now: start,
      lifecycle: false,
    });
    return universe.until(start).flatMap((simulated): Texts[] => {
      const record = simulated.wire(start, true);
      const read = readGammaMarket(record);
      if (read.kind !== 'listable' || !simulated.hasPrices) return [];
      this.#rules.set(read.market.id, readRules(record));
      return [{ ...read.market, simulated }];
    });
  }

  /** The listed markets, by descending volume. @param isFallback if CLOB was not read */
  at(time: UnixMs, isFallback: boolean): Market[] {
    const lasting = this.#lasting.map(({ simulated, ...market }) => {
      return { market, volume: simulated.volume(time), price: () => simulated.price(time) };
    });
    const ending = this.#open(time).map((one) => {
      const traded = Math.min(1, (time - one.startsAt) / (one.endsAt - one.startsAt));
      const price = () => 0.5 + (1 - this.#bias) * (priceAt(one, time) - 0.5);
      const endDate = new Date(one.plannedEnd(time)).toISOString();
      const market = { ...one.market, endDate };
      return { market, volume: Math.round(market.volume * traded), price };
    });
    const listed = [...lasting, ...ending].sort((a, b) => b.volume - a.volume).slice(0, MAX_LISTED);
    return listed.map(({ market, volume, price }) => {
      const previous = this.#previous.get(market.id);
      const now = { ...market, volume, oneHourPriceChange: null, oneDayPriceChange: null };
      const priced = pricedMarket(now, { time, price: price(), isFallback, previous });
      if (priced.priceSource !== 'carried') this.#previous.set(market.id, { market: priced, time });
      return priced;
    });
  }

  /** Whether the list's limit leaves out open markets. */
  isCut(time: UnixMs): boolean {
    return this.#lasting.length + this.#open(time).length > MAX_LISTED;
  }

  rules(id: string): MarketRules | undefined {
    return this.#rules.get(id);
  }

  /**
   * The resolution of a market; undefined before it is resolved. A market that opens again was
   * first resolved the wrong way.
   */
  resolution(id: string, time: UnixMs): Resolution | undefined {
    const one = this.#byId.get(id);
    const first = (one?.endsAt ?? 0) + RESOLVES_AFTER_MS;
    if (!one?.isResolved || time < first) return undefined;
    const [opens, closes] = reopenedOf(one);
    const second = closes + RESOLVES_AFTER_MS;
    if (one.isReopened && time >= opens && time < second) return undefined;
    const isWrong = one.isReopened && time < opens;
    const { outcomes, clobTokenId } = one.market;
    const wins = priceAt(one, one.endsAt) > 0.5 !== isWrong;
    const yes = one.isSplit ? 0.5 : Number(wins);
    return {
      status: 'resolved',
      payouts: outcomes.map(({ tokenId }) => (tokenId === clobTokenId ? yes : 1 - yes)),
      resolvedAt: one.isReopened && !isWrong ? second : first,
    };
  }

  /** The ending markets that are open at a time. */
  #open(time: UnixMs): readonly EndingMarket[] {
    return this.#ending.filter((one) => {
      const [opens, closes] = reopenedOf(one);
      const isFirst = one.startsAt <= time && time < one.endsAt + CLOSES_AFTER_MS;
      return isFirst || (one.isReopened && opens <= time && time < closes);
    });
  }
}

/**
 * The markets that are open on all days: whole events with exclusive outcomes, and other markets.
 * An event is whole if its prices add up to 1, less 0.03 for the rounding to ticks.
 */
function lastingMarkets(markets: readonly Texts[]): Texts[] {
  const chosen: Texts[] = [];
  for (const event of Map.groupBy(markets, ({ eventSlug }) => eventSlug).values()) {
    const isWhole =
      event.reduce((sum, { simulated }) => sum + simulated.price(simulated.createdAt), 0) > 0.97;
    if (event[0]?.negRisk && isWhole && chosen.length + event.length <= LASTING / 2)
      chosen.push(...event);
  }
  return [
    ...chosen,
    ...markets.filter(({ negRisk }) => !negRisk).slice(-(LASTING - chosen.length)),
  ];
}

/** Makes an ending market. Its place in the group decides what is odd about it. */
function endingMarket(
  { simulated: _, ...texts }: Texts,
  { place, startsAt, lifeMs, draw }: EndingMarketParts,
): EndingMarket {
  const endsAt = startsAt + Math.round(lifeMs / MINUTE_MS) * MINUTE_MS;
  const position = START_DEVIATION * normal(draw);
  const isResolved = draw.chance(RESOLVED_SHARE);
  return {
    market: { ...texts, createdAt: new Date(startsAt).toISOString() },
    startsAt,
    endsAt,
    isResolved,
    isSplit: place % ODD_EVERY === 1,
    isReopened: place % ODD_EVERY === 2,
    plannedEnd: plannedEndOf(startsAt, endsAt, place),
    draw,
    position,
    walkedTo: startsAt,
  };
}

/** The planned end of a market at each time. @param place the market's number in its group */
function plannedEndOf(startsAt: UnixMs, endsAt: UnixMs, place: number): EndingMarket['plannedEnd'] {
  const lifeMs = endsAt - startsAt;
  if (place % EARLY_EVERY === 3) return () => endsAt + lifeMs;
  if (place % MOVED_EVERY === 4)
    return (time) => (time < endsAt - lifeMs / 2 ? endsAt - lifeMs / 4 : endsAt);
  return () => endsAt;
}

/** The times between which a disputed market is open again. */
function reopenedOf({ endsAt }: EndingMarket): readonly [opens: UnixMs, closes: UnixMs] {
  return [endsAt + REOPENS_AFTER_MS, endsAt + REOPENS_AFTER_MS + REOPENED_MS];
}

/** The price at a time, 0 to 1. Moves the walk to this time, or to the end if that is earlier. */
function priceAt(market: EndingMarket, time: UnixMs): number {
  const until = Math.max(market.walkedTo, Math.min(time, market.endsAt));
  const before = varianceLeft(market, market.walkedTo);
  const left = varianceLeft(market, until);
  if (left < before) market.position += Math.sqrt(before - left) * normal(market.draw);
  market.walkedTo = until;
  if (left === 0) return market.position > 0 ? 1 : 0;
  return cumulative(market.position / Math.sqrt(left));
}

/** The variance of the walk's remaining moves: 1 at the start, 0 at the end. */
function varianceLeft({ startsAt, endsAt }: EndingMarket, time: UnixMs): number {
  return time >= endsAt
    ? 0
    : LAST_SHARE + ((1 - LAST_SHARE) * (endsAt - time)) / (endsAt - startsAt);
}
