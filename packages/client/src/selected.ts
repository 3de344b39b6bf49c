/** The type of a market, which depends on the parameter `fields` of its query. */
import type * as api from './api.ts';

/** A market of the list with all fields that a query can select. */
type Listed = Omit<api.MarketWithAllFields, 'status'>;
/**
 * The names of the fields that `fields` selects. `default` and `all` stand for several: those of
 * `'default' | 'spread'` are the keys of `api.Market` and `spread`.
 */
type FieldsOf<F> = 'all' extends F
  ? keyof Listed
  : Extract<F | ('default' extends F ? keyof api.Market : never), keyof Listed>;
/**
 * A market with the fields of the query:
 *
 * | query                          | market                                           |
 * | ------------------------------ | ------------------------------------------------ |
 * | `{ limit: 5 }`                 | `api.Market`: the default fields                 |
 * | `{ fields: ['id', 'spread'] }` | `{ id: string; spread?: number }`                |
 * | `{ fields: names }`            | `api.MarketSelection`: each field may be absent, |
 * |                                | because only the running program knows `names`   |
 */
export type Selected<Q> = Q extends { readonly fields: readonly (infer F)[] }
  ? keyof Listed extends F
    ? api.MarketSelection
    : Pick<Listed, FieldsOf<F>>
  : 'fields' extends keyof Q
    ? api.MarketSelection
    : api.Market;
