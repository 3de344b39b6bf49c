/** The endpoint of the categories and tags by which callers can filter the list of markets. */
import { CATEGORY_AND_TAG } from '../../core/contract/route-table/market-parameters.ts';
import type { FromSchemaNamed } from '../../core/contract/schemas.ts';
import type { Market } from '../../core/domain/market.ts';
import { sumOfAmounts } from '../../core/domain/values.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { type SnapshotEndpointDeps, snapshotResponse } from '../../http/snapshot-response.ts';

/** `GET /api/tags`: the newest snapshot's categories and tags. */
export function listTags(deps: SnapshotEndpointDeps): Endpoint<'list-tags'> {
  return async ({ headers }) => {
    const snapshot = await deps.snapshots.latest();
    return snapshotResponse(deps, snapshot, { headers, query: ['list-tags'] }, () => {
      const response: FromSchemaNamed<'Tags'> = {
        categories: countsOf(snapshot.markets, ({ categories }) => categories),
        tags: countsOf(snapshot.markets, ({ tags }) => tags.filter(isSelectable)),
      };
      return { body: JSON.stringify(response), headers: {} };
    });
  };
}

/**
 * Counts the markets of each tag. Ignores case, as the filter does. The tag with most markets comes
 * first; ties by volume, then slug.
 */
function countsOf(
  markets: readonly Market[],
  slugsOf: (market: Market) => readonly string[],
): FromSchemaNamed<'TagCount'>[] {
  const volumesBySlug = new Map<string, number[]>();
  for (const market of markets) {
    const slugs = new Set(slugsOf(market).map((slug) => slug.toLowerCase()));
    for (const slug of slugs) {
      const volumes = volumesBySlug.get(slug) ?? [];
      volumesBySlug.set(slug, volumes);
      volumes.push(market.volume);
    }
  }
  const counts = [...volumesBySlug].map(([slug, volumes]) => ({
    slug,
    markets: volumes.length,
    volume: sumOfAmounts(volumes),
  }));
  return counts.sort(
    (a, b) => b.markets - a.markets || b.volume - a.volume || (a.slug < b.slug ? -1 : 1),
  );
}

/** Whether the parameter `tag` can name the slug: a comma in it would end the slug. */
function isSelectable(slug: string): boolean {
  return !slug.includes(',') && [...slug].length <= CATEGORY_AND_TAG.tag.entryLength;
}
