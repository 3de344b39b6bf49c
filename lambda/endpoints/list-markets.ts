import { MAX_RESPONSE_BYTES } from '../contract/constants.ts';
import { ageSeconds, cacheableSeconds, type FreshnessRule } from '../domain/freshness.ts';
import type { MarketList } from '../domain/market-list.ts';
import { cutPage, type Page, pageLinks } from '../domain/paging.ts';
import { cacheControl } from '../http/cache-control.ts';
import { conditional } from '../http/conditional.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import type { SnapshotCache } from '../snapshots/snapshot-cache.ts';

export interface ListMarketsOptions {
  readonly cache: SnapshotCache<MarketList>;
  readonly rule: FreshnessRule;
  readonly now: () => number;
  readonly edgeCache: boolean;
}

/** `GET /api/markets`: a page is cut out of JSON that was encoded when the snapshot was made. */
export function listMarkets(options: ListMarketsOptions) {
  const { cache, rule, now, edgeCache } = options;
  return async (request: EndpointRequest<'list-markets'>): Promise<HttpResponse> => {
    const { limit, offset, snapshot } = request.parameters;
    const { manifest, view } = snapshot === undefined ? await cache.latest() : await cache.byId(snapshot);
    const page = cutPage(view.length, offset, limit, (start) =>
      view.fitting(start, MAX_RESPONSE_BYTES, limit),
    );
    const seconds = cacheableSeconds(ageSeconds(manifest.asOf, now()), rule);
    return conditional(
      request.headers,
      { tag: `${manifest.id}.${page.start}-${page.end}`, lastModified: manifest.asOf },
      {
        'Cache-Control': cacheControl(seconds, edgeCache),
        'X-Total-Count': String(view.length),
        Link: linkHeader(request.path, manifest.id, view.length, page, limit),
      },
      () => view.slice(page.start, page.end),
    );
  };
}

/** RFC 8288. The links name the snapshot, so that a walk over the pages sees one and the same. */
function linkHeader(path: string, snapshot: string, total: number, page: Page, limit: number): string {
  return pageLinks(total, page, limit)
    .map(({ rel, offset }) => {
      const query = new URLSearchParams({ limit: String(limit), offset: String(offset), snapshot });
      return `<${path}?${query}>; rel="${rel}"`;
    })
    .join(', ');
}
