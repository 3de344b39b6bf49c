import { STOP_WORDS, SYNONYMS, WEAK_TERMS } from './synonyms.ts';
import { hasDigit } from './terms.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One thing a query asks for: a typed term, or a few that belong together, and what else names the same thing. */
export interface Clause {
  readonly typed: readonly string[];
  /** Each alternative is one or more terms that must all be in the market. */
  readonly alternatives: readonly (readonly string[])[];
}

/** Longest member of a synonym group, in terms. */
const LONGEST_PHRASE = 4;

const SYNONYMS_BY_PHRASE: ReadonlyMap<string, readonly (readonly string[])[]> = synonymsByPhrase();

/** The terms that say what is asked: without the stop words, unless there are no others. Repeats are dropped. */
export function contentTerms(terms: readonly string[]): string[] {
  const content = terms.filter((term) => !STOP_WORDS.has(term));
  return [...new Set(content.length > 0 ? content : terms)];
}

const NUMBER_OR_TIME = /^\d+(?:\.\d+)?(?:st|nd|rd|th|am|pm)?$/;

/** Whether a clause is a date, a number or another word that means nothing by itself ({@link WEAK_TERMS}). */
export function isWeak(clause: Clause): boolean {
  return clause.typed.every((term) => WEAK_TERMS.has(term) || NUMBER_OR_TIME.test(term));
}

/**
 * Groups the terms of a query into clauses: synonyms of several terms ("prime minister") first, then pairs that
 * upstream writes as one ("doge coin"), then single terms.
 */
export function queryClauses(typed: readonly string[], vocabulary: Vocabulary): Clause[] {
  const clauses: Clause[] = [];
  const terms = typed.flatMap((term) => (vocabulary.has(term) ? [term] : numberAndLetters(term)));
  let index = 0;
  while (index < terms.length) {
    const clause =
      phraseAt(terms, index, LONGEST_PHRASE, 2) ??
      joinedPairAt(terms, index, vocabulary) ??
      phraseAt(terms, index, 1, 1) ??
      singleAt(terms, index, vocabulary);
    clauses.push(clause);
    index += clause.typed.length;
  }
  return clauses;
}

/** "25bps" and "gta6" are typed without the blank that upstream writes; "1st" is a term of its own. */
function numberAndLetters(term: string): string[] {
  if (!hasDigit(term) || SYNONYMS_BY_PHRASE.has(term)) return [term];
  return /^(?:\d+\p{L}+|\p{L}+\d+)$/u.test(term) ? (term.match(/\d+|\p{L}+/gu) ?? [term]) : [term];
}

/** The longest member of a synonym group that starts here, within the lengths given in terms. */
function phraseAt(
  terms: readonly string[],
  index: number,
  longest: number,
  shortest: number,
): Clause | undefined {
  for (let length = Math.min(longest, terms.length - index); length >= shortest; length -= 1) {
    const typed = terms.slice(index, index + length);
    const alternatives = SYNONYMS_BY_PHRASE.get(typed.join(' '));
    if (alternatives !== undefined) return { typed, alternatives };
  }
  return undefined;
}

/** "open ai" for "openai", "mr beast" for "mrbeast". */
function joinedPairAt(terms: readonly string[], index: number, vocabulary: Vocabulary): Clause | undefined {
  const typed = terms.slice(index, index + 2);
  const joined = typed.join('');
  return typed.length === 2 && vocabulary.has(joined) ? { typed, alternatives: [[joined]] } : undefined;
}

function singleAt(terms: readonly string[], index: number, vocabulary: Vocabulary): Clause {
  const typed = terms.slice(index, index + 1);
  return { typed, alternatives: typed.flatMap((term) => vocabulary.compoundSplit(term)) };
}

function synonymsByPhrase(): Map<string, readonly (readonly string[])[]> {
  const byPhrase = new Map<string, (readonly string[])[]>();
  for (const group of SYNONYMS) {
    // The same cutting as for a query, so that "bank of japan" is found as its content terms.
    const phrases = group.map((member) => contentTerms(member.split(' ')));
    for (const phrase of phrases) {
      const key = phrase.join(' ');
      const others = phrases.filter((other) => other !== phrase);
      byPhrase.set(key, [...(byPhrase.get(key) ?? []), ...others]);
    }
  }
  return byPhrase;
}
