import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import type { MarketTable } from '../query/market-table.ts';
import { marketPage } from './market-page.ts';
import type { SnapshotEndpointOptions } from './snapshot-response.ts';

export type ListMarketsOptions = SnapshotEndpointOptions<MarketTable>;

/** `GET /api/markets`: the markets of a snapshot, filtered and sorted in memory. */
export function listMarkets(options: ListMarketsOptions) {
  const { cache } = options;
  return async (request: EndpointRequest<'list-markets'>): Promise<HttpResponse> => {
    const { snapshot } = request.parameters;
    const held = snapshot === undefined ? await cache.latest() : await cache.byId(snapshot);
    return marketPage(options, request, held, held.view);
  };
}
