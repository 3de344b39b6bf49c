import type { CatalogueRecord } from '../domain/market.ts';
import type { WireObject } from './json-values.ts';

/** Told what the pages of the catalogue are like, as they pass by. Must not throw. */
export interface PageObserver {
  /**
   * @param asked the query of the page
   * @param envelope the page as it came
   * @param records what was read of its markets, in their order
   */
  sawPage(asked: URLSearchParams, envelope: WireObject, records: readonly CatalogueRecord[]): void;
}
