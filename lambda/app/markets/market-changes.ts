import { ServiceError } from '../../core/domain/service-error.ts';
import { type Changes, listDiff } from '../../core/query/list-diff.ts';
import type { MarketSnapshot } from '../../core/query/market-snapshot.ts';
import type { Endpoint } from '../http/pipeline.ts';
import { fitsResponse, NO_CACHE, type SnapshotEndpointDeps, snapshotResponse } from '../http/response.ts';

/**
 * `GET /api/markets/changes`: the difference between an older snapshot and the newest list. Browsers revalidate, so
 * that polling callers see newer snapshots.
 *
 * @throws ServiceError `snapshot_gone` (410), even if the changes exceed one response
 */
export function listMarketChanges(deps: SnapshotEndpointDeps): Endpoint<'list-market-changes'> {
  return async ({ parameters, headers }) => {
    const latest = await deps.snapshots.latest();
    const from = await deps.snapshots.byId(parameters.since);
    // Another container may have served a newer snapshot; changes never go back.
    const to = from.info.asOf > latest.info.asOf ? from : latest;
    return snapshotResponse(deps, to, { headers, query: ['list-market-changes', from.info.id] }, () => ({
      body: changesBody(from, to),
      headers: { 'Cache-Control': NO_CACHE },
    }));
  };
}

function changesBody(from: MarketSnapshot, to: MarketSnapshot): string {
  const changes: Changes = {
    from: from.info.id,
    to: to.info.id,
    asOf: new Date(to.info.asOf).toISOString(),
    ...listDiff(from, to),
  };
  const body = JSON.stringify(changes);
  if (fitsResponse(body)) return body;
  throw new ServiceError(
    'snapshot_gone',
    'The changes since this snapshot do not fit into one response. Read the whole list again.',
  );
}
