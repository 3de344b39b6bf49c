/**
 * Chooses the price of a market from what a run of the refresher has read:
 * - its order book and last trade, from CLOB, Polymarket's API of order books
 * - its prices in the catalogue, Polymarket's list of markets, up to five minutes old
 * - its price in the previous snapshot, the list that the service published a minute before
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
  /** When CLOB was read. */
  readonly asOf: UnixMs;
  /** The best bid and ask of the book. Undefined if the book was not read. */
  readonly sides: BookSides | undefined;
  /** Read only if the book is not tight. Undefined if it was not read. */
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
 * The price of a market by the first rule that applies. The sides of a book are its best bid and
 * ask. It is tight if they are at most 0.10 apart.
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
  const { asOf, sides, lastTrade, catalogue } = sources;
  if (!sides) return priceWithoutBook(sources);
  const midpoint = midpointOf(sides);
  const quote = quoteOf(sides, catalogue.lastTrade);
  if (midpoint !== undefined)
    return { price: midpoint, midpoint, priceSource: 'book', pricedAt: asOf, ...quote };
  if (lastTrade?.price !== undefined) {
    const price = withinSides(lastTrade.price, sides);
    return { price, priceSource: 'trade', pricedAt: asOf, ...quoteOf(sides, lastTrade.price) };
  }
  const isTradeRead = lastTrade !== undefined;
  const fallback = isTradeRead
    ? (untradedPrice(sources, sides) ?? carriedOnce(sources))
    : newer(carriedWithin(sources, sides), catalogueTrade(sources, sides));
  return fallback && { ...fallback, ...quote };
}

/** A price with its source and time, without the quote of the book. */
type FoundPrice = Pick<Price, 'price' | 'priceSource' | 'pricedAt' | 'carriesTrade'>;

/** The newer of two prices; the first one if both have the same time. */
function newer<P extends FoundPrice>(first: P | undefined, second: P | undefined): P | undefined {
  if (!first || !second) return first ?? second;
  return second.pricedAt > first.pricedAt ? second : first;
}

/** The first rule of `priceOf`. The quote of a carried price is that of the previous snapshot. */
function priceWithoutBook(sources: PriceSources): Price | undefined {
  const carried = carriedPrice(sources);
  if (!carried || !sources.previous) return cataloguePrice(sources);
  const { pricedAt: _, ...previous } = sources.previous;
  const quote = pickFields(previous, ['midpoint', ...QUOTE_FIELDS]);
  return newer({ ...carried, ...quote }, cataloguePrice(sources));
}

/**
 * The previous price with its own time, if it can be better than the catalogue's price now.
 *
 * - A price from CLOB can: it becomes `carried`.
 * - A price from a page of the catalogue can only if that page was newer than this run's, which a
 *   cache returned. Otherwise the price of this run's page is better: it is as new, and the
 *   catalogue wrote it so. The previous price was moved into the sides of an earlier book.
 */
function carriedPrice({ previous, cataloguePricesAsOf }: PriceSources): FoundPrice | undefined {
  if (!previous) return undefined;
  const { midpoint, currentProbability, priceSource, pricedAt } = previous;
  const price = midpoint ?? Number((currentProbability / 100).toFixed(6));
  if (priceSource === 'catalogue' || priceSource === 'untraded') {
    const isPageNewer = pricedAt - cataloguePricesAsOf >= PAGE_TIME_ERROR_MS;
    return isPageNewer ? { price, priceSource: 'catalogue', pricedAt } : undefined;
  }
  const carried = { price, priceSource: 'carried', pricedAt } as const;
  return isTrade(previous) ? { ...carried, carriesTrade: true } : carried;
}

/** Whether the price is a last trade. A carried last trade counts. */
export function isTrade({
  priceSource,
  carriesTrade,
}: Pick<PreviousPrice, 'priceSource' | 'carriesTrade'>): boolean {
  return priceSource === 'trade' || carriesTrade === true;
}

/** The previous price for a book that was read. A price from the catalogue moves into its sides. */
function carriedWithin(sources: PriceSources, sides: BookSides): FoundPrice | undefined {
  const carried = carriedPrice(sources);
  if (carried?.priceSource !== 'catalogue') return carried;
  return { ...carried, price: withinSides(carried.price, sides) };
}

/**
 * The price by the catalogue alone, while CLOB does not respond. It is the first known one of: the
 * middle of a tight book, the last trade within the sides, the outcome price, the last trade.
 */
function cataloguePrice(sources: PriceSources): Price | undefined {
  const { bid, ask, lastTrade, outcome } = sources.catalogue;
  const sides = bookSides(bid, ask);
  const midpoint = midpointOf(sides);
  const price = midpoint ?? catalogueTrade(sources, sides)?.price ?? outcome ?? lastTrade;
  if (price === undefined) return undefined;
  return {
    price,
    ...fieldIf('midpoint', midpoint),
    priceSource: 'catalogue',
    pricedAt: sources.cataloguePricesAsOf,
    ...quoteOf(sides, lastTrade),
  };
}

/** Rule (a) of `priceOf`: the catalogue's last trade, moved into the sides of a book. */
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
  const { catalogue, cataloguePricesAsOf, volume } = sources;
  const isUntraded = volume === 0 || (sides.bid !== undefined && sides.ask !== undefined);
  if (!isUntraded || catalogue.outcome === undefined) return undefined;
  const carried = carriedPrice(sources);
  const { price, pricedAt } =
    carried?.priceSource === 'catalogue'
      ? carried
      : { price: catalogue.outcome, pricedAt: cataloguePricesAsOf };
  return { price: withinSides(price, sides), priceSource: 'untraded', pricedAt };
}

/**
 * Rule (c) of `priceOf`: the previous price, carried for one snapshot only. Then the market leaves
 * the list, so that the price of a finished game never reverts to an older one.
 */
function carriedOnce(sources: PriceSources): FoundPrice | undefined {
  const source = sources.previous?.priceSource;
  return source === 'book' || source === 'trade' ? carriedPrice(sources) : undefined;
}

/**
 * Whether the catalogue has any price of the market. Without one, the order book can still have a
 * price.
 */
export function hasPriceSignal({ catalogue }: Pick<CatalogueMarket, 'catalogue'>): boolean {
  return Object.keys(catalogue).length > 0;
}
