import { paddedConditionId } from '../domain/condition-id.ts';
import type { CatalogueMarket, CatalogueRecord } from '../domain/market.ts';
import { hintsAtPrice } from '../domain/probability.ts';
import type { CataloguePage } from './ports.ts';
import type { RunReport } from './run-report.ts';

/**
 * What a crawl has seen so far. A market that comes twice counts once: upstream serves pages from a cache of mixed age,
 * and volumes move while one reads.
 */
export class SeenMarkets {
  readonly #seen = new Set<string>();
  readonly #report: RunReport;
  /** Listable markets with any sign of a price. */
  kept = 0;

  constructor(report: RunReport) {
    this.#report = report;
  }

  /** @param id a condition id in either form */
  saw(id: string): boolean {
    return this.#seen.has(paddedConditionId(id));
  }

  /** The listable markets of a page that are new, and whether the page held nothing but what was known. */
  takePage(page: CataloguePage, most?: number): { fresh: CatalogueMarket[]; repeated: boolean } {
    this.#report.pages += 1;
    this.#report.catalogueAgeSeconds = Math.max(this.#report.catalogueAgeSeconds, page.ageSeconds ?? 0);
    return this.take(page.records, most);
  }

  /** The same of records that came by themselves. */
  take(
    records: readonly CatalogueRecord[],
    most = Number.POSITIVE_INFINITY,
  ): { fresh: CatalogueMarket[]; repeated: boolean } {
    const report = this.#report;
    const fresh: CatalogueMarket[] = [];
    let recognised = 0;
    let added = 0;
    for (const record of records) {
      if (record.id !== undefined) {
        recognised += 1;
        if (this.#seen.has(record.id)) {
          report.duplicates += 1;
          continue;
        }
        this.#seen.add(record.id);
        added += 1;
      }
      if (record.kind === 'inactive') report.inactive += 1;
      else if (record.kind === 'skipped') report.skip(record.reason);
      else if (this.kept < most) {
        if (hintsAtPrice(record.market)) this.kept += 1;
        fresh.push(record.market);
      }
    }
    // A page of which nothing can be read proves nothing about the cursor; one that only repeats does.
    return { fresh, repeated: recognised > 0 && added === 0 };
  }
}
