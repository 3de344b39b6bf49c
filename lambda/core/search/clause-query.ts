/**
 * Writes a clause, which is a part of a search query, as a query of MiniSearch, the search library.
 * The clause `{ typed: ['btc'], alternatives: [['bitcoin']] }` finds markets with "btc" or a word
 * that begins with it, and markets with its synonym "bitcoin", which count less.
 */
import type { Query } from 'minisearch';
import { hasDigit } from '../domain/terms.ts';
import { singular } from './indexed-market.ts';
import type { Clause } from './query-clauses.ts';

/** Whether a term may have a typo, so that the search also finds similar terms. */
export type AllowsTypos = (term: string) => boolean;

/** A synonym counts a little less than the typed word. */
const SYNONYM_BOOST = 0.8;
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

/** The query for what was typed, or one of its alternatives. */
export function clauseQuery({ typed, alternatives }: Clause, allowsTypos: AllowsTypos): Query {
  const [term = '', ...moreTerms] = typed;
  const asTyped = moreTerms.length > 0 ? phraseQuery(typed, 1) : termQuery(term, allowsTypos);
  const others = alternatives.map((terms) => phraseQuery(terms, SYNONYM_BOOST));
  return { combineWith: 'OR', queries: [asTyped, ...others] };
}

/** The query for a term, the words that begin with it and, if it may have a typo, similar words. */
function termQuery(term: string, allowsTypos: AllowsTypos): Query {
  return {
    queries: [singular(term)],
    prefix: !COMPLETE.test(term),
    fuzzy: allowsTypos(term) ? maxTypos(term) : false,
  };
}

/** The query for all of several terms, in any order. */
function phraseQuery(terms: readonly string[], boost: number): Query {
  return { combineWith: 'AND', queries: terms.map(singular), boostTerm: () => boost };
}

/**
 * How many letters of a similar word may differ. In a short term none may, because one makes
 * another word ("gold", "cold"). Digits are never typos.
 */
function maxTypos(term: string): number {
  if (term.length < MIN_TYPO_LETTERS || term.length > MAX_TYPO_LETTERS || hasDigit(term)) return 0;
  return term.length < MIN_TWO_TYPOS_LETTERS ? 1 : 2;
}
