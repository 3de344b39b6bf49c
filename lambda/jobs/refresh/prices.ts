/**
 * Adds prices to the markets that a run of the refresher publishes. The next run removes them again,
 * and uses them where it can read no newer ones.
 */
import { MAX_AGE_SECONDS } from '../../core/contract/constants.ts';
import {
  byVolume,
  type CatalogueMarket,
  type Market,
  type PricedMarket,
  probabilitiesOf,
  RUN_FIELDS,
} from '../../core/domain/market.ts';
import {
  MAX_PRICE_AGE_MS,
  type PreviousPrice,
  type Price,
  type PriceSources,
  priceOf,
} from '../../core/domain/price.ts';
import { type BestLevels, sizesAt } from '../../core/domain/quote.ts';
import { SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { PriceReading } from './price-reader.ts';
import type { Newest } from './run.ts';
import type { PreviousPrices } from './sides-reader.ts';

/** What a run has read about the prices of its markets. Maps are by token. */
interface RunPrices {
  /** When the run read the prices, the catalogue, and when the catalogue's prices were made. */
  readonly asOf: UnixMs;
  readonly catalogueAsOf: UnixMs;
  readonly cataloguePricesAsOf: UnixMs;
  readonly sides: PriceReading['sides'];
  readonly lastTrades: PriceReading['lastTrades'];
  /** The prices of the newest snapshot. */
  readonly previous: PreviousPrices;
  /** The best bid and ask with their sizes, where they were read. */
  readonly levels: ReadonlyMap<string, BestLevels>;
}

/** The markets that have a price, and those that lost theirs. */
interface PricedMarkets {
  /** In list order. */
  readonly priced: readonly PricedMarket[];
  /** Tokens of markets whose only price is too old. */
  readonly tooOld: ReadonlySet<string>;
}

/** Prices the markets. Omits markets without any price, and those whose only price is too old. */
export function priceMarkets(
  markets: readonly CatalogueMarket[],
  prices: RunPrices,
): PricedMarkets {
  const priced: PricedMarket[] = [];
  const tooOld = new Set<string>();
  for (const market of markets) {
    const price = priceOf(sourcesOf(market, prices));
    if (!price) continue;
    if (prices.asOf - price.pricedAt > MAX_PRICE_AGE_MS) tooOld.add(market.clobTokenId);
    else priced.push(withPrice(market, price, prices));
  }
  return { priced: priced.sort(byVolume), tooOld };
}

/** What the run has read about one market. */
function sourcesOf(
  { clobTokenId: token, catalogue, volume }: CatalogueMarket,
  { sides, lastTrades, previous, asOf, cataloguePricesAsOf }: RunPrices,
): PriceSources {
  return {
    asOf,
    sides: sides.get(token),
    lastTrade: lastTrades.get(token),
    catalogue,
    cataloguePricesAsOf,
    volume,
    previous: previous.get(token),
  };
}

/**
 * The oldest sizes that a run publishes: as old as served data can be. In an outage of the
 * catalogue, older sizes would mislead.
 */
const MAX_SIZE_AGE_MS = MAX_AGE_SECONDS * SECOND_MS;

/**
 * Adds to a market its price, its quote (best bid and ask), and its sizes: the shares at the best
 * prices.
 */
function withPrice(
  market: CatalogueMarket,
  { price, pricedAt, ...quote }: Price,
  { asOf, catalogueAsOf, sides, levels }: RunPrices,
): PricedMarket {
  const token = market.clobTokenId;
  const hasSizes = asOf - catalogueAsOf <= MAX_SIZE_AGE_MS;
  // A price without a time of its own has the time of the snapshot.
  const ownTime = pricedAt === asOf ? undefined : new Date(pricedAt).toISOString();
  return {
    ...market,
    ...probabilitiesOf(market, price),
    ...quote,
    ...(hasSizes ? sizesAt(sides.get(token) ?? {}, levels.get(token) ?? {}) : {}),
    ...fieldIf('pricedAt', ownTime),
  };
}

/** A market of a snapshot without the fields that its run added. */
export function withoutPrices(market: Market): CatalogueMarket {
  return Object.fromEntries(
    Object.entries(market).filter(([name]) => !RUN_FIELDS.has(name)),
  ) as unknown as CatalogueMarket;
}

/** The prices of the newest snapshot by token, each with its time. */
export function previousPrices(newest: Newest): PreviousPrices {
  const prices = new Map<string, PreviousPrice>();
  if (!newest) return prices;
  for (const market of newest.markets) {
    const pricedAt = market.pricedAt ? Date.parse(market.pricedAt) : newest.info.asOf;
    prices.set(market.clobTokenId, { ...market, pricedAt });
  }
  return prices;
}
