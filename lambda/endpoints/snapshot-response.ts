import { ageSeconds, cacheableSeconds, type FreshnessRule } from '../domain/freshness.ts';
import { cacheControl } from '../http/cache-control.ts';
import { conditional, contentTag } from '../http/conditional.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Snapshots } from '../snapshots/snapshot-cache.ts';

/** What an endpoint needs that reads a snapshot. */
export interface SnapshotEndpointOptions<V> {
  readonly cache: Snapshots<V>;
  readonly rule: FreshnessRule;
  readonly now: () => number;
  readonly edgeCache: boolean;
}

/** A body with the tag of its content. */
export interface TaggedBody {
  readonly body: string;
  readonly tag: string;
}

export function taggedBody(body: string): TaggedBody {
  return { body, tag: contentTag(body) };
}

/**
 * A body made of a snapshot, told by its content: who polls gets 304 as long as what they ask for is the same,
 * however many snapshots were published meanwhile.
 *
 * @param asOf time of the data in ms
 */
export function snapshotResponse(
  { rule, now, edgeCache }: Pick<SnapshotEndpointOptions<unknown>, 'rule' | 'now' | 'edgeCache'>,
  requestHeaders: Readonly<Record<string, string>>,
  asOf: number,
  { body, tag }: TaggedBody,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const seconds = cacheableSeconds(ageSeconds(asOf, now()), rule);
  return conditional(
    requestHeaders,
    { tag, lastModified: asOf },
    { 'Cache-Control': cacheControl(seconds, edgeCache), ...headers },
    () => body,
  );
}
