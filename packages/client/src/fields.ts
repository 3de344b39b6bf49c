/** The lists of fields, from the contract of the service. `build.ts` writes them as literals into the published package. */
export { DEFAULT_MARKET_FIELDS, NULLABLE_FIELDS } from '../../../lambda/core/contract/market-fields.ts';
