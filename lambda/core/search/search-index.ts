import type { SearchMatch } from '../contract/headers.ts';
import { isCategoryKeyword, selectedCategories } from '../domain/categories.ts';
import type { Market } from '../domain/market.ts';
import { termsOf } from '../domain/terms.ts';
import { contentTerms } from './query-clauses.ts';
import { type MarketTexts, TextIndex } from './text-index.ts';

export type SearchableMarket = MarketTexts & Pick<Market, 'categories'>;

interface SearchResult {
  /** By relevance, then in list order. */
  readonly positions: readonly number[];
  readonly match: SearchMatch;
}

const MAX_TERMS = 8;
/** Puts markets in several selected categories before others of equal relevance. */
const PER_CATEGORY = 0.001;

/** One text index for all snapshots of a container. The first costs 130 ms of CPU, later ones a few ms. */
export class SearchIndexer {
  readonly #texts = new TextIndex();
  #indexed: readonly SearchableMarket[] | undefined;

  /** @param markets in list order */
  indexOf(markets: readonly SearchableMarket[]): SearchIndex {
    return new SearchIndex(markets, () => this.#textsOf(markets));
  }

  #textsOf(markets: readonly SearchableMarket[]): TextIndex {
    if (this.#indexed !== markets) this.#texts.update(markets);
    this.#indexed = markets;
    return this.#texts;
  }
}

export class SearchIndex {
  readonly #markets: readonly SearchableMarket[];
  readonly #textsOfMarkets: () => TextIndex;

  constructor(markets: readonly SearchableMarket[], textsOfMarkets: () => TextIndex) {
    this.#markets = markets;
    this.#textsOfMarkets = textsOfMarkets;
  }

  prepare(): void {
    this.#textsOfMarkets();
  }

  /** Never throws. @returns no positions for a text without letters and digits */
  search(query: string): SearchResult {
    const terms = termsOf(query);
    if (terms.length === 0) return { positions: [], match: 'all' };
    const content = contentTerms(terms);
    const inCategories = this.#searchCategories(terms, content);
    if (inCategories !== undefined) return { positions: inCategories, match: 'category' };
    const { scores, match } = this.#textsOfMarkets().search(terms, content.slice(0, MAX_TERMS));
    return { positions: this.#ranked(({ id }) => scores.get(id)), match };
  }

  /** Markets of the named categories, most relevant to the other terms first. @returns undefined if there are none */
  #searchCategories(terms: readonly string[], content: readonly string[]): readonly number[] | undefined {
    const selected = selectedCategories(terms);
    if (selected.length === 0) return undefined;
    const others = content.filter((term) => !isCategoryKeyword(term)).slice(0, MAX_TERMS);
    const relevance = this.#textsOfMarkets().relevance(terms, others);
    const positions = this.#ranked(({ id, categories }) => {
      const found = selected.filter((name) => categories.includes(name)).length;
      return found > 0 ? (relevance.get(id) ?? 0) + PER_CATEGORY * found : undefined;
    });
    return positions.length > 0 ? positions : undefined;
  }

  /** Highest score first; ties in list order. Scores are rounded, because floating-point sums depend on the order. */
  #ranked(scoreOf: (market: SearchableMarket) => number | undefined): readonly number[] {
    return this.#markets
      .flatMap((market, position) => {
        const score = scoreOf(market);
        return score === undefined ? [] : [{ position, score: Math.round(score * 1e6) }];
      })
      .sort((a, b) => b.score - a.score || a.position - b.position)
      .map(({ position }) => position);
  }
}
