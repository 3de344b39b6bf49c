import { LRUCache } from 'lru-cache';
import { ServiceError } from '../domain/service-error.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { type Changes, changesBetween, type ListVersion, listVersion } from '../query/changes.ts';
import type { DecodedSnapshot } from '../snapshots/codec.ts';
import type { HeldSnapshot } from '../snapshots/snapshot-cache.ts';
import { fitsResponse } from './response-size.ts';
import { type SnapshotEndpointOptions, snapshotResponse, taggedBody } from './snapshot-response.ts';

/** Made once a snapshot. */
export function changesSnapshot({ records }: DecodedSnapshot): ListVersion {
  return listVersion(records);
}

/** Responses kept: followers ask about the same few snapshots. */
const KEPT_RESPONSES = 20;

/**
 * `GET /api/markets/changes`: what makes the newest list of an older one.
 *
 * @throws ServiceError `snapshot_gone` (410) also where so much has changed that one response cannot hold it
 */
export function listMarketChanges(options: SnapshotEndpointOptions<ListVersion>) {
  const { cache } = options;
  const made = new LRUCache<string, MadeBody>({ max: KEPT_RESPONSES });
  return async ({ parameters, headers }: EndpointRequest<'list-market-changes'>): Promise<HttpResponse> => {
    const latest = await cache.latest();
    const from = parameters.since === latest.manifest.id ? latest : await cache.byId(parameters.since);
    // Another container has seen a newer snapshot than this one: there is no way back in time.
    const to = from.manifest.asOf > latest.manifest.asOf ? from : latest;
    const key = `${from.manifest.id} ${to.manifest.id}`;
    const known = made.get(key) ?? madeBody(changes(from, to));
    made.set(key, known);
    if (known.body === undefined) throw tooMuchChanged();
    return snapshotResponse(options, headers, to.manifest.asOf, taggedBody(known.body));
  };
}

/** Without a body where it would be too long: that, too, is found out once. */
interface MadeBody {
  readonly body: string | undefined;
}

function madeBody(told: Changes): MadeBody {
  const body = JSON.stringify(told);
  return { body: fitsResponse(body) ? body : undefined };
}

function tooMuchChanged(): ServiceError {
  return new ServiceError(
    'snapshot_gone',
    'More has changed since this snapshot than one response can hold; start again from the list.',
  );
}

function changes(from: HeldSnapshot<ListVersion>, to: HeldSnapshot<ListVersion>): Changes {
  return {
    from: from.manifest.id,
    to: to.manifest.id,
    asOf: new Date(to.manifest.asOf).toISOString(),
    ...changesBetween(from.view, to.view),
  };
}
