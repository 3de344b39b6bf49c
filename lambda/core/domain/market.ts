/**
 * A prediction market in three states: as Polymarket's catalogue describes it (`CatalogueMarket`),
 * with its price (`PricedMarket`), and with its price changes (`Market`), as the service lists it.
 * Its prices are those of YES, the outcome whose token is `clobTokenId`.
 */
import { type CategoryName, LONG_CHANGE_MARKETS } from '../contract/constants.ts';
import {
  type CHANGE_FIELDS,
  DEFAULT_MARKET_FIELDS,
  type FieldsWith,
  fieldsWith,
} from '../contract/market-fields.ts';
import type { FromSchemaNamed } from '../contract/schemas.ts';
import type { SkipReason } from './snapshot.ts';
import { fieldIf, roundTo3 } from './values.ts';

/** The prices of YES in the catalogue, 0–1. */
export interface CataloguePrices {
  readonly bid?: number;
  readonly ask?: number;
  readonly lastTrade?: number;
  /** The price that Polymarket shows for the outcome. */
  readonly outcome?: number;
}

/** The public fields of a market: `id`, `question`, `volume` and all others of `fields=all`. */
type PublicMarket = Omit<FromSchemaNamed<'MarketWithAllFields'>, 'status'>;
/** One side of a market: `{ label: 'Yes', tokenId: '98022…', probability: 50.5 }`. */
export type Outcome = Readonly<PublicMarket['outcomes'][number]>;

/**
 * A market of a snapshot, the list that a run of the refresher publishes. The table in
 * `contract/market-fields.ts` defines the public fields. The others are stored, because the next
 * run needs them to price the market again. `tags`, `outcomes` and `pricedAt` are public fields
 * with another type.
 */
export interface Market extends Readonly<Omit<PublicMarket, 'tags' | 'outcomes' | 'pricedAt'>> {
  readonly tags: readonly string[];
  /** In upstream's order. `clobTokenId` is the token of YES. */
  readonly outcomes: readonly Outcome[];
  readonly categories: readonly CategoryName[];
  /** The public prices come from order books if those are readable, otherwise from these. */
  readonly catalogue: CataloguePrices;
  /** ISO 8601. Absent if the price was read at the snapshot's time. */
  readonly pricedAt?: string;
  /** Present if the price is the last trade of an earlier snapshot. */
  readonly carriesTrade?: true;
  /**
   * The number of full runs in a row in which the catalogue had the market neither in its list nor
   * under its id. @default 0
   */
  readonly missedCrawls?: number;
}

/** The version of Polymarket's protocol by which the market trades. */
export type ProtocolVersion = Market['protocolVersion'];

/** `oneHourPriceChange`, `oneDayPriceChange` and those of longer windows. */
export type ChangeField = (typeof CHANGE_FIELDS)[number];
const RUN_FIELD_NAMES = [
  ...fieldsWith({ from: 'prices' }),
  ...fieldsWith({ from: 'changes' }),
  'carriesTrade',
] as const;
/** The fields that each run computes anew: prices such as `bestBid`, and changes. */
export const RUN_FIELDS: ReadonlySet<string> = new Set(RUN_FIELD_NAMES);

/** A market with its price, before its changes are known. */
export type PricedMarket = Omit<Market, FieldsWith<{ from: 'changes' }>>;

/** A market as the catalogue describes it, before it is priced. */
export type CatalogueMarket = Omit<Market, (typeof RUN_FIELD_NAMES)[number]>;

/** Why the service does not list a market. */
export interface SkippedMarket {
  readonly reason: SkipReason;
  /** The protocol version, only if this service does not support it. */
  readonly version?: string;
}

/**
 * One record of the catalogue: a market that can be listed, one that does not trade, or one that
 * the service cannot list. `id` is the padded condition id. `market.id` is as upstream writes it.
 */
export type CatalogueRecord =
  | {
      readonly kind: 'listable';
      readonly id: string;
      readonly market: CatalogueMarket;
      /** The record has no readable volume, so the volume counts as 0. */
      readonly lacksVolume?: true;
    }
  | { readonly kind: 'inactive'; readonly id?: string }
  | ({ readonly kind: 'skipped'; readonly id?: string } & SkippedMarket);

/** The order of the list: by descending volume; ties by ascending id. */
export function byVolume(
  a: { volume: number; id: string },
  b: { volume: number; id: string },
): number {
  if (a.volume !== b.volume) return b.volume - a.volume;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/**
 * The fields of a market in a response without the parameter `fields`. Only the first 20 markets
 * show their 7- and 30-day changes.
 *
 * @param position in the list, from 0
 */
export function defaultFields(
  market: Market,
  position: number,
): Partial<Pick<Market, (typeof DEFAULT_MARKET_FIELDS)[number]>> {
  const { sevenDayPriceChange, thirtyDayPriceChange, ...others } = market;
  const shown = position < LONG_CHANGE_MARKETS ? market : others;
  return pickFields(shown, DEFAULT_MARKET_FIELDS);
}

/** The named fields that a market has, in the order of the names. */
export function pickFields<F extends keyof Market>(
  market: Partial<Market>,
  names: readonly F[],
): Partial<Pick<Market, F>> {
  const picked: Partial<Pick<Market, F>> = {};
  for (const name of names) if (market[name] !== undefined) picked[name] = market[name];
  return picked;
}

/**
 * The probabilities of the outcomes in percent: of YES 50.5 for the price 0.505, of the other one
 * of two outcomes the rest, 49.5. If there are more than two, only YES has a probability.
 *
 * @param price of YES, 0–1
 */
export function probabilitiesOf(
  { outcomes, clobTokenId }: Pick<Market, 'outcomes' | 'clobTokenId'>,
  price: number,
) {
  const currentProbability = roundTo3(price * 100);
  const rest = outcomes.length === 2 ? roundTo3(100 - currentProbability) : undefined;
  const priced = outcomes.map(({ label, tokenId }): Outcome => {
    const probability = tokenId === clobTokenId ? currentProbability : rest;
    return { label, tokenId, ...fieldIf('probability', probability) };
  });
  return { currentProbability, outcomes: priced };
}
