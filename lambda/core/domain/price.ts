import { type FieldsWith, PRICE_FIELDS } from '../contract/market-fields.ts';
import { type CatalogueMarket, type CataloguePrices, type Market, pickFields } from './market.ts';
import { definedFields, fieldIf } from './values.ts';

/** The best bid and ask of YES, 0–1, both exclusive. A side without any order is absent. */
export interface BookSides {
  readonly bid?: number;
  readonly ask?: number;
}

/** The last trade of YES that CLOB knows, 0–1. Without a price, the market was never traded. */
export interface LastTrade {
  readonly price?: number;
}

export interface PriceSources {
  /** Undefined if CLOB's call failed. */
  readonly sides: BookSides | undefined;
  /** Needed only if the book is not tight. Undefined if CLOB's call failed. */
  readonly lastTrade: LastTrade | undefined;
  readonly catalogue: CataloguePrices;
  /** USD over the lifetime of the market. */
  readonly volume: number;
  /** The market in the previous snapshot; undefined if that did not list it. */
  readonly previous?: Pick<Market, QuoteField | 'currentProbability' | 'midpoint' | 'priceSource'> | undefined;
}

type QuoteField = Exclude<FieldsWith<{ from: 'prices' }>, 'currentProbability'>;
const QUOTE_FIELDS = PRICE_FIELDS.filter((name): name is QuoteField => name !== 'currentProbability');

/** The price of YES and the fields of a market that follow from it. Prices are 0–1. */
export interface Price extends Pick<Market, QuoteField | 'midpoint' | 'priceSource'> {
  readonly price: number;
}

/** In ten-thousandths, the finest tick: 0.8 − 0.7 is not more than 0.1. Polymarket's site has the same limit. */
const MAX_TIGHT_SPREAD = 1_000;

/** A price that is not between 0 and 1 is no side. A bid above the ask is the ask. */
export function bookSides(bid: number | undefined, ask: number | undefined): BookSides {
  const [low, high] = [bid, ask].map((price) => (price !== undefined && price > 0 && price < 1 ? price : undefined));
  const isCrossed = low !== undefined && high !== undefined && low > high;
  return definedFields<BookSides>({ bid: isCrossed ? high : low, ask: isCrossed ? low : high });
}

export function hasSide({ bid, ask }: BookSides): boolean {
  return bid !== undefined || ask !== undefined;
}

/** The middle of a book with at least one side and a spread of at most 0.10. A missing bid is 0, a missing ask 1. */
export function midpointOf(sides: BookSides): number | undefined {
  const { bid = 0, ask = 1 } = sides;
  const isTight = hasSide(sides) && Math.round((ask - bid) * 10_000) <= MAX_TIGHT_SPREAD;
  return isTight ? Number(((bid + ask) / 2).toFixed(6)) : undefined;
}

/**
 * The price of a market by the first rule that applies (docs/design.md, "Prices").
 *
 * | book          | price                                                                    | source      |
 * | ------------- | ------------------------------------------------------------------------ | ----------- |
 * | call failed   | price and midpoint of the previous snapshot, if CLOB gave them then      | `carried`   |
 * |               | the catalogue's prices                                                   | `catalogue` |
 * | tight         | its middle                                                               | `book`      |
 * | wide or empty | the last trade, within the sides                                         | `trade`     |
 * |               | with a side, if the call failed: the catalogue's last trade within them  | `catalogue` |
 * |               | the catalogue's outcome price, if the volume is 0                        | `catalogue` |
 * |               | price of the previous snapshot, if CLOB gave it then                     | `carried`   |
 *
 * @returns undefined if no rule applies: the market is not listed
 */
export function priceOf({ sides, lastTrade, catalogue, volume, previous }: PriceSources): Price | undefined {
  if (!sides) return keptQuote(previous) ?? cataloguePrice(catalogue);
  const quote = quoteOf(sides, catalogue.lastTrade);
  const midpoint = midpointOf(sides);
  if (midpoint !== undefined) return { price: midpoint, midpoint, priceSource: 'book', ...quote };
  if (lastTrade?.price !== undefined) {
    const price = withinSides(lastTrade.price, sides);
    return { price, priceSource: 'trade', ...quote, lastTradePrice: lastTrade.price };
  }
  if (!lastTrade && hasSide(sides) && catalogue.lastTrade !== undefined) {
    return { price: withinSides(catalogue.lastTrade, sides), priceSource: 'catalogue', ...quote };
  }
  if (volume === 0 && catalogue.outcome !== undefined) {
    return { price: catalogue.outcome, priceSource: 'catalogue', ...quote };
  }
  const carried = keptQuote(previous);
  return carried && { price: carried.price, priceSource: 'carried', ...quote };
}

/** The price of the previous snapshot if CLOB gave it. A price that was already carried is too old. */
function keptQuote(previous: PriceSources['previous']): Price | undefined {
  if (previous?.priceSource !== 'book' && previous?.priceSource !== 'trade') return undefined;
  const price = previous.midpoint ?? Number((previous.currentProbability / 100).toFixed(6));
  return { price, priceSource: 'carried', ...pickFields(previous, ['midpoint', ...QUOTE_FIELDS]) };
}

/** The price by the catalogue alone, for a time in which CLOB does not respond. */
function cataloguePrice(catalogue: CataloguePrices): Price | undefined {
  const sides = bookSides(catalogue.bid, catalogue.ask);
  const midpoint = midpointOf(sides);
  const { lastTrade, outcome } = catalogue;
  const bounded = lastTrade !== undefined && hasSide(sides) ? withinSides(lastTrade, sides) : undefined;
  const price = midpoint ?? bounded ?? outcome ?? lastTrade;
  if (price === undefined) return undefined;
  return { price, ...fieldIf('midpoint', midpoint), priceSource: 'catalogue', ...quoteOf(sides, lastTrade) };
}

export function hasPriceSignal({ catalogue }: Pick<CatalogueMarket, 'catalogue'>): boolean {
  return Object.keys(catalogue).length > 0;
}

/** The fields of a market that follow from its sides and its last trade, with a price or without one. */
export function quoteOf(sides: BookSides, lastTrade: number | undefined): Pick<Market, QuoteField> {
  const { bid, ask } = sides;
  const spread = hasSide(sides) ? Number(((ask ?? 1) - (bid ?? 0)).toFixed(4)) : undefined;
  return definedFields<Pick<Market, QuoteField>>({ bestBid: bid, bestAsk: ask, spread, lastTradePrice: lastTrade });
}

function withinSides(price: number, { bid = 0, ask = 1 }: BookSides): number {
  return Math.min(Math.max(price, bid), ask);
}
