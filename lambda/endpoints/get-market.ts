import { MARKET_FIELDS } from '../contract/market-schemas.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import type { MarketTable } from '../query/market-table.ts';
import { type SnapshotEndpointOptions, snapshotResponse, taggedBody } from './snapshot-response.ts';

/** `GET /api/markets/{id}`: all that is known of one market. */
export function getMarket(options: SnapshotEndpointOptions<MarketTable>) {
  return async ({ parameters, headers }: EndpointRequest<'get-market'>): Promise<HttpResponse> => {
    const { manifest, view: table } = await options.cache.latest();
    const position = table.find(parameters.id);
    if (position === undefined) {
      throw new ServiceError(
        'no_market',
        'No open market has this condition id, slug or token: it is unknown, or no longer trades.',
      );
    }
    const body = JSON.stringify(table.pick(position, MARKET_FIELDS));
    return snapshotResponse(options, headers, manifest.asOf, taggedBody(body));
  };
}
