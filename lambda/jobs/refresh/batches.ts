import type { CatalogueMarket } from '../../core/domain/market.ts';
import { inGroups } from '../../core/domain/values.ts';

/**
 * Divides markets into the batches of calls to upstream. Each batch has markets of one protocol
 * version, because upstream's response to a mix of ids is not documented.
 *
 *     batchesByVersion([a1, b2, c1, d1], 2); // [[a1, c1], [d1], [b2]]: a, c, d are version 1
 *
 * @param maxMarkets of a batch
 */
export function batchesByVersion<M extends Pick<CatalogueMarket, 'protocolVersion'>>(
  markets: readonly M[],
  maxMarkets: number,
): (readonly M[])[] {
  const versions = Map.groupBy(markets, ({ protocolVersion }) => protocolVersion);
  return [...versions.values()].flatMap((ofVersion) => inGroups(ofVersion, maxMarkets));
}
