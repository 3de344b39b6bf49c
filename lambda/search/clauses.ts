import { EMPTY_WORDS, SYNONYMS } from './synonyms.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One thing a query asks for: a typed word, or a few that belong together, and what else names the same thing. */
export interface QueryUnit {
  readonly typed: readonly string[];
  /** Each alternative is one or more words that must all be in the market. */
  readonly alternatives: readonly (readonly string[])[];
}

/** Longest member of a synonym group, in words. */
const LONGEST_PHRASE = 4;

const SYNONYMS_BY_PHRASE: ReadonlyMap<string, readonly (readonly string[])[]> = synonymsByPhrase();

/** The words that say what is asked: without the empty ones, unless there are no others. Repeats are dropped. */
export function tellingWords(words: readonly string[]): string[] {
  const telling = words.filter((word) => !EMPTY_WORDS.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

/**
 * Groups the words of a query into units: synonyms of several words ("prime minister") first, then pairs that
 * upstream writes as one word ("doge coin"), then single words.
 */
export function queryUnits(typed: readonly string[], vocabulary: Vocabulary): QueryUnit[] {
  const units: QueryUnit[] = [];
  const words = typed.flatMap((word) => (vocabulary.has(word) ? [word] : numberAndLetters(word)));
  let index = 0;
  while (index < words.length) {
    const unit =
      phraseAt(words, index, LONGEST_PHRASE, 2) ??
      joinedPairAt(words, index, vocabulary) ??
      phraseAt(words, index, 1, 1) ??
      singleAt(words, index, vocabulary);
    units.push(unit);
    index += unit.typed.length;
  }
  return units;
}

/** "25bps" and "gta6" are typed without the blank that upstream writes; "1st" is a word of its own. */
function numberAndLetters(word: string): string[] {
  if (SYNONYMS_BY_PHRASE.has(word)) return [word];
  return /^(?:\d+\p{L}+|\p{L}+\d+)$/u.test(word) ? (word.match(/\d+|\p{L}+/gu) ?? [word]) : [word];
}

/** The longest member of a synonym group that starts here, within the lengths given in words. */
function phraseAt(
  words: readonly string[],
  index: number,
  longest: number,
  shortest: number,
): QueryUnit | undefined {
  for (let length = Math.min(longest, words.length - index); length >= shortest; length -= 1) {
    const typed = words.slice(index, index + length);
    const alternatives = SYNONYMS_BY_PHRASE.get(typed.join(' '));
    if (alternatives !== undefined) return { typed, alternatives };
  }
  return undefined;
}

/** "open ai" for "openai", "mr beast" for "mrbeast". */
function joinedPairAt(
  words: readonly string[],
  index: number,
  vocabulary: Vocabulary,
): QueryUnit | undefined {
  const typed = words.slice(index, index + 2);
  const joined = typed.join('');
  return typed.length === 2 && vocabulary.has(joined) ? { typed, alternatives: [[joined]] } : undefined;
}

function singleAt(words: readonly string[], index: number, vocabulary: Vocabulary): QueryUnit {
  const typed = words.slice(index, index + 1);
  return { typed, alternatives: typed.flatMap((word) => vocabulary.halves(word)) };
}

function synonymsByPhrase(): Map<string, readonly (readonly string[])[]> {
  const byPhrase = new Map<string, (readonly string[])[]>();
  for (const group of SYNONYMS) {
    // The same cutting as for a query, so that "bank of japan" is found as its telling words.
    const phrases = group.map((member) => tellingWords(member.split(' ')));
    for (const phrase of phrases) {
      const key = phrase.join(' ');
      const others = phrases.filter((other) => other !== phrase);
      byPhrase.set(key, [...(byPhrase.get(key) ?? []), ...others]);
    }
  }
  return byPhrase;
}
