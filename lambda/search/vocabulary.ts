import { differingLetters, forgivenSlips, letterSet, slips } from './spelling.ts';
import { hasDigit } from './terms.ts';

/** Where a word stands in a market. Ordered: a market counts a word once, in the first of these that holds it. */
export const FIELD = { question: 0, eventTitle: 1, slug: 2 } as const;
export type Field = (typeof FIELD)[keyof typeof FIELD];

/** The markets that hold a word: positions ascending, and the best field of each. Parallel arrays: they are many. */
export interface Posting {
  readonly positions: number[];
  readonly fields: Field[];
}

/** Every word of the indexed markets, and the ways a typed word finds them. */
export class Vocabulary {
  readonly #postings: ReadonlyMap<string, Posting>;
  readonly #sorted: string[];
  /** Letter set of each sorted word; words with digits have none, since numbers are never corrected. */
  readonly #letterSets: Int32Array;

  constructor(postings: ReadonlyMap<string, Posting>) {
    this.#postings = postings;
    this.#sorted = [...postings.keys()].sort();
    this.#letterSets = Int32Array.from(this.#sorted, (word) => (hasDigit(word) ? 0 : letterSet(word)));
  }

  posting(word: string): Posting | undefined {
    return this.#postings.get(word);
  }

  has(word: string): boolean {
    return this.#postings.has(word);
  }

  /** The longer words that begin with `start`, in no order of merit. */
  startingWith(start: string): string[] {
    const found: string[] = [];
    for (let index = this.#firstAtOrAfter(start); index < this.#sorted.length; index += 1) {
      const word = this.#sorted[index];
      if (word === undefined || !word.startsWith(start)) break;
      if (word.length > start.length) found.push(word);
    }
    return found;
  }

  /** The words a few slips away from `word` (not itself), each with its number of slips. Empty for numbers and short words. */
  near(word: string): { word: string; slips: number }[] {
    const limit = forgivenSlips(word);
    if (limit === 0 || hasDigit(word)) return [];
    const letters = letterSet(word);
    const found: { word: string; slips: number }[] = [];
    for (let index = 0; index < this.#letterSets.length; index += 1) {
      const set = this.#letterSets[index] ?? 0;
      if (set === 0 || differingLetters(set, letters) > 2 * limit) continue;
      const candidate = this.#sorted[index] ?? '';
      // In four letters a wrong first one makes another word ("gold", "cold"); further on it is a slip.
      if (word.length === 4 && candidate[0] !== word[0]) continue;
      // The same from the other side: the candidate must be long enough to still be recognised.
      if (candidate.length < 3) continue;
      const distance = slips(word, candidate, limit);
      if (distance > 0 && distance <= limit) found.push({ word: candidate, slips: distance });
    }
    return found;
  }

  /** Both halves of a word written together ("superbowl"), when the markets hold them apart and not together. */
  halves(word: string): [string, string][] {
    if (word.length < 6 || hasDigit(word) || this.has(word)) return [];
    const found: [string, string][] = [];
    for (let cut = 2; cut <= word.length - 2; cut += 1) {
      const pair: [string, string] = [word.slice(0, cut), word.slice(cut)];
      if (this.has(pair[0]) && this.has(pair[1])) found.push(pair);
    }
    return found;
  }

  #firstAtOrAfter(start: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? '') < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Other grammatical numbers of an English word: "rates" for "rate" and back. Some are no words; those find nothing. */
export function inflections(word: string): string[] {
  if (word.length < 3 || hasDigit(word)) return [];
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`];
  if (word.endsWith('ss')) return [`${word}es`];
  if (word.endsWith('es')) return [word.slice(0, -1), word.slice(0, -2)];
  if (word.endsWith('s')) return [word.slice(0, -1), `${word}es`];
  if (word.endsWith('y')) return [`${word}s`, `${word.slice(0, -1)}ies`];
  return [`${word}s`, `${word}es`];
}
