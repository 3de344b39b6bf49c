/** From the service's contract. `build.ts` writes literals into the package. */
export { DEFAULT_MARKET_FIELDS, NULLABLE_FIELDS } from '../../../lambda/core/contract/market-fields.ts';
