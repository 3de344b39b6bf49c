/** Markets that are not in the list: the public fields of open, closed and resolved ones. */
import { CHANGE_FIELDS, MARKET_FIELDS } from '../contract/market-fields.ts';
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

/** The changes are unknown, because the service stores past prices only of listed markets. */
const NO_CHANGES = Object.fromEntries(CHANGE_FIELDS.map((name) => [name, null])) as Record<
  ChangeField,
  null
>;

/** The public fields of a market whose changes are unknown. @param price of YES, 0–1 */
function publicFields(market: CatalogueMarket, fields: Partial<Market>, price?: number) {
  const probabilities = price === undefined ? {} : probabilitiesOf(market, price);
  return {
    ...pickFields({ ...market, ...fields, ...probabilities }, MARKET_FIELDS),
    ...NO_CHANGES,
  };
}

/** What CLOB says of a market, and the times of these and the catalogue's prices. */
interface ReadBook extends Pick<PriceSources, 'asOf' | 'cataloguePricesAsOf'> {
  readonly sides: BookSides;
  readonly lastTrade: LastTrade;
}

/**
 * The public fields of a market that trades and is not in the list. Its price follows the rules of
 * the list. Without a price it shows the best prices and the last trade alone.
 */
export function openMarket(market: CatalogueMarket, book: ReadBook) {
  const { catalogue, volume } = market;
  const { price, pricedAt, ...priceFields } = priceOf({ ...book, catalogue, volume }) ?? {};
  const fields = {
    ...quoteOf(book.sides, catalogue.lastTrade),
    ...priceFields,
    ...(pricedAt === undefined ? {} : { pricedAt: new Date(pricedAt).toISOString() }),
  };
  return { ...publicFields(market, fields, price), status: 'active' } as const;
}

/**
 * The public fields of a market that no longer trades. Its price is the last trade.
 *
 * @param status as upstream writes it
 */
export function closedMarket(
  market: CatalogueMarket,
  closedAt: string | undefined,
  status: string | undefined,
) {
  const { lastTrade } = market.catalogue;
  return {
    ...publicFields(market, fieldIf('lastTradePrice', lastTrade), lastTrade),
    status: 'closed',
    ...fieldIf('closedAt', closedAt),
    ...(status === undefined ? {} : { resolution: { status } }),
  } as const;
}

/** The result of a market, as the Data API returns it. */
interface Result {
  readonly status: string;
  /** What a share of each outcome pays in USD, 0 to 1. */
  readonly payouts: readonly number[];
  readonly resolvedAt?: UnixMs | undefined;
}

/** The public fields of a market whose result is known. Its probabilities are the payouts. */
export function resolvedMarket(
  market: CatalogueMarket,
  closedAt: string | undefined,
  { status, payouts, resolvedAt }: Result,
) {
  const paid = market.outcomes.map(({ label, tokenId }, index) => ({
    label,
    tokenId,
    payout: payouts[index] ?? 0,
  }));
  const outcomes = paid.map(
    ({ label, tokenId, payout }): Outcome => ({
      label,
      tokenId,
      probability: roundTo3(payout * 100),
    }),
  );
  const { probability: currentProbability = 0 } =
    outcomes.find(({ tokenId }) => tokenId === market.clobTokenId) ?? {};
  const { lastTrade } = market.catalogue;
  return {
    ...publicFields(market, {
      ...fieldIf('lastTradePrice', lastTrade),
      currentProbability,
      outcomes,
    }),
    status: 'resolved',
    ...fieldIf('closedAt', closedAt),
    ...(resolvedAt === undefined ? {} : { resolvedAt: new Date(resolvedAt).toISOString() }),
    resolution: { status, payouts: paid },
  } as const;
}
