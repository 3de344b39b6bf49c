import { CATEGORY_AND_TAG } from '../contract/routes/market-parameters.ts';
import type { FromSchemaNamed } from '../contract/schemas.ts';
import type { Market } from '../domain/market.ts';
import { sumOfAmounts } from '../domain/values.ts';

export type Tags = FromSchemaNamed<'Tags'>;
type TagCount = FromSchemaNamed<'TagCount'>;

/** The categories and tags of markets, with the number and volume of the markets that each selects as a filter. */
export function countTags(markets: readonly Market[]): Tags {
  return {
    categories: countsOf(markets, ({ categories }) => categories),
    tags: countsOf(markets, ({ tags }) => tags.filter(isSelectable)),
  };
}

/** Slugs that differ in case only are one, as in the filter. Most markets first; ties by volume, then slug. */
function countsOf(markets: readonly Market[], slugsOf: (market: Market) => readonly string[]): TagCount[] {
  const bySlug = new Map<string, Market[]>();
  for (const market of markets) {
    for (const slug of new Set(slugsOf(market).map((one) => one.toLowerCase()))) {
      const selected = bySlug.get(slug);
      if (selected) selected.push(market);
      else bySlug.set(slug, [market]);
    }
  }
  return [...bySlug]
    .map(([slug, some]) => ({ slug, markets: some.length, volume: sumOfAmounts(some.map(({ volume }) => volume)) }))
    .sort((a, b) => b.markets - a.markets || b.volume - a.volume || (a.slug < b.slug ? -1 : 1));
}

/** Whether the parameter `tag` can name a slug: there, a comma ends it. */
function isSelectable(slug: string): boolean {
  return !slug.includes(',') && [...slug].length <= CATEGORY_AND_TAG.tag.entryLength;
}
