import { MARKET_FIELDS } from '../contract/market-schemas.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Endpoint } from '../http/pipeline.ts';
import { rowOf } from '../query/rows.ts';
import { type SnapshotEndpointDeps, snapshotResponse } from './snapshot-response.ts';

/** `GET /api/markets/{id}`: one market with all its fields. */
export function getMarket(deps: SnapshotEndpointDeps): Endpoint<'get-market'> {
  return async ({ parameters, headers }) => {
    const snapshot = await deps.snapshots.latest();
    const position = snapshot.find(parameters.id);
    if (position === undefined) {
      throw new ServiceError(
        'no_market',
        'No open market has this condition id, slug or token: it is unknown, or it no longer trades.',
      );
    }
    return snapshotResponse(deps, headers, snapshot, ['get-market', position], () => ({
      body: rowOf(snapshot, position, { kind: 'json', fields: MARKET_FIELDS }),
      headers: {},
    }));
  };
}
