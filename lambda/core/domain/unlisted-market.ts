/**
 * The response of `/api/markets/{id}` for a market that is not in the list, because its volume is
 * too low or it no longer trades: the public fields of an open, a closed and a resolved market.
 */
import { MARKET_FIELDS } from '../contract/market-fields.ts';
import {
  type CatalogueMarket,
  type ChangeField,
  type Market,
  type Outcome,
  pickFields,
  probabilitiesOf,
} from './market.ts';
import { type PriceSources, priceOf } from './price.ts';
import { type BookSides, type LastTrade, quoteOf } from './quote.ts';
import type { UnixMs } from './time.ts';
import { fieldIf, roundTo3 } from './values.ts';

/** The order book and last trade of a market, with the times of these and of the catalogue. */
interface ReadBook extends Pick<PriceSources, 'asOf' | 'cataloguePricesAsOf'> {
  readonly sides: BookSides;
  readonly lastTrade: LastTrade;
}

/**
 * The public fields of a market that trades. Its price follows the rules of the list. Without a
 * price it shows the best prices and the last trade alone.
 */
export function openMarket(market: CatalogueMarket, book: ReadBook) {
  const { catalogue, volume } = market;
  const { price, pricedAt, ...priceFields } = priceOf({ ...book, catalogue, volume }) ?? {};
  const fields = {
    ...quoteOf(book.sides, catalogue.lastTrade),
    ...priceFields,
    ...timeField('pricedAt', pricedAt),
    ...(price === undefined ? {} : probabilitiesOf(market, price)),
  };
  return { ...publicFields(market, fields), status: 'active' } as const;
}

/**
 * The public fields of a market that no longer trades. Its price is the last trade.
 *
 * @param resolutionStatus such as `proposed`, as upstream writes it
 */
export function closedMarket(
  market: CatalogueMarket,
  closedAt: string | undefined,
  resolutionStatus: string | undefined,
) {
  const { lastTrade } = market.catalogue;
  const fields = {
    ...fieldIf('lastTradePrice', lastTrade),
    ...(lastTrade === undefined ? {} : probabilitiesOf(market, lastTrade)),
  };
  return {
    ...publicFields(market, fields),
    status: 'closed',
    ...fieldIf('closedAt', closedAt),
    ...(resolutionStatus !== undefined && { resolution: { status: resolutionStatus } }),
  } as const;
}

/** The result of a market, as the Data API returns it. */
interface Result {
  /** As upstream writes it, such as `resolved`. */
  readonly status: string;
  /** What a share of each outcome pays in USD, 0 to 1; in the order of the market's outcomes. */
  readonly payouts: readonly number[];
  readonly resolvedAt?: UnixMs | undefined;
}

/** The public fields of a market whose result is known. Its probabilities are the payouts. */
export function resolvedMarket(
  market: CatalogueMarket,
  closedAt: string | undefined,
  { status, payouts, resolvedAt }: Result,
) {
  const paid = market.outcomes.map(({ label, tokenId }, index) => {
    return { label, tokenId, payout: payouts[index] ?? 0 };
  });
  const outcomes = paid.map(({ payout, ...outcome }): Outcome => {
    return { ...outcome, probability: roundTo3(payout * 100) };
  });
  const yes = outcomes.find(({ tokenId }) => tokenId === market.clobTokenId);
  const fields = {
    ...fieldIf('lastTradePrice', market.catalogue.lastTrade),
    currentProbability: yes?.probability ?? 0,
    outcomes,
  };
  return {
    ...publicFields(market, fields),
    status: 'resolved',
    ...fieldIf('closedAt', closedAt),
    ...timeField('resolvedAt', resolvedAt),
    resolution: { status, payouts: paid },
  } as const;
}

/** The changes are unknown, because the service stores past prices only of listed markets. */
const NO_CHANGES: Readonly<Record<ChangeField, null>> = {
  oneHourPriceChange: null,
  oneDayPriceChange: null,
  sevenDayPriceChange: null,
  thirtyDayPriceChange: null,
};

/** The public fields of a market with these added; all changes are `null`. */
function publicFields(market: CatalogueMarket, added: Partial<Market>) {
  return { ...pickFields({ ...market, ...added }, MARKET_FIELDS), ...NO_CHANGES };
}

/** A field with a time in ISO 8601, if there is a time. */
function timeField<K extends string>(name: K, time: UnixMs | undefined) {
  return fieldIf(name, time === undefined ? undefined : new Date(time).toISOString());
}
