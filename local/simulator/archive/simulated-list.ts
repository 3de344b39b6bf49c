/**
 * The markets of a simulated archive (`npm run archive -- --simulate 14d`): which are listed at
 * each time, at which price.
 */
import type { CatalogueMarket, Market } from '../../../lambda/core/domain/market.ts';
import { DAY_MS, type UnixMs } from '../../../lambda/core/domain/time.ts';
import { readGammaMarket } from '../../../lambda/io/polymarket/gamma-market.ts';
import { type MarketRules, readRules } from '../../../lambda/io/polymarket/market-rules.ts';
import type { Resolution } from '../../../lambda/io/polymarket/resolutions.ts';
import type { SimulatedMarket } from '../market.ts';
import { Draw } from '../random.ts';
import { generateUniverse } from '../universe/universe.ts';
import { EndingMarket } from './ending-market.ts';
import { type PreviousMarket, pricedMarket } from './simulated-price.ts';

/** The list's limit. More markets are open, so some leave the list because of their rank. */
export const MAX_LISTED = 300;
/**
 * The number of generated markets: more than the about 1,600 that the list uses, so that its kinds
 * do not overlap.
 */
const GENERATED = 4_000;
/** The number of lasting markets, which are open on all days. */
const LASTING = 60;
/** The groups of ending markets. Each market lives for a random number of days in this range. */
const ENDING_GROUPS = [
  { purpose: 'group 0', count: 1_200, minDays: 0.5, maxDays: 3 },
  { purpose: 'group 1', count: 300, minDays: 8, maxDays: 12 },
];
/** The number of markets that left before the first day and are never resolved. */
const UNRESOLVED = 3;

/** A market of the simulator, and the same market as the service reads it. */
interface ReadMarket {
  readonly simulated: SimulatedMarket;
  readonly market: CatalogueMarket;
}

/** An open market at one time, before the list is cut and priced. */
interface Candidate {
  readonly market: CatalogueMarket;
  readonly volume: number;
  /** The price, 0 to 1. Each call moves a random walk, so only listed markets are priced. */
  readonly price: () => number;
}

/**
 * The list of markets that a service would have had at each time of a simulated archive, with the
 * rules and resolutions of the markets. Some markets last for all days; the others end on the way.
 *
 * Callers must request ascending times, because prices are random walks that only move forwards.
 */
export class SimulatedList {
  readonly #lasting: readonly ReadMarket[];
  readonly #ending: readonly EndingMarket[];
  readonly #endingById: ReadonlyMap<string, EndingMarket>;
  /** Ids of markets that left before the first day and are never resolved. */
  readonly unresolved: readonly string[];
  readonly #rules: ReadonlyMap<string, MarketRules>;
  /** By id, each market with its last price that was read and not carried. */
  readonly #previous = new Map<string, PreviousMarket>();
  readonly #bias: number;

  /**
   * @param start of the first day
   * @param end of the last day
   * @param bias how much closer to 50 % the prices of ending markets are than their chances, as a
   * share. The calibration in docs/archive.md is tested with it, and must find it.
   */
  constructor(start: UnixMs, end: UnixMs, bias: number) {
    const { markets, rules } = readMarkets(start);
    this.#rules = rules;
    this.#bias = bias;
    this.#lasting = lastingMarkets(markets.filter(({ simulated }) => simulated.endsAt > end));
    // Markets of exclusive events cannot end one by one. Of the others, the first ones end, the
    // next ones are never resolved, and some of the last ones are lasting.
    const others = markets.map(({ market }) => market).filter(({ negRisk }) => !negRisk);
    this.#ending = endingMarkets(others, start, end);
    this.#endingById = new Map(this.#ending.map((one) => [one.market.id, one]));
    const notEnding = others.slice(this.#ending.length);
    this.unresolved = notEnding.slice(0, UNRESOLVED).map(({ id }) => id);
  }

  /** The listed markets, by descending volume. @param isFallback if CLOB was not read */
  at(time: UnixMs, isFallback: boolean): Market[] {
    const candidates = [...this.#lastingAt(time), ...this.#endingAt(time)];
    const listed = candidates.sort((a, b) => b.volume - a.volume).slice(0, MAX_LISTED);
    return listed.map((candidate) => this.#priced(candidate, time, isFallback));
  }

  /** Whether the list's limit leaves out open markets. */
  isCut(time: UnixMs): boolean {
    return this.#lasting.length + this.#endingAt(time).length > MAX_LISTED;
  }

  rules(id: string): MarketRules | undefined {
    return this.#rules.get(id);
  }

  /** The resolution of an ending market; undefined before it is resolved. */
  resolution(id: string, time: UnixMs): Resolution | undefined {
    return this.#endingById.get(id)?.resolution(time);
  }

  #lastingAt(time: UnixMs): Candidate[] {
    // The bias of prices is measured against payouts. These markets have none, so they get no bias.
    return this.#lasting.map(({ simulated, market }) => ({
      market,
      volume: simulated.volume(time),
      price: () => simulated.price(time),
    }));
  }

  /** The ending markets that are open at a time. */
  #endingAt(time: UnixMs): Candidate[] {
    const open = this.#ending.filter((one) => one.isOpen(time));
    return open.map((one) => ({
      market: { ...one.market, endDate: new Date(one.plannedEnd(time)).toISOString() },
      volume: one.volumeAt(time),
      price: () => 0.5 + (1 - this.#bias) * (one.priceAt(time) - 0.5),
    }));
  }

  /** A listed market with its price. Remembers it for the next time, whose calls can fail. */
  #priced({ market, volume, price }: Candidate, time: UnixMs, isFallback: boolean): Market {
    const previous = this.#previous.get(market.id);
    const unpriced = { ...market, volume, oneHourPriceChange: null, oneDayPriceChange: null };
    const priced = pricedMarket(unpriced, { time, price: price(), isFallback, previous });
    // A carried market repeats the previous price, because its call failed.
    if (priced.priceSource !== 'carried') this.#previous.set(market.id, { market: priced, time });
    return priced;
  }
}

/** Generates markets, and reads those that the service would list at the start. */
function readMarkets(start: UnixMs) {
  const universe = generateUniverse({
    seed: 1,
    markets: GENERATED,
    v2Share: 0.2,
    now: start,
    // Only the list decides when markets start and end.
    lifecycle: false,
  });
  const markets: ReadMarket[] = [];
  const rules = new Map<string, MarketRules>();
  for (const simulated of universe.until(start)) {
    const includeTags = true;
    const record = simulated.wire(start, includeTags);
    const read = readGammaMarket(record);
    if (read.kind !== 'listable' || !simulated.hasPrices) continue;
    markets.push({ simulated, market: read.market });
    rules.set(read.market.id, readRules(record));
  }
  return { markets, rules };
}

/** Makes ending markets of the first of these markets, one group after the other. */
function endingMarkets(
  markets: readonly CatalogueMarket[],
  start: UnixMs,
  end: UnixMs,
): EndingMarket[] {
  const ending: EndingMarket[] = [];
  for (const { purpose, count, minDays, maxDays } of ENDING_GROUPS) {
    const group = markets.slice(ending.length, ending.length + count);
    for (const [place, market] of group.entries()) {
      const draw = new Draw(place, purpose);
      const lifeMs = draw.between(minDays, maxDays) * DAY_MS;
      // A market ends at least a day before the archive, so that the archive also has its
      // resolution. A life that is too long for that begins with the archive.
      const latestStart = Math.max(start, end - lifeMs - DAY_MS);
      const startsAt = Math.round(draw.between(start, latestStart));
      ending.push(new EndingMarket(market, { startsAt, lifeMs, place, draw }));
    }
  }
  return ending;
}

/**
 * The markets that are open on all days: at most half of them in whole events with exclusive
 * outcomes, the others from the end of the list.
 */
function lastingMarkets(markets: readonly ReadMarket[]): ReadMarket[] {
  const chosen: ReadMarket[] = [];
  for (const event of Map.groupBy(markets, ({ market }) => market.eventSlug).values()) {
    const fits = chosen.length + event.length <= LASTING / 2;
    if (fits && event[0]?.market.negRisk && isWhole(event)) chosen.push(...event);
  }
  const others = markets.filter(({ market }) => !market.negRisk);
  return [...chosen, ...others.slice(-(LASTING - chosen.length))];
}

/** Whether the prices of an event add up to 1. Rounding to ticks can take 0.03. */
function isWhole(event: readonly ReadMarket[]): boolean {
  let sum = 0;
  for (const { simulated } of event) sum += simulated.price(simulated.createdAt);
  return sum > 0.97;
}
