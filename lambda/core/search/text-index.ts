import MiniSearch, { type Query, type SearchResult } from 'minisearch';
import type { SearchMatch } from '../contract/headers.ts';
import type { Market } from '../domain/market.ts';
import { hasDigit, slugTerms, termsOf } from '../domain/terms.ts';
import { type Clause, isWeak, queryClauses } from './query-clauses.ts';
import { STOP_WORDS } from './synonyms.ts';

const TEXT_FIELDS = ['id', 'question', 'slug', 'eventTitle', 'groupItemTitle'] as const;
/** The id and the texts of a market that the search reads. */
export type MarketTexts = Pick<Market, (typeof TEXT_FIELDS)[number]>;

/** Relevance by the id of a market. */
type Scores = ReadonlyMap<string, number>;
/** Whether a term of the query may have a typo. */
type Misspelt = (term: string) => boolean;

/**
 * The parameters of BM25+. `b: 0`: the length of a text does not affect its relevance. The others
 * are MiniSearch's defaults.
 */
const BM25 = { k: 1.2, b: 0, d: 0.5 };
/**
 * The context is what event title, short name and slug add to the question. Words are often rarer
 * there, and MiniSearch rewards rare words. With this boost a match in the question comes first.
 */
const FIELD_BOOST = { question: 1, context: 0.25 };
/** A synonym counts a little less than the typed word. */
const SYNONYM_BOOST = 0.8;
/** The score if the whole question was typed. It exceeds any sum of terms. */
const WHOLE_QUESTION = 1_000;
/**
 * A term that is complete: a letter, a year or an amount. The search does not treat it as the
 * beginning of a longer term: 150000 (150,000) has nothing to do with 15000000 (15,000,000).
 */
const COMPLETE = /^(?:.|\d{4,}|\d+\.\d+)$/u;
/** Terms of 4 to 20 letters may have a typo. The cost of a search grows with the length. */
const MIN_TYPO_LETTERS = 4;
const MAX_TYPO_LETTERS = 20;
/** Terms of at least this length may have two typos. */
const MIN_TWO_TYPOS_LETTERS = 8;

/** An indexed market. */
interface Entry {
  /** The market's texts, which show whether the entry is still the same. */
  readonly key: string;
  readonly document: { readonly id: string; readonly question: string; readonly context: string };
  readonly words: readonly string[];
  /** All terms of the question, with stop words. */
  readonly whole: string;
}

/** The texts of the markets of the latest update, in MiniSearch. */
export class TextIndex {
  readonly #index = new MiniSearch({
    fields: ['question', 'context'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
    searchOptions: { boost: FIELD_BOOST, bm25: BM25 },
  });
  readonly #entries = new Map<string, Entry>();
  /** How many markets have each term. */
  readonly #terms = new Map<string, number>();
  /** The ids of the markets by the terms of their question. */
  readonly #byQuestion = new Map<string, readonly string[]>();
  readonly #isUnknown: Misspelt = (term) => !this.#terms.has(singular(term));

  /**
   * Adds, replaces and removes only what differs: between two snapshots, a few markets.
   *
   * @param markets one for each id
   */
  update(markets: readonly MarketTexts[]): void {
    const listed = new Set(markets.map(({ id }) => id));
    for (const entry of this.#entries.values())
      if (!listed.has(entry.document.id)) this.#remove(entry);
    const titles = new Map<string, readonly string[]>();
    for (const market of markets) {
      const key = TEXT_FIELDS.map((field) => market[field] ?? '').join('\n');
      const entry = this.#entries.get(market.id);
      if (entry?.key === key) continue;
      if (entry) this.#remove(entry);
      const { eventTitle = '' } = market;
      const title = titles.get(eventTitle) ?? indexedWords(termsOf(eventTitle));
      titles.set(eventTitle, title);
      this.#add(key, market, title);
    }
  }

  /**
   * Finds the markets with all terms of `content`. If there are none, it finds those with all terms
   * with typos; then those with any term that is not weak, with typos only in words that no text
   * has. A question equal to `terms` comes first.
   */
  search(
    terms: readonly string[],
    content: readonly string[],
  ): { scores: Scores; match: SearchMatch } {
    if (content.every((term) => STOP_WORDS.has(term))) return this.#searchStopWords(terms);
    const clauses = this.#clauses(content);
    let withAllTerms = this.#find('AND', clauses, () => false);
    if (withAllTerms.length === 0) withAllTerms = this.#find('AND', clauses, () => true);
    const scores = this.#scores(withAllTerms, terms);
    if (scores.size > 0) return { scores, match: 'all' };
    const withAnyTerm = this.#find('OR', clauses, this.#isUnknown).filter(
      ({ queryTerms }) => !queryTerms.every(isWeak),
    );
    return {
      scores: this.#scores(withAnyTerm, terms),
      match: withAnyTerm.length > 0 ? 'any' : 'all',
    };
  }

  /**
   * Searches the questions for stop words alone. They are not indexed, because few callers search
   * for nothing else.
   */
  #searchStopWords(terms: readonly string[]): { scores: Scores; match: SearchMatch } {
    const whole = terms.join(' ');
    const all = new Map<string, number>();
    const any = new Map<string, number>();
    for (const [question, ids] of this.#byQuestion) {
      const words = question.split(' ');
      const count = terms.filter((term) => words.includes(term)).length;
      for (const id of ids) {
        if (count === terms.length) all.set(id, question === whole ? 1 : 0);
        if (count > 0) any.set(id, count);
      }
    }
    return all.size > 0
      ? { scores: all, match: 'all' }
      : { scores: any, match: any.size > 0 ? 'any' : 'all' };
  }

  /** The relevance of each market with any of the terms. Parameters as for `search`. */
  relevance(terms: readonly string[], content: readonly string[]): Scores {
    return this.#scores(this.#find('OR', this.#clauses(content), this.#isUnknown), terms);
  }

  #clauses(content: readonly string[]): readonly Clause[] {
    return queryClauses(content, (term) => !this.#isUnknown(term));
  }

  #find(
    combineWith: 'AND' | 'OR',
    clauses: readonly Clause[],
    misspelt: Misspelt,
  ): readonly SearchResult[] {
    return this.#index.search({
      combineWith,
      queries: clauses.map((clause) => clauseQuery(clause, misspelt)),
    });
  }

  #scores(results: readonly SearchResult[], terms: readonly string[]): Scores {
    const scores = new Map<string, number>(results.map(({ id, score }) => [id, score]));
    for (const id of this.#byQuestion.get(terms.join(' ')) ?? []) scores.set(id, WHOLE_QUESTION);
    return scores;
  }

  #add(key: string, market: MarketTexts, title: readonly string[]): void {
    const { id, question, slug = '', groupItemTitle = '' } = market;
    const terms = termsOf(question);
    const words = indexedWords(terms);
    // Most short names and slugs repeat the question.
    const name = question.includes(groupItemTitle) ? [] : indexedWords(termsOf(groupItemTitle));
    const rest = slug.split('-').filter((part) => !terms.includes(part));
    const others = rest.length === 0 ? [] : indexedWords(slugTerms(rest.join('-')));
    const context = [...title, ...name, ...others].filter((word) => !words.includes(word));
    const document = { id, question: words.join(' '), context: context.join(' ') };
    const whole = terms.join(' ');
    this.#index.add(document);
    const all = [...new Set([...words, ...context])];
    this.#entries.set(id, { key, document, words: all, whole });
    for (const word of all) this.#terms.set(word, (this.#terms.get(word) ?? 0) + 1);
    this.#byQuestion.set(whole, [...(this.#byQuestion.get(whole) ?? []), id]);
  }

  #remove({ document, words, whole }: Entry): void {
    this.#index.remove(document);
    this.#entries.delete(document.id);
    for (const word of words) {
      const left = (this.#terms.get(word) ?? 0) - 1;
      if (left > 0) this.#terms.set(word, left);
      else this.#terms.delete(word);
    }
    const same = (this.#byQuestion.get(whole) ?? []).filter((id) => id !== document.id);
    if (same.length > 0) this.#byQuestion.set(whole, same);
    else this.#byQuestion.delete(whole);
  }
}

function clauseQuery({ typed, alternatives }: Clause, misspelt: Misspelt): Query {
  const [term = ''] = typed;
  const asTyped: Query =
    typed.length > 1
      ? phrase(typed, 1)
      : {
          queries: [singular(term)],
          prefix: !COMPLETE.test(term),
          fuzzy: misspelt(term) ? maxTypos(term) : false,
        };
  return {
    combineWith: 'OR',
    queries: [asTyped, ...alternatives.map((terms) => phrase(terms, SYNONYM_BOOST))],
  };
}

/** Finds markets that contain all terms. */
function phrase(terms: readonly string[], boost: number): Query {
  return { combineWith: 'AND', queries: terms.map(singular), boostTerm: () => boost };
}

/**
 * How many typos a term may have. A typo in a short term makes another word ("gold", "cold").
 * Digits are never typos.
 */
function maxTypos(term: string): number {
  if (term.length < MIN_TYPO_LETTERS || term.length > MAX_TYPO_LETTERS || hasDigit(term)) return 0;
  return term.length < MIN_TWO_TYPOS_LETTERS ? 1 : 2;
}

/** The terms without stop words, which would be a third of the index. */
function indexedWords(terms: readonly string[]): readonly string[] {
  return terms.filter((term) => !STOP_WORDS.has(term)).map(singular);
}

/**
 * A term without the ending of a plural, so that "rates" and "rate" are one term. Some results are
 * not words, which does not matter: index and query have the same ones.
 */
function singular(term: string): string {
  if (term.length < 4 || !term.endsWith('s') || term.endsWith('ss') || term.endsWith('us'))
    return term;
  return /(?:ss|x|ch|sh|zz)es$/.test(term) ? term.slice(0, -2) : term.slice(0, -1);
}
