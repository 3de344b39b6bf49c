/** Full-text search over the questions and other texts of markets, with the library MiniSearch. */
import MiniSearch, { type SearchResult } from 'minisearch';
import type { SearchMatch } from '../contract/headers.ts';
import { type AllowsTypos, clauseQuery } from './clause-query.ts';
import {
  type IndexedMarket,
  indexedMarket,
  type MarketTexts,
  singular,
  textsOf,
} from './indexed-market.ts';
import { type Clause, isWeak, queryClauses } from './query-clauses.ts';
import { STOP_WORDS } from './synonyms.ts';

/** Relevance by the id of a market. */
type Scores = ReadonlyMap<string, number>;

/** The found markets, and whether they contain all terms of the query or any of them. */
interface FoundMarkets {
  readonly scores: Scores;
  readonly match: SearchMatch;
}

/**
 * The parameters of BM25+. `b: 0`: the length of a text does not affect its relevance. The others
 * are MiniSearch's defaults.
 */
const BM25 = { k: 1.2, b: 0, d: 0.5 };
/**
 * Words are often rarer in the context, and MiniSearch rewards rare words. With this boost a match
 * in the question comes first.
 */
const FIELD_BOOST = { question: 1, context: 0.25 };
/** The score if the whole question was typed. It exceeds any sum of terms. */
const WHOLE_QUESTION_SCORE = 1_000;

/**
 * The index of the markets of the latest update. Its methods take a query as two lists of terms:
 * - `allTerms`, which show whether a whole question was typed
 * - `content`, the terms to search for: those without stop words, if there are any
 */
export class TextIndex {
  readonly #index = new MiniSearch({
    fields: ['question', 'context'],
    // The texts are already cut into words, in lower case, with a space between each two. An empty
    // text has none.
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
    searchOptions: { boost: FIELD_BOOST, bm25: BM25 },
  });
  readonly #markets = new Map<string, IndexedMarket>();
  /** The number of markets that have each word. */
  readonly #wordCounts = new Map<string, number>();
  /** The ids of the markets by `wholeQuestion`. */
  readonly #idsByQuestion = new Map<string, readonly string[]>();
  /** Whether any market has the term. */
  readonly #isKnown = (term: string): boolean => this.#wordCounts.has(singular(term));
  readonly #isUnknown: AllowsTypos = (term) => !this.#isKnown(term);

  /**
   * Adds, replaces and removes only what differs: between two snapshots, a few markets.
   *
   * @param markets one for each id
   */
  update(markets: readonly MarketTexts[]): void {
    const listed = new Set(markets.map(({ id }) => id));
    for (const market of this.#markets.values())
      if (!listed.has(market.document.id)) this.#remove(market);
    for (const market of markets) {
      const before = this.#markets.get(market.id);
      if (before?.texts === textsOf(market)) continue;
      if (before) this.#remove(before);
      this.#add(indexedMarket(market));
    }
  }

  /**
   * Finds markets in up to three passes, until one finds any:
   *
   * 1. the markets with all terms of `content`
   * 2. those with all terms, each of which may have a typo
   * 3. those with any term that is not weak. Only words that no text has may have typos.
   *
   * A market whose whole question was typed comes first.
   */
  search(allTerms: readonly string[], content: readonly string[]): FoundMarkets {
    if (content.every((term) => STOP_WORDS.has(term))) return this.#searchStopWords(allTerms);
    const clauses = this.#clauses(content);
    let withAllTerms = this.#find('AND', clauses, () => false);
    if (withAllTerms.length === 0) withAllTerms = this.#find('AND', clauses, () => true);
    const scores = this.#scores(withAllTerms, allTerms);
    if (scores.size > 0) return { scores, match: 'all' };
    // A market with only weak terms of the query, such as "2026", does not match.
    const withAnyTerm = this.#find('OR', clauses, this.#isUnknown).filter(
      ({ queryTerms }) => !queryTerms.every(isWeak),
    );
    return {
      scores: this.#scores(withAnyTerm, allTerms),
      match: withAnyTerm.length > 0 ? 'any' : 'all',
    };
  }

  /**
   * Searches the questions for stop words alone. They are not indexed, because few callers search
   * for nothing else.
   */
  #searchStopWords(terms: readonly string[]): FoundMarkets {
    const typed = terms.join(' ');
    const withAllTerms = new Map<string, number>();
    const withAnyTerm = new Map<string, number>();
    for (const [question, ids] of this.#idsByQuestion) {
      const words = question.split(' ');
      const count = terms.filter((term) => words.includes(term)).length;
      for (const id of ids) {
        // A market whose whole question was typed comes first.
        if (count === terms.length) withAllTerms.set(id, question === typed ? 1 : 0);
        if (count > 0) withAnyTerm.set(id, count);
      }
    }
    if (withAllTerms.size > 0) return { scores: withAllTerms, match: 'all' };
    return { scores: withAnyTerm, match: withAnyTerm.size > 0 ? 'any' : 'all' };
  }

  /** The relevance of each market with any term of `content`. */
  relevance(allTerms: readonly string[], content: readonly string[]): Scores {
    return this.#scores(this.#find('OR', this.#clauses(content), this.#isUnknown), allTerms);
  }

  #clauses(content: readonly string[]): readonly Clause[] {
    return queryClauses(content, this.#isKnown);
  }

  /** The markets that match all or any of the clauses, with MiniSearch's score. */
  #find(
    combineWith: 'AND' | 'OR',
    clauses: readonly Clause[],
    allowsTypos: AllowsTypos,
  ): readonly SearchResult[] {
    return this.#index.search({
      combineWith,
      queries: clauses.map((clause) => clauseQuery(clause, allowsTypos)),
    });
  }

  /** The scores of the found markets, and of those whose whole question was typed. */
  #scores(found: readonly SearchResult[], allTerms: readonly string[]): Scores {
    const scores = new Map<string, number>(found.map(({ id, score }) => [id, score]));
    const typed = this.#idsByQuestion.get(allTerms.join(' ')) ?? [];
    for (const id of typed) scores.set(id, WHOLE_QUESTION_SCORE);
    return scores;
  }

  #add(market: IndexedMarket): void {
    const { document, words, wholeQuestion } = market;
    this.#index.add(document);
    this.#markets.set(document.id, market);
    for (const word of words) this.#wordCounts.set(word, (this.#wordCounts.get(word) ?? 0) + 1);
    const sameQuestion = this.#idsByQuestion.get(wholeQuestion) ?? [];
    this.#idsByQuestion.set(wholeQuestion, [...sameQuestion, document.id]);
  }

  #remove({ document, words, wholeQuestion }: IndexedMarket): void {
    this.#index.remove(document);
    this.#markets.delete(document.id);
    for (const word of words) {
      const left = (this.#wordCounts.get(word) ?? 0) - 1;
      if (left > 0) this.#wordCounts.set(word, left);
      else this.#wordCounts.delete(word);
    }
    const sameQuestion = this.#idsByQuestion.get(wholeQuestion) ?? [];
    const others = sameQuestion.filter((id) => id !== document.id);
    if (others.length > 0) this.#idsByQuestion.set(wholeQuestion, others);
    else this.#idsByQuestion.delete(wholeQuestion);
  }
}
