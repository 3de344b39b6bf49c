import { ageSeconds, cacheableSeconds, type FreshnessRule } from '../domain/freshness.ts';
import type { MarketList } from '../domain/market-list.ts';
import { ServiceError } from '../domain/service-error.ts';
import { cacheControl } from '../http/cache-control.ts';
import { conditional } from '../http/conditional.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { createSearchIndex, type SearchIndex } from '../search/search-index.ts';
import { queryTerms } from '../search/terms.ts';
import type { DecodedSnapshot } from '../snapshots/codec.ts';
import type { SnapshotCache } from '../snapshots/snapshot-cache.ts';

/** A snapshot as the search holds it: the encoded markets and an index of their positions. */
export interface SearchableSnapshot {
  readonly list: MarketList;
  readonly index: SearchIndex;
}

/**
 * Makes each snapshot searchable. The first index is built whole (about 30 ms for 2,000 markets), each later one is made
 * of the one before: from one snapshot to the next texts hardly change.
 */
export function searchableSnapshots(): (decoded: DecodedSnapshot) => SearchableSnapshot {
  let index: SearchIndex | undefined;
  return ({ list, records }) => {
    index = index?.update(records) ?? createSearchIndex(records);
    return { list, index };
  };
}

export interface SearchMarketsOptions {
  readonly cache: SnapshotCache<SearchableSnapshot>;
  readonly rule: FreshnessRule;
  readonly now: () => number;
  readonly edgeCache: boolean;
}

/** `GET /api/markets/search`: relevance, then volume (design 2.2). */
export function searchMarkets(options: SearchMarketsOptions) {
  const { cache, rule, now, edgeCache } = options;
  return async (request: EndpointRequest<'search-markets'>): Promise<HttpResponse> => {
    const { q, limit } = request.parameters;
    if (queryTerms(q).length === 0) {
      throw new ServiceError(
        'invalid_parameter',
        'The parameter q must hold a letter or a digit to search for, besides the characters & = ? # % that are ignored.',
      );
    }
    const { manifest, view } = await cache.latest();
    const { positions } = view.index.search(q, limit);
    const seconds = cacheableSeconds(ageSeconds(manifest.asOf, now()), rule);
    return conditional(
      request.headers,
      { tag: `${manifest.id}.${positions.join('-')}`, lastModified: manifest.asOf },
      { 'Cache-Control': cacheControl(seconds, edgeCache) },
      () => view.list.pick(positions),
    );
  };
}
