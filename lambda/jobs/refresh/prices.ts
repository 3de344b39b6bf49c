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
  type BestLevels,
  MAX_PRICE_AGE_MS,
  type PriceSources,
  priceOf,
  sizesAt,
} from '../../core/domain/price.ts';
import { SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { PriceReading } from './price-reader.ts';
import type { PreviousPrices } from './sides-reader.ts';

/** What a run knows about the prices of its markets. */
type Prices = Pick<PriceReading, 'sides' | 'lastTrades'> &
  Pick<PriceSources, 'asOf' | 'cataloguePricesAsOf'> & {
    readonly previous: PreviousPrices;
    /** By token, read beside the catalogue. */
    readonly levels: ReadonlyMap<string, BestLevels>;
    readonly catalogueAsOf: UnixMs;
  };

/**
 * The oldest sizes that a run publishes: as old as served data can be. In an outage of the
 * catalogue, older sizes would mislead.
 */
const MAX_SIZE_AGE_MS = MAX_AGE_SECONDS * SECOND_MS;

/** The markets that have a price, and those that lost theirs. */
interface PricedMarkets {
  /** In list order. */
  readonly priced: readonly PricedMarket[];
  /** Tokens of markets whose only price is too old. */
  readonly tooOld: ReadonlySet<string>;
}

/** The prices of the newest snapshot by token, each with its time. */
export function previousPrices(
  newest:
    | { readonly info: { readonly asOf: UnixMs }; readonly markets: readonly Market[] }
    | undefined,
): PreviousPrices {
  return new Map(
    newest?.markets.map((market) => {
      const pricedAt =
        market.pricedAt === undefined ? newest.info.asOf : Date.parse(market.pricedAt);
      return [market.clobTokenId, { ...market, pricedAt }];
    }),
  );
}

/** Prices the markets. Omits markets without any price, and those whose only price is too old. */
export function priceMarkets(markets: readonly CatalogueMarket[], prices: Prices): PricedMarkets {
  const { sides, lastTrades, previous, levels, catalogueAsOf, ...times } = prices;
  const haveSizes = times.asOf - catalogueAsOf <= MAX_SIZE_AGE_MS;
  const tooOld = new Set<string>();
  const priced = markets.flatMap((market): PricedMarket[] => {
    const { clobTokenId: token, catalogue, volume } = market;
    const sources = {
      sides: sides.get(token),
      lastTrade: lastTrades.get(token),
      previous: previous.get(token),
    };
    const current = priceOf({ ...sources, ...times, catalogue, volume });
    if (!current) return [];
    const { price, pricedAt, ...quote } = current;
    if (times.asOf - pricedAt > MAX_PRICE_AGE_MS) {
      tooOld.add(token);
      return [];
    }
    // A price without a time of its own has the time of the snapshot.
    const ownTime = pricedAt === times.asOf ? undefined : new Date(pricedAt).toISOString();
    const sizes = haveSizes ? sizesAt(sides.get(token) ?? {}, levels.get(token) ?? {}) : {};
    return [
      {
        ...market,
        ...probabilitiesOf(market, price),
        ...quote,
        ...sizes,
        ...fieldIf('pricedAt', ownTime),
      },
    ];
  });
  return { priced: priced.sort(byVolume), tooOld };
}

/** A market of a snapshot without the fields that its run added. */
export function withoutPrices(market: Market): CatalogueMarket {
  return Object.fromEntries(
    Object.entries(market).filter(([name]) => !RUN_FIELDS.has(name)),
  ) as unknown as CatalogueMarket;
}
