import type { SearchMatch } from '../contract/headers.ts';
import { isCategoryKeyword, selectedCategories } from '../domain/categories.ts';
import type { Market } from '../domain/market.ts';
import { termsOf } from '../domain/terms.ts';
import { contentTerms } from './query-clauses.ts';
import { type MarketTexts, type Scores, TextIndex } from './text-index.ts';

/** The fields of a market that the search reads. */
export type SearchableMarket = MarketTexts & Pick<Market, 'categories'>;

export interface SearchResult {
  /** Positions in the indexed list, best first: by relevance, then in list order. */
  readonly positions: readonly number[];
  /**
   * `category`: all markets of the categories that the query names. `all`: the markets that contain all its terms.
   * `any`: no market contains all terms; these contain at least one.
   */
  readonly match: SearchMatch;
}

/** Terms of a query that the search uses; it ignores the others. This bounds the cost of a query. */
const MAX_TERMS = 8;
/** Puts markets of several selected categories before others of equal relevance. */
const PER_CATEGORY = 0.001;

/** Makes the search index of each snapshot. It builds the text index again only when a text has changed. */
export class SearchIndexer {
  #texts: TextIndex | undefined;

  /** @param markets in list order: by volume descending, then by id */
  indexOf(markets: readonly SearchableMarket[]): SearchIndex {
    const byId = markets
      .map((market, position) => ({ market, position }))
      .sort((a, b) => (a.market.id < b.market.id ? -1 : 1));
    const texts = byId.map(({ market }) => market);
    if (!this.#texts?.holds(texts)) this.#texts = new TextIndex(texts);
    return new SearchIndex(
      markets,
      this.#texts,
      byId.map(({ position }) => position),
    );
  }
}

/** The search over one snapshot. Every container returns the same positions for the same snapshot. */
export class SearchIndex {
  readonly #markets: readonly SearchableMarket[];
  readonly #texts: TextIndex;
  /** By the number of the market in the text index. */
  readonly #positions: readonly number[];

  constructor(markets: readonly SearchableMarket[], texts: TextIndex, positions: readonly number[]) {
    this.#markets = markets;
    this.#texts = texts;
    this.#positions = positions;
  }

  /**
   * @param query free text of any length and script
   * @returns no positions if the query contains no letter and no digit. Never throws.
   */
  search(query: string): SearchResult {
    const terms = termsOf(query);
    if (terms.length === 0) return { positions: [], match: 'all' };
    const content = contentTerms(terms);
    const inCategories = this.#searchCategories(terms, content);
    if (inCategories !== undefined) return { positions: inCategories, match: 'category' };
    const { scores, match } = this.#texts.search(terms, content.slice(0, MAX_TERMS));
    return { positions: rankedPositions(this.#byPosition(scores)), match };
  }

  /**
   * All markets of the categories that the query names, the most relevant to its other terms first. The markets of
   * several categories are a union: naming one more category never hides a market.
   *
   * @returns undefined if the query names no category, or none that has markets
   */
  #searchCategories(terms: readonly string[], content: readonly string[]): readonly number[] | undefined {
    const selected = selectedCategories(terms);
    if (selected.length === 0) return undefined;
    const others = content.filter((term) => !isCategoryKeyword(term)).slice(0, MAX_TERMS);
    const relevance = this.#byPosition(this.#texts.relevance(terms, others));
    const scores = new Map<number, number>();
    this.#markets.forEach(({ categories }, position) => {
      const found = selected.filter((name) => categories.includes(name)).length;
      if (found > 0) scores.set(position, (relevance.get(position) ?? 0) + PER_CATEGORY * found);
    });
    return scores.size > 0 ? rankedPositions(scores) : undefined;
  }

  #byPosition(scores: Scores): Scores {
    const entries = this.#positions.flatMap((position, number) => {
      const score = scores.get(number);
      return score === undefined ? [] : [[position, score] as const];
    });
    return new Map(entries);
  }
}

/** By score, rounded so that the order of additions in floating point does not matter; equal scores in list order. */
function rankedPositions(scores: Scores): readonly number[] {
  return [...scores]
    .map(([position, score]) => ({ position, score: Math.round(score * 1e6) }))
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .map(({ position }) => position);
}
