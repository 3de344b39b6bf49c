/**
 * The search for markets by a query of the caller. The query "crypto 2026" names a category, so it
 * finds the markets of the category, those with "2026" first. Any other query finds markets by
 * words.
 */
import type { SearchMatch } from '../contract/headers.ts';
import { isCategoryKeyword, selectedCategories } from '../domain/categories.ts';
import type { Market } from '../domain/market.ts';
import { termsOf } from '../domain/terms.ts';
import type { MarketTexts } from './indexed-market.ts';
import { contentTerms } from './query-clauses.ts';
import { TextIndex } from './text-index.ts';

/** The fields of a market that the search reads. */
export type SearchableMarket = MarketTexts & Pick<Market, 'categories'>;

/** What a search found. */
export interface SearchResult {
  /** Positions in the list: by relevance, then in list order. */
  readonly positions: readonly number[];
  readonly match: SearchMatch;
}

/** The terms of a query that the search reads. It ignores further ones, which limits its cost. */
const MAX_TERMS = 8;
/**
 * Added to the score for each selected category of a market. It is so small that it decides only
 * between markets of equal relevance.
 */
const CATEGORY_SCORE = 0.001;

/**
 * The search over the markets of a snapshot. One text index serves all snapshots of a container.
 * The first costs 130 ms of CPU, later ones a few ms.
 */
export class SearchIndex {
  readonly #texts = new TextIndex();
  #indexed: readonly SearchableMarket[] | undefined;

  /** Indexes the markets, unless they are those of the last call. */
  prepare(markets: readonly SearchableMarket[]): void {
    if (this.#indexed !== markets) this.#texts.update(markets);
    this.#indexed = markets;
  }

  /**
   * Finds markets by words and categories. Never throws.
   *
   * @param markets in list order
   * @returns no positions for a text without letters and digits
   */
  search(markets: readonly SearchableMarket[], query: string): SearchResult {
    const allTerms = termsOf(query);
    if (allTerms.length === 0) return { positions: [], match: 'all' };
    this.prepare(markets);
    const inCategories = this.#searchCategories(markets, allTerms);
    if (inCategories !== undefined) return { positions: inCategories, match: 'category' };
    const content = contentTerms(allTerms).slice(0, MAX_TERMS);
    const { scores, match } = this.#texts.search(allTerms, content);
    return { positions: ranked(markets, ({ id }) => scores.get(id)), match };
  }

  /**
   * All markets of the named categories, most relevant to the other terms first. Categories are a
   * union: naming one more never hides a market.
   *
   * @returns undefined if the query names no category with markets
   */
  #searchCategories(
    markets: readonly SearchableMarket[],
    allTerms: readonly string[],
  ): readonly number[] | undefined {
    const selected = selectedCategories(allTerms);
    if (selected.length === 0) return undefined;
    const others = contentTerms(allTerms).filter((term) => !isCategoryKeyword(term));
    const relevance = this.#texts.relevance(allTerms, others.slice(0, MAX_TERMS));
    const positions = ranked(markets, ({ id, categories }) => {
      const count = selected.filter((name) => categories.includes(name)).length;
      return count > 0 ? (relevance.get(id) ?? 0) + CATEGORY_SCORE * count : undefined;
    });
    return positions.length > 0 ? positions : undefined;
  }
}

/** The positions of the markets that have a score, the highest score first; ties in list order. */
function ranked(
  markets: readonly SearchableMarket[],
  scoreOf: (market: SearchableMarket) => number | undefined,
): readonly number[] {
  const scored: { position: number; score: number }[] = [];
  for (const [position, market] of markets.entries()) {
    const score = scoreOf(market);
    // Scores are rounded, because floating-point sums depend on the order.
    if (score !== undefined) scored.push({ position, score: Math.round(score * 1e6) });
  }
  scored.sort((a, b) => b.score - a.score || a.position - b.position);
  return scored.map(({ position }) => position);
}
