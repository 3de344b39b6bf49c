import type { Endpoint } from '../http/pipeline.ts';
import { countTags } from '../query/tags.ts';
import { type SnapshotEndpointDeps, snapshotResponse } from './snapshot-response.ts';

/** `GET /api/tags`: the categories and tags that the newest snapshot can be filtered by. */
export function listTags(deps: SnapshotEndpointDeps): Endpoint<'list-tags'> {
  return async ({ headers }) => {
    const snapshot = await deps.snapshots.latest();
    return snapshotResponse(deps, headers, snapshot, ['list-tags'], () => ({
      body: JSON.stringify(countTags(snapshot.markets)),
      headers: {},
    }));
  };
}
