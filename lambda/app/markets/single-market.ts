import { MARKET_FIELDS } from '../../core/contract/market-fields.ts';
import { rowOf, withField } from '../../core/query/rows.ts';
import type { Endpoint } from '../http/pipeline.ts';
import { type SnapshotEndpointDeps, snapshotResponse } from '../http/snapshot-response.ts';
import type { UnlistedMarkets } from './look-up-market.ts';

/**
 * `GET /api/markets/{id}`: one market with all its fields and its status. The endpoint reads a market of the newest
 * snapshot from it, and every other market from the upstream.
 */
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
