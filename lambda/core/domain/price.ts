/**
 * Chooses the price of each market: from its order book, its last trade, the catalogue, or the
 * previous snapshot. `priceOf` has the rules.
 */
import { type CatalogueMarket, type CataloguePrices, type Market, pickFields } from './market.ts';
import {
  type BestLevels,
  type BookSides,
  bookSides,
  hasSide,
  type LastTrade,
  midpointOf,
  QUOTE_FIELDS,
  type QuoteField,
  quoteOf,
  withinSides,
} from './quote.ts';
import { MINUTE_MS, SECOND_MS, type UnixMs } from './time.ts';
import { fieldIf } from './values.ts';

/** A price of the previous snapshot, with its time. */
export type PreviousPrice = Pick<
  Market,
  QuoteField | keyof BestLevels | 'currentProbability' | 'midpoint' | 'priceSource' | 'carriesTrade'
> & {
  readonly pricedAt: UnixMs;
};

/** What is known about the price of a market. */
export interface PriceSources {
  readonly asOf: UnixMs;
  /** Undefined if CLOB was not read. */
  readonly sides: BookSides | undefined;
  /** Needed only if the book is not tight. Undefined if CLOB was not read. */
  readonly lastTrade: LastTrade | undefined;
  readonly catalogue: CataloguePrices;
  /** Earliest time of the catalogue's prices. */
  readonly cataloguePricesAsOf: UnixMs;
  /** In USD, over the market's lifetime. */
  readonly volume: number;
  readonly previous?: PreviousPrice | undefined;
}

/** The price of YES (0–1), and the fields that follow from it. */
export interface Price
  extends Pick<Market, QuoteField | 'midpoint' | 'priceSource' | 'carriesTrade'> {
  readonly price: number;
  readonly pricedAt: UnixMs;
}

/**
 * The oldest price that the list shows. It is the sum of five minutes of upstream's cache, two
 * minutes between full runs, one failed run, and a late start.
 */
export const MAX_PRICE_AGE_MS = 10 * MINUTE_MS;
/**
 * Two runs can date the same cached page differently, because `Age` has whole seconds and clocks
 * differ. The two dates differ by less than this.
 */
const PAGE_TIME_ERROR_MS = 5 * SECOND_MS;

/**
 * The price of a market by the first rule that applies.
 *
 * | book          | last trade | price                                | source                 |
 * | ------------- | ---------- | ------------------------------------ | ---------------------- |
 * | not read      |            | the newer of previous and catalogue  | `carried`, `catalogue` |
 * | tight         |            | its middle                           | `book`                 |
 * | wide or empty | known      | the last trade within the sides      | `trade`                |
 * |               | not read   | the newer of the previous and (a)    | `carried`, `catalogue` |
 * |               | none       | (b)                                  | `untraded`             |
 * |               | none       | (c)                                  | `carried`              |
 *
 * - (a) The catalogue's last trade within the sides, if the book has a side.
 * - (b) The catalogue's outcome price within the sides, if the volume is 0 or the book has both
 *   sides.
 * - (c) The previous price, if CLOB gave it for the previous snapshot.
 *
 * A price that was carried or that comes from the catalogue keeps its time. The caller does not
 * list a market whose price is older than `MAX_PRICE_AGE_MS`.
 *
 * @returns undefined if no rule applies: the market is not listed
 */
export function priceOf(sources: PriceSources): Price | undefined {
  const { asOf, sides, lastTrade, catalogue, previous } = sources;
  const kept = isWorthKeeping(sources) ? previous : undefined;
  if (!sides) {
    const keptWithQuote = kept && { ...keptPrice(kept), ...previousQuote(kept) };
    return newer(keptWithQuote, cataloguePrice(sources));
  }
  const quote = quoteOf(sides, catalogue.lastTrade);
  const midpoint = midpointOf(sides);
  if (midpoint !== undefined)
    return { price: midpoint, midpoint, priceSource: 'book', pricedAt: asOf, ...quote };
  if (lastTrade?.price !== undefined) {
    const price = withinSides(lastTrade.price, sides);
    return { price, priceSource: 'trade', pricedAt: asOf, ...quoteOf(sides, lastTrade.price) };
  }
  const isTradeRead = lastTrade !== undefined;
  const fallback = isTradeRead
    ? (untradedPrice(sources, sides) ?? lastKeptPrice(previous))
    : newer(kept && keptWithin(kept, sides), catalogueTrade(sources, sides));
  return fallback && { ...fallback, ...quote };
}

/** A price with its source and time, without the quote of the book. */
type FoundPrice = Pick<Price, 'price' | 'priceSource' | 'pricedAt' | 'carriesTrade'>;

/**
 * Whether the previous price can replace a price that was not read. A catalogue price is kept only
 * if its page was newer than this run's. The same page gives a better price now, because the kept
 * one was moved into the sides of an earlier book.
 */
function isWorthKeeping({ previous, cataloguePricesAsOf }: PriceSources): boolean {
  if (previous === undefined) return false;
  if (!isOfCatalogue(previous.priceSource)) return true;
  return previous.pricedAt - cataloguePricesAsOf >= PAGE_TIME_ERROR_MS;
}

/** The newer of two prices; the first one if both have the same time. */
function newer<P extends FoundPrice>(first: P | undefined, second: P | undefined): P | undefined {
  if (!first || !second) return first ?? second;
  return second.pricedAt > first.pricedAt ? second : first;
}

/** The previous price with its own time. The middle of a book or a trade counts as carried. */
function keptPrice(previous: PreviousPrice): FoundPrice {
  const { midpoint, currentProbability, priceSource, pricedAt } = previous;
  const price = midpoint ?? Number((currentProbability / 100).toFixed(6));
  if (isOfCatalogue(priceSource)) return { price, priceSource: 'catalogue', pricedAt };
  return {
    price,
    priceSource: 'carried',
    pricedAt,
    ...(isTrade(previous) ? { carriesTrade: true } : {}),
  };
}

/** Whether the price is a last trade. A carried last trade counts. */
export function isTrade({
  priceSource,
  carriesTrade,
}: Pick<PreviousPrice, 'priceSource' | 'carriesTrade'>): boolean {
  return priceSource === 'trade' || carriesTrade === true;
}

/**
 * The previous price for a book that was read. CLOB's price stays. A catalogue price moves into the
 * sides of the book.
 */
function keptWithin(previous: PreviousPrice, sides: BookSides): FoundPrice {
  const kept = keptPrice(previous);
  return isOfCatalogue(previous.priceSource)
    ? { ...kept, price: withinSides(kept.price, sides) }
    : kept;
}

/** Whether a price came from the catalogue and not from CLOB. */
function isOfCatalogue(source: Market['priceSource']): boolean {
  return source === 'catalogue' || source === 'untraded';
}

/** The previous quote, for a book that was not read. */
function previousQuote({ pricedAt: _, ...previous }: PreviousPrice) {
  return pickFields(previous, ['midpoint', ...QUOTE_FIELDS]);
}

/**
 * The price by the catalogue alone, while CLOB does not respond. It is the first known one of: the
 * middle of a tight book, the last trade within the sides, the outcome price, the last trade.
 */
function cataloguePrice({ catalogue, cataloguePricesAsOf }: PriceSources): Price | undefined {
  const { bid, ask, lastTrade, outcome } = catalogue;
  const sides = bookSides(bid, ask);
  const midpoint = midpointOf(sides);
  const bounded =
    lastTrade !== undefined && hasSide(sides) ? withinSides(lastTrade, sides) : undefined;
  const price = midpoint ?? bounded ?? outcome ?? lastTrade;
  if (price === undefined) return undefined;
  const priced = {
    price,
    ...fieldIf('midpoint', midpoint),
    priceSource: 'catalogue',
    pricedAt: cataloguePricesAsOf,
  } as const;
  return { ...priced, ...quoteOf(sides, lastTrade) };
}

/** Rule (a) of `priceOf`: the catalogue's last trade, moved into the sides of the book. */
function catalogueTrade(
  { catalogue, cataloguePricesAsOf }: PriceSources,
  sides: BookSides,
): FoundPrice | undefined {
  if (catalogue.lastTrade === undefined || !hasSide(sides)) return undefined;
  return {
    price: withinSides(catalogue.lastTrade, sides),
    priceSource: 'catalogue',
    pricedAt: cataloguePricesAsOf,
  };
}

/** Rule (b) of `priceOf`: the price of a market that CLOB has no trade of. */
function untradedPrice(sources: PriceSources, sides: BookSides): FoundPrice | undefined {
  const { catalogue, cataloguePricesAsOf, volume, previous } = sources;
  const isUntraded = volume === 0 || (sides.bid !== undefined && sides.ask !== undefined);
  if (!isUntraded || catalogue.outcome === undefined) return undefined;
  // An older page does not replace a newer one.
  const isPageOlder = previous && isOfCatalogue(previous.priceSource) && isWorthKeeping(sources);
  const { price, pricedAt } = isPageOlder
    ? keptPrice(previous)
    : { price: catalogue.outcome, pricedAt: cataloguePricesAsOf };
  return { price: withinSides(price, sides), priceSource: 'untraded', pricedAt };
}

/**
 * Rule (c) of `priceOf`: the previous price, carried for one snapshot only. Then the market leaves
 * the list, so that the price of a finished game never reverts to an older one.
 */
function lastKeptPrice(previous: PreviousPrice | undefined): FoundPrice | undefined {
  return previous?.priceSource === 'book' || previous?.priceSource === 'trade'
    ? keptPrice(previous)
    : undefined;
}

/**
 * Whether the catalogue has any price of the market. Without one, the order book can still have a
 * price.
 */
export function hasPriceSignal({ catalogue }: Pick<CatalogueMarket, 'catalogue'>): boolean {
  return Object.keys(catalogue).length > 0;
}
