/**
 * The types of the API, from the service's contract. There is no code in this file. `build.ts`
 * replaces this file by declarations from `docs/openapi.json`.
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

/** The type in which a caller sends a parameter. */
type Sent<P> = P extends { kind: 'integer' | 'number' }
  ? number
  : P extends { kind: 'timestamp' }
    ? number | string
    : P extends { kind: 'choice'; values: readonly (infer V)[] }
      ? V
      : P extends { kind: 'list'; values: readonly (infer V)[] }
        ? readonly V[]
        : P extends { kind: 'list' }
          ? readonly string[]
          : string;

/** The rows of a route's parameters. */
type Parameters<R extends keyof typeof ROUTES> = (typeof ROUTES)[R]['parameters'];
/** A route's parameters except those in the path. Only required ones must be sent. */
type QueryOf<T> = {
  readonly [K in keyof T as T[K] extends { in: 'path' }
    ? never
    : T[K] extends { required: true }
      ? K
      : never]: Sent<T[K]>;
} & {
  readonly [K in keyof T as T[K] extends { in: 'path' } | { required: true } ? never : K]?: Sent<
    T[K]
  >;
};
/**
 * The query of a route. The rows `{ token_id: { kind: 'text', required: true }, fidelity: { kind:
 * 'integer' } }` become `{ token_id: string; fidelity?: number }`.
 */
type Query<R extends keyof typeof ROUTES> = QueryOf<Parameters<R>>;
