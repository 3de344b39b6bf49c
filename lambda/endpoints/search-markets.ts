import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { type MarketTable, marketTable } from '../query/market-table.ts';
import { createSearchIndex, type SearchIndex } from '../search/search-index.ts';
import type { DecodedSnapshot } from '../snapshots/codec.ts';
import { marketPage } from './market-page.ts';
import type { SnapshotEndpointOptions } from './snapshot-response.ts';

/** A snapshot as the search holds it: its markets and an index of their positions. */
export interface SearchableSnapshot {
  readonly table: MarketTable;
  readonly index: SearchIndex;
}

/**
 * Makes each snapshot searchable. The texts of its base were indexed when it was written; those that came since, and all
 * where the store has no index, are read here. A later index is made of the one before: from one snapshot to the next
 * texts hardly change.
 */
export function searchableSnapshots(): (decoded: DecodedSnapshot) => SearchableSnapshot {
  let index: SearchIndex | undefined;
  return (decoded) => {
    const { records, indexed } = decoded;
    index = index?.update(records, indexed) ?? createSearchIndex(records, indexed);
    return { table: marketTable(decoded), index };
  };
}

export type SearchMarketsOptions = SnapshotEndpointOptions<SearchableSnapshot>;

/** `GET /api/markets/search`: relevance, then volume (design 2.2), filtered and sorted like the list. */
export function searchMarkets(options: SearchMarketsOptions) {
  const { cache } = options;
  return async (request: EndpointRequest<'search-markets'>): Promise<HttpResponse> => {
    const { q, snapshot } = request.parameters;
    const held = snapshot === undefined ? await cache.latest() : await cache.byId(snapshot);
    const { table, index } = held.view;
    const { positions: found, match } = index.search(q);
    return marketPage(options, request, held, table, { found, headers: { 'X-Search-Match': match } });
  };
}
