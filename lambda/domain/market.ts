import type { FromSchemaNamed } from '../contract/schemas.ts';
import type { ChangeWindow } from './change.ts';
import { optional } from './optional.ts';

/**
 * A market as callers see it (design 2.1): type and API document have one source. The order of the fields is the order
 * in the response.
 */
export type Market = Readonly<FromSchemaNamed<'Market'>>;

/** One side of a market: what it is called, the token it is traded by, and its price. */
export interface Outcome {
  readonly label: string;
  /** Decimal digits. */
  readonly tokenId: string;
  /** Percent, 0–100; left out when nobody says. */
  readonly probability?: number;
}

type AllFields = FromSchemaNamed<'MarketWithAllFields'>;
/** Fields that no snapshot holds, since readers work them out. */
type WorkedOut = 'category' | 'url';

/**
 * What the catalogue alone says of a market beyond the default fields: what the schema of `fields=all` has besides.
 * Prices are those of YES, 0..1, the spread with 4 decimals.
 */
export interface MarketDetails
  extends Readonly<Omit<AllFields, keyof Market | WorkedOut | 'tags' | 'outcomes'>> {
  /** Tag slugs. */
  readonly tags: readonly string[];
  /** In upstream's order; YES is the one whose token is the market's `clobTokenId`. */
  readonly outcomes: readonly Outcome[];
}

/** Which of upstream's protocols a market is traded under; it decides where its token ids stand. */
export type ProtocolVersion = MarketDetails['protocolVersion'];

/**
 * Everything that a snapshot holds of a market. The 7- and 30-day changes are there for any market whose baseline is
 * known; the default list shows them for its first 20 only. What follows from these fields (category, public URL, the
 * label of YES) is worked out by the readers.
 */
export interface MarketRecord extends Market, MarketDetails {}

/**
 * What the catalogue says of one listable market. Prices are those of the YES outcome, 0..1, whichever
 * position YES has upstream; the outcomes' probabilities are the catalogue's.
 */
export interface CatalogueMarket extends MarketDetails {
  readonly id: string;
  readonly question: string;
  readonly slug?: string;
  readonly volume: number;
  readonly liquidity: number;
  readonly endDate: string;
  readonly yesTokenId: string;
  /** Price of the YES outcome in the catalogue. */
  readonly outcomePrice?: number;
}

/** Why a catalogue record cannot be listed although its market may be active. */
export type SkipReason =
  | 'not_an_object'
  | 'condition_id'
  | 'question'
  | 'outcomes'
  /** A protocol version that this service does not know. */
  | 'version_unknown'
  /** No version, and the ids do not tell it. */
  | 'version_missing'
  /** A market so new that its ids are not there yet. */
  | 'ids_pending'
  /** Not as many ids as outcomes. */
  | 'ids_count'
  | 'ids_malformed'
  | 'end_date'
  /** Texts beyond what a list can carry. */
  | 'too_long'
  | 'price';

/**
 * What becomes of one record of the catalogue. The id is there whenever it could be read: the condition id in its
 * padded form, so that a market which comes in both forms is recognised (the market itself keeps the form it came in).
 */
export type CatalogueRecord =
  | { readonly kind: 'listable'; readonly id: string; readonly market: CatalogueMarket }
  | { readonly kind: 'inactive'; readonly id?: string }
  | { readonly kind: 'skipped'; readonly id?: string; readonly reason: SkipReason };

/** What the catalogue says of a market for its default fields. */
type ListedFacts = Pick<
  Market,
  'id' | 'question' | 'slug' | 'volume' | 'liquidity' | 'endDate' | 'clobTokenId'
>;

/** Percentage points; undefined where a change is not known. */
export type PriceChanges = Readonly<Record<ChangeWindow, number | undefined>>;

/**
 * A market as callers see it, but for the name of its YES.
 *
 * @param probability of YES in percent
 */
export function publicMarket(facts: ListedFacts, probability: number, changes: PriceChanges): Market {
  const { id, question, slug, volume, liquidity, endDate, clobTokenId } = facts;
  return {
    id,
    question,
    ...optional('slug', slug),
    currentProbability: probability,
    volume,
    liquidity,
    oneDayPriceChange: changes.oneDay ?? null,
    ...optional('sevenDayPriceChange', changes.sevenDay),
    ...optional('thirtyDayPriceChange', changes.thirtyDay),
    endDate,
    clobTokenId,
  };
}

/** The order of the list: volume descending, ties by id ascending (design 2). */
export function byVolume(a: { volume: number; id: string }, b: { volume: number; id: string }): number {
  return b.volume - a.volume || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
