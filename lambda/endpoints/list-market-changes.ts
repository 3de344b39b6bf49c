import { LRUCache } from 'lru-cache';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { type Changes, changesBetween, type ListVersion, listVersion } from '../query/changes.ts';
import type { DecodedSnapshot } from '../snapshots/codec.ts';
import type { HeldSnapshot } from '../snapshots/snapshot-cache.ts';
import { type SnapshotEndpointOptions, snapshotResponse, taggedBody } from './snapshot-response.ts';

/** Made once a snapshot. */
export function changesSnapshot({ records }: DecodedSnapshot): ListVersion {
  return listVersion(records);
}

/** Responses kept: followers ask about the same few snapshots. */
const KEPT_RESPONSES = 20;

/** `GET /api/markets/changes`: what makes the newest list of an older one. */
export function listMarketChanges(options: SnapshotEndpointOptions<ListVersion>) {
  const { cache } = options;
  const bodies = new LRUCache<string, string>({ max: KEPT_RESPONSES });
  return async ({ parameters, headers }: EndpointRequest<'list-market-changes'>): Promise<HttpResponse> => {
    const latest = await cache.latest();
    const from = parameters.since === latest.manifest.id ? latest : await cache.byId(parameters.since);
    // Another container has seen a newer snapshot than this one: there is no way back in time.
    const to = from.manifest.asOf > latest.manifest.asOf ? from : latest;
    const key = `${from.manifest.id} ${to.manifest.id}`;
    const body = bodies.get(key) ?? JSON.stringify(changes(from, to));
    bodies.set(key, body);
    return snapshotResponse(options, headers, to.manifest.asOf, taggedBody(body));
  };
}

function changes(from: HeldSnapshot<ListVersion>, to: HeldSnapshot<ListVersion>): Changes {
  return {
    from: from.manifest.id,
    to: to.manifest.id,
    asOf: new Date(to.manifest.asOf).toISOString(),
    ...changesBetween(from.view, to.view),
  };
}
