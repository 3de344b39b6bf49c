import { MARKET_FIELDS } from '../../core/contract/market-fields.ts';
import { rowOf, withField } from '../../core/query/market-snapshot.ts';
import type { Endpoint } from '../http/pipeline.ts';
import { type SnapshotEndpointDeps, snapshotResponse } from '../http/response.ts';
import type { UnlistedMarkets } from './look-up-market.ts';

/** `GET /api/markets/{id}`: from the newest snapshot, or from upstream if the market is not in it. */
export function getMarket(deps: SnapshotEndpointDeps, unlisted: UnlistedMarkets): Endpoint<'get-market'> {
  return async ({ parameters, headers }) => {
    const snapshot = await deps.snapshots.latest();
    const position = snapshot.positionOf(parameters.id);
    if (position === undefined) return await unlisted(parameters.id, headers);
    return snapshotResponse(deps, snapshot, { headers, query: ['get-market', position] }, () => {
      const row = rowOf(snapshot, position, { kind: 'json', fields: MARKET_FIELDS });
      return { body: withField(row, 'status', '"active"'), headers: {} };
    });
  };
}
