/**
 * Full-text search with MiniSearch. Each market has two indexed texts: its question, and its
 * context, which is what event title, short name and slug add to the question.
 */
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
/** Whether the search also finds similar terms, because this one may have a typo. */
type AllowsTypos = (term: string) => boolean;

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
/** A synonym counts a little less than the typed word. */
const SYNONYM_BOOST = 0.8;
/** The score if the whole question was typed. It exceeds any sum of terms. */
const WHOLE_QUESTION_SCORE = 1_000;
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
  /** The market's texts as they came, which show whether the entry is still the same. */
  readonly texts: string;
  /** What MiniSearch has of the market. */
  readonly document: { readonly id: string; readonly question: string; readonly context: string };
  /** The words of question and context, each once. */
  readonly words: readonly string[];
  /** All terms of the question, with stop words. */
  readonly wholeQuestion: string;
}

/** The texts of the markets of the latest update, in MiniSearch. */
export class TextIndex {
  readonly #index = new MiniSearch({
    fields: ['question', 'context'],
    // The texts are already cut into words, in lower case, with a space between each two.
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
    searchOptions: { boost: FIELD_BOOST, bm25: BM25 },
  });
  readonly #entries = new Map<string, Entry>();
  /** How many markets have each word. */
  readonly #wordCounts = new Map<string, number>();
  /** The ids of the markets by `wholeQuestion`. */
  readonly #idsByQuestion = new Map<string, readonly string[]>();
  readonly #isUnknown = (term: string): boolean => !this.#wordCounts.has(singular(term));

  /**
   * Adds, replaces and removes only what differs: between two snapshots, a few markets.
   *
   * @param markets one for each id
   */
  update(markets: readonly MarketTexts[]): void {
    const listed = new Set(markets.map(({ id }) => id));
    for (const entry of this.#entries.values())
      if (!listed.has(entry.document.id)) this.#remove(entry);
    // Many markets share the title of an event, so each title is cut once.
    const titles = new Map<string, readonly string[]>();
    for (const market of markets) {
      const texts = TEXT_FIELDS.map((field) => market[field] ?? '').join('\n');
      const entry = this.#entries.get(market.id);
      if (entry?.texts === texts) continue;
      if (entry) this.#remove(entry);
      const { eventTitle = '' } = market;
      const titleWords = titles.get(eventTitle) ?? indexedWords(termsOf(eventTitle));
      titles.set(eventTitle, titleWords);
      this.#add(texts, market, titleWords);
    }
  }

  /**
   * Finds markets in up to three passes, until one finds any:
   *
   * 1. the markets with all terms of `content`
   * 2. those with all terms, each of which may have a typo
   * 3. those with any term that is not weak. Only words that no text has may have typos.
   *
   * A question equal to `terms` comes first.
   *
   * @param terms all terms of the query
   * @param content those that the search reads, without stop words unless there are no others
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
    const typed = terms.join(' ');
    const withAllTerms = new Map<string, number>();
    const withAnyTerm = new Map<string, number>();
    for (const [question, ids] of this.#idsByQuestion) {
      const words = question.split(' ');
      const count = terms.filter((term) => words.includes(term)).length;
      for (const id of ids) {
        if (count === terms.length) withAllTerms.set(id, question === typed ? 1 : 0);
        if (count > 0) withAnyTerm.set(id, count);
      }
    }
    if (withAllTerms.size > 0) return { scores: withAllTerms, match: 'all' };
    return { scores: withAnyTerm, match: withAnyTerm.size > 0 ? 'any' : 'all' };
  }

  /** The relevance of each market with any of the terms. Parameters as for `search`. */
  relevance(terms: readonly string[], content: readonly string[]): Scores {
    return this.#scores(this.#find('OR', this.#clauses(content), this.#isUnknown), terms);
  }

  /** The parts of a query. Whether a term is known decides how it is cut. */
  #clauses(content: readonly string[]): readonly Clause[] {
    return queryClauses(content, (term) => !this.#isUnknown(term));
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
  #scores(found: readonly SearchResult[], terms: readonly string[]): Scores {
    const scores = new Map<string, number>(found.map(({ id, score }) => [id, score]));
    const typed = this.#idsByQuestion.get(terms.join(' ')) ?? [];
    for (const id of typed) scores.set(id, WHOLE_QUESTION_SCORE);
    return scores;
  }

  #add(texts: string, market: MarketTexts, titleWords: readonly string[]): void {
    const { id, question } = market;
    const terms = termsOf(question);
    const questionWords = indexedWords(terms);
    const context = [...titleWords, ...otherWords(market, terms)].filter(
      (word) => !questionWords.includes(word),
    );
    const document = { id, question: questionWords.join(' '), context: context.join(' ') };
    this.#index.add(document);
    const words = [...new Set([...questionWords, ...context])];
    for (const word of words) this.#wordCounts.set(word, (this.#wordCounts.get(word) ?? 0) + 1);
    const wholeQuestion = terms.join(' ');
    const sameQuestion = this.#idsByQuestion.get(wholeQuestion) ?? [];
    this.#idsByQuestion.set(wholeQuestion, [...sameQuestion, id]);
    this.#entries.set(id, { texts, document, words, wholeQuestion });
  }

  #remove({ document, words, wholeQuestion }: Entry): void {
    this.#index.remove(document);
    this.#entries.delete(document.id);
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

/** The words of short name and slug. Most of these repeat the question, which is cheap to see. */
function otherWords(
  { question, slug = '', groupItemTitle = '' }: MarketTexts,
  questionTerms: readonly string[],
): readonly string[] {
  const nameWords = question.includes(groupItemTitle) ? [] : indexedWords(termsOf(groupItemTitle));
  const newParts = slug.split('-').filter((part) => !questionTerms.includes(part));
  const slugWords = newParts.length === 0 ? [] : indexedWords(slugTerms(newParts.join('-')));
  return [...nameWords, ...slugWords];
}

/** Finds markets that contain what was typed, or one of its alternatives. */
function clauseQuery({ typed, alternatives }: Clause, allowsTypos: AllowsTypos): Query {
  const [term = '', ...moreTerms] = typed;
  const asTyped = moreTerms.length > 0 ? phrase(typed, 1) : termQuery(term, allowsTypos);
  const others = alternatives.map((terms) => phrase(terms, SYNONYM_BOOST));
  return { combineWith: 'OR', queries: [asTyped, ...others] };
}

/** Finds markets that contain the term, a word that begins with it, or a similar word. */
function termQuery(term: string, allowsTypos: AllowsTypos): Query {
  return {
    queries: [singular(term)],
    prefix: !COMPLETE.test(term),
    fuzzy: allowsTypos(term) ? maxTypos(term) : false,
  };
}

/** Finds markets that contain all terms, in any order. */
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
