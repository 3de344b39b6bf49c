import type { CatalogueMarket, Market } from '../../../lambda/core/domain/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../../../lambda/core/domain/time.ts';
import { readGammaMarket } from '../../../lambda/io/polymarket/gamma-market.ts';
import { type MarketRules, readRules } from '../../../lambda/io/polymarket/market-rules.ts';
import type { Resolution } from '../../../lambda/io/polymarket/resolutions.ts';
import type { SimulatedMarket } from '../market.ts';
import { Draw } from '../random.ts';
import { generateUniverse } from '../universe/universe.ts';
import { type EndingMarket, endingMarket, priceAt, reopenedOf } from './ending-market.ts';
import { type PreviousMarket, pricedMarket } from './simulated-price.ts';

/**
 * The markets of the universe, about 1,600 of which are used: ending markets from the front of the
 * list, lasting ones from its end. The rest keeps the two apart.
 */
const GENERATED = 4_000;
/** The markets that are open on all days. */
const LASTING = 60;
/** The groups of ending markets. A life is a random number of days between the two. */
const GROUPS = [
  { count: 1_200, minDays: 0.5, maxDays: 3 },
  { count: 300, minDays: 8, maxDays: 12 },
] as const;
/** A market stays in the list this long after its end. */
const CLOSES_AFTER_MS = 10 * MINUTE_MS;
/** Polymarket resolves a market this long after its end. */
const RESOLVES_AFTER_MS = 2 * HOUR_MS;
/** The list's limit. More markets are open, so some leave the list because of their rank. */
export const MAX_LISTED = 300;
/** The number of markets that left before the first day and are never resolved. */
const UNRESOLVED = 3;

/** A market as the Gamma reader returns it, with the simulated market that it comes from. */
type SourcedMarket = CatalogueMarket & { readonly simulated: SimulatedMarket };

/**
 * The simulated list of markets at any time, with its rules and resolutions. Callers must request
 * ascending times, because prices are random walks that only move forwards.
 */
export class SimulatedList {
  readonly #lasting: readonly SourcedMarket[];
  readonly #ending: readonly EndingMarket[];
  readonly #byId: ReadonlyMap<string, EndingMarket>;
  /** Ids of markets that left before the first day and are never resolved. */
  readonly unresolved: readonly string[];
  readonly #rules = new Map<string, MarketRules>();
  readonly #previous = new Map<string, PreviousMarket>();
  readonly #bias: number;

  /**
   * @param bias how much closer to 50 % the prices of ending markets are than their chances, as a
   * share. The calibration in docs/archive.md is tested with it, and must find it.
   */
  constructor(start: UnixMs, end: UnixMs, bias: number) {
    const all = this.#readMarkets(start);
    this.#lasting = lastingMarkets(all.filter(({ simulated }) => simulated.endsAt > end));
    // Each group takes the next ones from the front. `lastingMarkets` takes its own from the end.
    const unused = all.filter(({ negRisk }) => !negRisk);
    this.#ending = GROUPS.flatMap(({ count, minDays, maxDays }, group) =>
      unused.splice(0, count).map(({ simulated: _, ...market }, place) => {
        const draw = new Draw(place, `group ${group}`);
        const lifeMs = draw.between(minDays, maxDays) * DAY_MS;
        // A market ends at least a day before the archive, so that the archive also has its
        // resolution. A life that is too long for that begins with the archive.
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
  #readMarkets(start: UnixMs): readonly SourcedMarket[] {
    const universe = generateUniverse({
      seed: 1,
      markets: GENERATED,
      v2Share: 0.2,
      now: start,
      // No live event opens or closes: this class decides when markets start and end.
      lifecycle: false,
    });
    return universe.until(start).flatMap((simulated): SourcedMarket[] => {
      const includeTags = true;
      const record = simulated.wire(start, includeTags);
      const read = readGammaMarket(record);
      if (read.kind !== 'listable' || !simulated.hasPrices) return [];
      this.#rules.set(read.market.id, readRules(record));
      return [{ ...read.market, simulated }];
    });
  }

  /** The listed markets, by descending volume. @param isFallback if CLOB was not read */
  at(time: UnixMs, isFallback: boolean): Market[] {
    // Lasting markets have no payout, so a bias of their prices would not show.
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
      // A carried market only repeats the previous one, which stays.
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
function lastingMarkets(markets: readonly SourcedMarket[]): SourcedMarket[] {
  const chosen: SourcedMarket[] = [];
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
