/**
 * The types of the API, from the service's contract. There is no code in this file. The package
 * that callers install cannot import the contract, so `build.ts` replaces this file by declarations
 * from `docs/openapi.json`.
 */
import type { ERRORS } from '../../../lambda/core/contract/errors.ts';
import type { ROUTES } from '../../../lambda/core/contract/route-table.ts';
import type { FromSchemaNamed } from '../../../lambda/core/contract/schemas.ts';

export type Market = FromSchemaNamed<'Market'>;
export type MarketWithAllFields = FromSchemaNamed<'MarketWithAllFields'>;
export type UnlistedMarket = FromSchemaNamed<'UnlistedMarket'>;
export type ResolvedMarket = FromSchemaNamed<'ResolvedMarket'>;
export type MarketRules = FromSchemaNamed<'MarketRules'>;
export type MarketSelection = FromSchemaNamed<'MarketSelection'>;
export type Event = FromSchemaNamed<'Event'>;
export type EventWithMarkets = FromSchemaNamed<'EventWithMarkets'>;
export type OrderBook = FromSchemaNamed<'OrderBook'>;
export type Level = FromSchemaNamed<'Level'>;
export type PriceHistory = FromSchemaNamed<'PriceHistory'>;
export type Tags = FromSchemaNamed<'Tags'>;
export type Status = FromSchemaNamed<'Status'>;
export type ErrorBody = FromSchemaNamed<'ApiError'>;
export type ErrorCode = keyof typeof ERRORS;

export type ListMarketsQuery = Query<'list-markets'>;
export type SearchMarketsQuery = Query<'search-markets'>;
export type ListEventsQuery = Query<'list-events'>;
export type GetEventQuery = Query<'get-event'>;
export type GetPricesHistoryQuery = Query<'get-prices-history'>;
export type GetPricesHistoriesQuery = Query<'get-prices-histories'>;

/** What a caller sends for a parameter of these kinds. Any other kind is text. */
interface SentByKind {
  integer: number;
  number: number;
  /** Unix seconds, or a date or time as text. */
  timestamp: number | string;
  list: readonly string[];
}

/**
 * What a caller sends for the parameter of a row. For a choice with the values `['asc', 'desc']` it
 * is `'asc' | 'desc'`, for a list with these values `readonly ('asc' | 'desc')[]`.
 */
type Sent<P> = P extends { kind: 'choice'; values: readonly (infer V)[] }
  ? V
  : P extends { kind: 'list'; values: readonly (infer V)[] }
    ? readonly V[]
    : P extends { kind: infer K extends keyof SentByKind }
      ? SentByKind[K]
      : string;

/** The rows of a route's parameters without those in the path. */
type QueryRows<R extends keyof typeof ROUTES> = {
  [K in keyof Rows<R> as Rows<R>[K] extends { in: 'path' } ? never : K]: Rows<R>[K];
};
type Rows<R extends keyof typeof ROUTES> = (typeof ROUTES)[R]['parameters'];

/** The names of the required parameters. */
type RequiredNames<T> = { [K in keyof T]: T[K] extends { required: true } ? K : never }[keyof T];

/** The query of rows: required parameters must be sent, others may. */
type QueryOf<T> = {
  readonly [K in RequiredNames<T>]: Sent<T[K]>;
} & {
  readonly [K in Exclude<keyof T, RequiredNames<T>>]?: Sent<T[K]>;
};

/**
 * The query of a route. The rows `{ token_id: { kind: 'text', required: true }, fidelity: { kind:
 * 'integer' } }` become `{ token_id: string; fidelity?: number }`.
 */
type Query<R extends keyof typeof ROUTES> = QueryOf<QueryRows<R>>;
