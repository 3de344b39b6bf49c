/** A market as callers see it (design 2.1). The order of the fields is the order in the answer. */
export interface Market {
  /** Condition id: `0x` and 64 hex digits. */
  readonly id: string;
  readonly question: string;
  readonly slug?: string;
  /** YES probability in percent, 0–100, at most 2 decimals. */
  readonly currentProbability: number;
  /** Lifetime volume in USD. */
  readonly volume: number;
  /** Liquidity in USD. */
  readonly liquidity: number;
  /** Percentage points over 24 hours; null when there is no baseline. */
  readonly oneDayPriceChange: number | null;
  /** Percentage points over 7 and 30 days: the first markets of the list only, left out without a baseline. */
  readonly sevenDayPriceChange?: number;
  readonly thirtyDayPriceChange?: number;
  /** ISO 8601. */
  readonly endDate: string;
  /** The YES token: decimal digits. */
  readonly clobTokenId: string;
}

/** What the search knows of a market beyond its public fields. */
export interface SearchFacets {
  readonly eventTitle?: string;
  /** Tag slugs. */
  readonly tags: readonly string[];
}

/**
 * What the catalogue says of one listable market. Prices are those of the YES outcome, 0..1, whichever
 * position YES has upstream.
 */
export interface CatalogueMarket extends SearchFacets {
  readonly id: string;
  readonly question: string;
  readonly slug?: string;
  readonly volume: number;
  readonly liquidity: number;
  readonly endDate: string;
  readonly yesTokenId: string;
  /** Best ask minus best bid; absent when the catalogue does not tell. */
  readonly spread?: number;
  readonly lastTradePrice?: number;
  /** Price of the YES outcome in the catalogue. */
  readonly outcomePrice?: number;
}

/** Why a catalogue record cannot be listed although its market may be active. */
export type SkipReason =
  | 'not_an_object'
  | 'condition_id'
  | 'question'
  | 'outcomes'
  | 'yes_token'
  | 'end_date'
  | 'price';

/** What becomes of one record of the catalogue. The id is there whenever it could be read. */
export type CatalogueRecord =
  | { readonly kind: 'listable'; readonly id: string; readonly market: CatalogueMarket }
  | { readonly kind: 'inactive'; readonly id?: string }
  | { readonly kind: 'skipped'; readonly id?: string; readonly reason: SkipReason };

/** The order of the list: volume descending, ties by id ascending (design 2). */
export function byVolume(a: { volume: number; id: string }, b: { volume: number; id: string }): number {
  return b.volume - a.volume || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
