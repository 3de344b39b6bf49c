import type { CatalogueMarket } from '../domain/market.ts';
import type { Catalogue } from './ports.ts';
import type { SeenMarkets } from './seen-markets.ts';

/**
 * Walks the catalogue page by page, highest volume first, and yields the new listable markets of each page.
 * Ends at `maxMarkets`, on the last page, or when the cursor leads nowhere new: a cursor may loop. Markets without any
 * sign of a price come on top of `maxMarkets`: most of them turn out to have none at all and take nobody's place. No more of
 * them than that: a catalogue that tells no prices is not read to its end for it.
 *
 * @param deadline absolute ms after which no page is waited for
 * @throws whatever the catalogue throws once its retries are used up: without its pages there is no snapshot
 */
export async function* crawl(
  catalogue: Catalogue,
  maxMarkets: number,
  deadline: number,
  seenMarkets: SeenMarkets,
): AsyncGenerator<readonly CatalogueMarket[]> {
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let found = 0;
  do {
    const page = await catalogue.page(cursor, deadline);
    const { fresh, repeated } = seenMarkets.takePage(page, maxMarkets);
    found += fresh.length;
    yield fresh;
    if (repeated) return;
    cursor = page.nextCursor;
    if (cursor !== undefined) {
      if (cursors.has(cursor)) return;
      cursors.add(cursor);
    }
  } while (cursor !== undefined && seenMarkets.kept < maxMarkets && found < 2 * maxMarkets);
}
