import type { CatalogueMarket } from '../domain/market.ts';
import { hintsAtPrice } from '../domain/probability.ts';
import type { Catalogue } from './ports.ts';
import type { RunReport } from './run-report.ts';

/**
 * Walks the catalogue page by page, highest volume first, and yields the new listable markets of each page.
 * Ends at `maxMarkets`, on the last page, or when the cursor leads nowhere new: upstream serves pages from a
 * cache of mixed age, so a market may come twice, and a cursor may loop. Markets without any sign of
 * a price come on top of `maxMarkets`: most of them turn out to have none at all and take nobody's place.
 *
 * @param deadline absolute ms after which no page is waited for
 * @throws whatever the catalogue throws once its retries are used up: without its pages there is no snapshot
 */
export async function* crawl(
  catalogue: Catalogue,
  maxMarkets: number,
  deadline: number,
  report: RunReport,
): AsyncGenerator<readonly CatalogueMarket[]> {
  const seen = new Set<string>();
  const cursors = new Set<string>();
  let kept = 0;
  let cursor: string | undefined;
  do {
    const page = await catalogue.page(cursor, deadline);
    report.pages += 1;
    report.catalogueAgeSeconds = Math.max(report.catalogueAgeSeconds, page.ageSeconds ?? 0);

    const fresh: CatalogueMarket[] = [];
    let recognised = 0;
    let added = 0;
    for (const record of page.records) {
      if (record.id !== undefined) {
        recognised += 1;
        if (seen.has(record.id)) {
          report.duplicates += 1;
          continue;
        }
        seen.add(record.id);
        added += 1;
      }
      if (record.kind === 'inactive') report.inactive += 1;
      else if (record.kind === 'skipped') report.skip(record.reason);
      else if (kept < maxMarkets) {
        if (hintsAtPrice(record.market)) kept += 1;
        fresh.push(record.market);
      }
    }
    yield fresh;

    // A page of which nothing can be read proves nothing about the cursor; one that only repeats does.
    if (recognised > 0 && added === 0) return;
    cursor = page.nextCursor;
    if (cursor !== undefined) {
      if (cursors.has(cursor)) return;
      cursors.add(cursor);
    }
  } while (cursor !== undefined && kept < maxMarkets);
}
