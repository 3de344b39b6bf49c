import type { SearchMatch } from '../contract/headers.ts';
import type { CategoryName } from './categories.ts';
import {
  type CategorySet,
  categoriesOfTags,
  isCategoryKeyword,
  namesIn,
  selectedCategories,
  setOf,
} from './category-members.ts';
import { ClauseScores, matchClause } from './clause-matcher.ts';
import { type Clause, contentTerms, isWeak, queryClauses } from './clauses.ts';
import { Documents, type IdentifiedTexts } from './documents.ts';
import type { IndexedTexts, TermTable } from './term-table.ts';
import { queryTerms, textTerms } from './terms.ts';
import { topK } from './top-k.ts';

/** What the search reads of a market. */
export interface SearchableMarket extends IdentifiedTexts {
  /** Upstream tag slugs, e.g. `fed-rates`. */
  readonly tags: readonly string[];
}

export interface SearchResult {
  /** Positions in the indexed list without repeats, best first: relevance, then volume. */
  readonly positions: readonly number[];
  /** How many matched (and were accepted), whatever the limit. */
  readonly total: number;
  /**
   * `category`: everything in the categories that the query names; `all`: the markets that hold all its terms (or begin so,
   * or are a typo away), and where nothing matched; `any`: since none holds all, those that hold at least one.
   */
  readonly match: SearchMatch;
}

/**
 * The search over one snapshot. Positions are those of the list it was made for: volume descending.
 *
 * For a page of results: `search(q, limit)`. For results under filters: `search(q, limit, accept)`, whose `total` counts
 * the accepted ones. For results in another order than relevance: `search(q)` gives all of them.
 */
export interface SearchIndex {
  /**
   * @param query free text of any length and script.
   * @param limit results wanted; all without it. Below 1 (or not a number) there are none.
   * @param accept which positions may be results; all without it. Asked once for each market that matches.
   * @returns nothing when the query has nothing to search for. Never throws.
   */
  search(query: string, limit?: number, accept?: (position: number) => boolean): SearchResult;

  /** The positions of a category's markets, ascending. */
  membersOf(category: CategoryName): readonly number[];

  /** The categories of a market, in the order of `CATEGORY_NAMES`; the first is the one to show. */
  categoriesAt(position: number): readonly CategoryName[];

  /**
   * The index of a newer list. Only markets that are new, or whose texts changed, are read: a fraction of the work of
   * {@link createSearchIndex}. This index goes on as it is, so a request that holds it is not disturbed.
   *
   * @param indexed as for {@link createSearchIndex}
   */
  update(markets: SearchableMarkets, indexed?: IndexedTexts): SearchIndex;
}

/** Markets in list order, each made when it is asked for, or an array of them. */
export interface SearchableMarkets {
  readonly length: number;
  at(position: number): SearchableMarket | undefined;
}

/** A query has at most 200 characters, so at most 100 terms with blanks between them; more would only cost time. */
const MOST_TERMS = 100;
/** Order markets whose terms matched alike; too small to overtake a better match. */
const PER_CATEGORY = 1e-3;
const KEYWORD_IN_TEXT = 1e-5;
/** Puts a market whose whole question was typed before others that merely hold the same terms. */
const WHOLE_QUESTION = 1e3;
/** Documents of markets that are gone are left where they are until they are this share of all. */
const MOST_GONE = 0.25;

/** How well each market, by document, matches the clauses of a query. */
interface Scores {
  readonly sum: Float64Array;
  /** Number of clauses found in the document. */
  readonly found: Uint16Array;
  /** The documents in which any was found: a few of all there are. */
  readonly documents: readonly number[];
}

/**
 * @param markets in list order: volume descending, so that a lower position means more volume.
 * @param indexed the texts among theirs that need not be read any more
 */
export function createSearchIndex(markets: SearchableMarkets, indexed?: IndexedTexts): SearchIndex {
  return new MarketSearch(new Documents(indexed), markets, indexed);
}

class MarketSearch implements SearchIndex {
  readonly #documents: Documents;
  readonly #table: TermTable | undefined;
  /** Documents that this index knows: later ones belong to newer indexes. */
  readonly #size: number;
  readonly #documentAt: Int32Array;
  /** By document; -1 for those of markets that are gone. */
  readonly #positionOf: Int32Array;
  readonly #categoriesAt: Uint8Array;

  constructor(documents: Documents, markets: SearchableMarkets, indexed?: IndexedTexts) {
    this.#documents = documents;
    this.#table = indexed?.table;
    this.#documentAt = new Int32Array(markets.length);
    this.#categoriesAt = new Uint8Array(markets.length);
    for (let position = 0; position < markets.length; position += 1) {
      const document = indexed?.documentAt(position) ?? documents.numberOf(marketAt(markets, position));
      this.#documentAt[position] = document;
      const tags = documents.isIndexed(document) ? [] : marketAt(markets, position).tags;
      this.#categoriesAt[position] = documents.categories(document) | categoriesOfTags(tags);
    }
    documents.vocabulary.update();
    this.#size = documents.postings.documents;
    this.#positionOf = new Int32Array(this.#size).fill(-1);
    this.#documentAt.forEach((document, position) => {
      this.#positionOf[document] = position;
    });
  }

  update(markets: SearchableMarkets, indexed?: IndexedTexts): SearchIndex {
    const gone = this.#size - this.#documentAt.length;
    const isAnother = indexed?.table !== this.#table || gone > this.#size * MOST_GONE;
    return new MarketSearch(isAnother ? new Documents(indexed) : this.#documents, markets, indexed);
  }

  membersOf(category: CategoryName): number[] {
    return this.#membersOf(setOf(category));
  }

  categoriesAt(position: number): CategoryName[] {
    return namesIn(this.#categoriesAt[position] ?? 0);
  }

  search(
    query: string,
    limit = Number.POSITIVE_INFINITY,
    accept: (position: number) => boolean = () => true,
  ): SearchResult {
    const terms = queryTerms(query).slice(0, MOST_TERMS);
    if (terms.length === 0) return { positions: [], total: 0, match: 'all' };
    const selected = selectedCategories(terms);
    const members = this.#membersOf(selected);
    const { candidates, scoreOf, match } =
      members.length > 0 ? this.#searchIn(members, selected, terms) : this.#searchText(terms);
    const accepted = candidates.filter(accept);
    return { positions: topK(accepted, scoreOf, limit), total: accepted.length, match };
  }

  /**
   * Everything in the selected categories, those that match the other terms first. With several categories their
   * union, not their intersection, so that naming one more never hides a market; the markets in most of them lead.
   */
  #searchIn(candidates: number[], selected: CategorySet, terms: readonly string[]) {
    const content = contentTerms(terms);
    const { vocabulary } = this.#documents;
    const clauses = queryClauses(
      content.filter((term) => !isCategoryKeyword(term)),
      vocabulary,
    );
    const scores = this.#scores(clauses, false);
    const keywords = content.filter(isCategoryKeyword).map((term) => ({ typed: [term], alternatives: [] }));
    // "presidential election newsom" means the election rather than the nomination, which is a member as well.
    const keywordScores = this.#scores(clauses.length > 0 ? keywords : [], false);
    const relevance = this.#relevance(scores, clauses.length, terms);
    const scoreOf = (position: number): number => {
      const document = this.#document(position);
      const categories = bitCount((this.#categoriesAt[position] ?? 0) & selected);
      return (
        relevance(position) +
        PER_CATEGORY * categories +
        (scores.found[document] ? KEYWORD_IN_TEXT * (keywordScores.sum[document] ?? 0) : 0)
      );
    };
    return { candidates, scoreOf, match: 'category' as const };
  }

  /** The markets that hold all terms; else those that do when typos are forgiven; else those that hold any. */
  #searchText(terms: readonly string[]) {
    const clauses = queryClauses(contentTerms(terms), this.#documents.vocabulary);
    const asSpelled = this.#scores(clauses, false);
    let scores = asSpelled;
    let candidates = this.#withAtLeast(clauses.length, scores);
    if (candidates.length === 0) {
      scores = this.#scores(clauses, true);
      candidates = this.#withAtLeast(clauses.length, scores);
    }
    let match: SearchMatch = 'all';
    if (candidates.length === 0 && clauses.length > 1) {
      scores = asSpelled;
      const strongScores = this.#scores(
        clauses.filter((clause) => !isWeak(clause)),
        false,
      );
      candidates = this.#withAtLeast(1, strongScores);
      if (candidates.length > 0) match = 'any';
    }
    return { candidates, scoreOf: this.#relevance(scores, clauses.length, terms), match };
  }

  /** Sum over the clauses of score × IDF: a clause that few markets hold says more about what is meant. */
  #scores(clauses: readonly Clause[], fuzzy: boolean): Scores {
    const total = { sum: new Float64Array(this.#size), found: new Uint16Array(this.#size) };
    const documents: number[] = [];
    const scores = new ClauseScores(clauses.length > 0 ? this.#size : 0);
    for (const clause of clauses) {
      const holders = matchClause(clause, this.#documents.vocabulary, scores, fuzzy);
      const idf = Math.log(1 + this.#size / Math.max(1, holders));
      for (const document of scores.touched) {
        if (total.found[document] === 0) documents.push(document);
        total.sum[document] = (total.sum[document] ?? 0) + idf * scores.of(document);
        total.found[document] = (total.found[document] ?? 0) + 1;
      }
    }
    return { ...total, documents };
  }

  /** A market that holds more of the clauses is worth more than the sum says, so the sum counts by their share. */
  #relevance({ sum, found }: Scores, clauses: number, terms: readonly string[]) {
    const whole = terms.join(' ');
    return (position: number): number => {
      const document = this.#document(position);
      const score = ((sum[document] ?? 0) * (found[document] ?? 0)) / Math.max(1, clauses);
      return this.#isWhole(position, terms.length, whole) ? score + WHOLE_QUESTION : score;
    };
  }

  #isWhole(position: number, length: number, whole: string): boolean {
    const document = this.#document(position);
    if (this.#documents.postings.questionTerms(document) !== length) return false;
    return textTerms(this.#documents.question(document)).join(' ') === whole;
  }

  /** @param clauses at least 1 */
  #withAtLeast(clauses: number, { found, documents }: Scores): number[] {
    const positions: number[] = [];
    for (const document of documents) {
      const position = this.#positionOf[document] ?? -1;
      if (position >= 0 && (found[document] ?? 0) >= clauses) positions.push(position);
    }
    return positions;
  }

  #membersOf(set: CategorySet): number[] {
    const positions: number[] = [];
    if (set === 0) return positions;
    this.#categoriesAt.forEach((categories, position) => {
      if ((categories & set) !== 0) positions.push(position);
    });
    return positions;
  }

  #document(position: number): number {
    return this.#documentAt[position] ?? -1;
  }
}

function marketAt(markets: SearchableMarkets, position: number): SearchableMarket {
  const market = markets.at(position);
  if (!market) throw new RangeError(`There is no market at ${position}`);
  return market;
}

function bitCount(set: CategorySet): number {
  return namesIn(set).length;
}
