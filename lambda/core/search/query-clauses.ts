/** Cuts a query into parts, and finds synonyms and likely spellings of each. */
import { hasDigit } from '../domain/terms.ts';
import { STOP_WORDS, SYNONYMS, WEAK_TERMS } from './synonyms.ts';

/**
 * One part of a query: a term or a few that belong together, and other names for them. The query
 * "prime minister of japan" has two: `{ typed: ['prime', 'minister'], alternatives: [['pm']] }` and
 * `{ typed: ['japan'], alternatives: [['japanese']] }`.
 */
export interface Clause {
  /** The terms of the query. */
  readonly typed: readonly string[];
  /** A market must contain what was typed, or all terms of one alternative. */
  readonly alternatives: Alternatives;
}

type Alternatives = readonly (readonly string[])[];

/** Whether any market contains the term. */
type IsKnown = (term: string) => boolean;

/** The longest member of a synonym group has this many terms, without stop words. */
const MAX_PHRASE_TERMS = 4;
/** A shorter term is not split or corrected: by chance it could become two other words. */
const MIN_COMPOUND_LETTERS = 6;
/** Each part of a split term has at least this many letters, so that no letter is left alone. */
const MIN_PART_LETTERS = 2;
const NUMBER_OR_TIME = /^\d+(?:\.\d+)?(?:st|nd|rd|th|am|pm)?$/;
/** A number and letters in one term, as in "25bps" and "gta6". Upstream writes a space. */
const NUMBER_AND_LETTERS = /^(?:\d+\p{L}+|\p{L}+\d+)$/u;

const SYNONYMS_BY_PHRASE = synonymsByPhrase();

/** For each member of a synonym group, the other members: ['pm'] for "prime minister". */
function synonymsByPhrase(): ReadonlyMap<string, Alternatives> {
  const byPhrase = new Map<string, (readonly string[])[]>();
  for (const group of SYNONYMS) {
    // Removes stop words, as in the query: "bank of japan".
    const phrases = group.map((member) => contentTerms(member.split(' ')));
    for (const phrase of phrases) {
      const key = phrase.join(' ');
      const others = phrases.filter((other) => other !== phrase);
      byPhrase.set(key, [...(byPhrase.get(key) ?? []), ...others]);
    }
  }
  return byPhrase;
}

/**
 * The terms of a query, each once, without stop words. A query of stop words alone keeps them.
 */
export function contentTerms(terms: readonly string[]): readonly string[] {
  const content = terms.filter((term) => !STOP_WORDS.has(term));
  return [...new Set(content.length > 0 ? content : terms)];
}

/** Whether the term is a number, a time or one of `WEAK_TERMS`. */
export function isWeak(term: string): boolean {
  return WEAK_TERMS.has(term) || NUMBER_OR_TIME.test(term);
}

/**
 * Groups the terms of a query into clauses. Synonyms of several terms ("prime minister") come
 * first, then pairs that markets write as one word ("doge coin"), then single terms.
 *
 * @param content terms from `contentTerms`
 */
export function queryClauses(content: readonly string[], isKnown: IsKnown): Clause[] {
  const terms = content.flatMap((term) => (isKnown(term) ? [term] : splitNumber(term)));
  const clauses: Clause[] = [];
  let index = 0;
  while (index < terms.length) {
    const clause =
      phraseAt(terms, index) ??
      joinedPairAt(terms, index, isKnown) ??
      singleAt(terms, index, isKnown);
    clauses.push(clause);
    index += clause.typed.length;
  }
  return clauses;
}

/** Splits "25bps" into "25" and "bps", as upstream writes it. */
function splitNumber(term: string): readonly string[] {
  const isWhole = SYNONYMS_BY_PHRASE.has(term) || !NUMBER_AND_LETTERS.test(term);
  return isWhole ? [term] : (term.match(/\d+|\p{L}+/gu) ?? []);
}

/** The longest phrase with synonyms that begins at a place of the query. */
function phraseAt(terms: readonly string[], index: number): Clause | undefined {
  for (let length = Math.min(MAX_PHRASE_TERMS, terms.length - index); length > 1; length -= 1) {
    const typed = terms.slice(index, index + length);
    const alternatives = SYNONYMS_BY_PHRASE.get(typed.join(' '));
    if (alternatives !== undefined) return { typed, alternatives };
  }
  return undefined;
}

/** Two terms that some market writes as one word. */
function joinedPairAt(
  terms: readonly string[],
  index: number,
  isKnown: IsKnown,
): Clause | undefined {
  const typed = terms.slice(index, index + 2);
  const joined = typed.join('');
  return typed.length === 2 && isKnown(joined) ? { typed, alternatives: [[joined]] } : undefined;
}

/** One term with its synonyms and, if no market has it, its likely spellings. */
function singleAt(terms: readonly string[], index: number, isKnown: IsKnown): Clause {
  const term = terms[index] ?? '';
  const synonyms = SYNONYMS_BY_PHRASE.get(term) ?? [];
  const alternatives = isKnown(term) ? synonyms : [...synonyms, ...spellings(term, isKnown)];
  return { typed: [term], alternatives };
}

/** Splits an unknown term into two known ones ("superbowl"), or swaps two letters ("lakres"). */
function spellings(term: string, isKnown: IsKnown): Alternatives {
  if (term.length < MIN_COMPOUND_LETTERS || hasDigit(term)) return [];
  const alternatives: string[][] = [];
  for (let cut = MIN_PART_LETTERS; cut <= term.length - MIN_PART_LETTERS; cut += 1) {
    const pair = [term.slice(0, cut), term.slice(cut)];
    if (pair.every(isKnown)) alternatives.push(pair);
  }
  for (let at = 0; at < term.length - 1; at += 1) {
    const swapped = `${term.slice(0, at)}${term[at + 1]}${term[at]}${term.slice(at + 2)}`;
    if (isKnown(swapped)) alternatives.push([swapped]);
  }
  return alternatives;
}
