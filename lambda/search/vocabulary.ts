import type { Posting, Postings } from './postings.ts';
import { differingLetters, editDistance, letterSet, maxEdits } from './spelling.ts';
import { firstAtOrAfter } from './term-table.ts';
import { hasDigit } from './terms.ts';

/** Every term of the indexed markets, and the ways a typed term finds them. */
export class Vocabulary {
  readonly #postings: Postings;
  #sorted: readonly string[];
  /** Letter set of each sorted term, made for the first typo; terms with digits have none: numbers are never corrected. */
  #letterSets: Int32Array | undefined;

  constructor(postings: Postings) {
    this.#postings = postings;
    this.#sorted = postings.tableTerms;
  }

  /** To be called once documents were added. The terms are in two sorted runs then, which a merge sort joins quickly. */
  update(): void {
    // Of a set that only grows the new terms are the last ones seen.
    const known = this.#sorted.length - this.#postings.tableTerms.length;
    const added = this.#postings.newTerms.slice(known).sort();
    if (added.length === 0) return;
    this.#sorted = [...this.#sorted, ...added].sort();
    this.#letterSets = undefined;
  }

  postings(term: string): Iterable<Posting> {
    return this.#postings.of(term);
  }

  has(term: string): boolean {
    return this.#postings.has(term);
  }

  /** The longer terms that begin with `prefix`, in alphabetical order. */
  prefixMatches(prefix: string): string[] {
    const found: string[] = [];
    for (let index = firstAtOrAfter(this.#sorted, prefix); index < this.#sorted.length; index += 1) {
      const term = this.#sorted[index];
      if (term === undefined || !term.startsWith(prefix)) break;
      if (term.length > prefix.length) found.push(term);
    }
    return found;
  }

  /** The terms a few edits away from `typed` (not itself), each with its distance. Empty for numbers and short terms. */
  near(typed: string): { term: string; edits: number }[] {
    const limit = maxEdits(typed);
    if (limit === 0 || hasDigit(typed)) return [];
    const letters = letterSet(typed);
    const sets = this.#allLetterSets();
    const found: { term: string; edits: number }[] = [];
    for (let index = 0; index < sets.length; index += 1) {
      const set = sets[index] ?? 0;
      if (set === 0 || differingLetters(set, letters) > 2 * limit) continue;
      const candidate = this.#sorted[index] ?? '';
      // In four letters a wrong first one makes another word ("gold", "cold"); further on it is a typo.
      if (typed.length === 4 && candidate[0] !== typed[0]) continue;
      // The same from the other side: the candidate must be long enough to still be recognised.
      if (candidate.length < 3) continue;
      const edits = editDistance(typed, candidate, limit);
      if (edits > 0 && edits <= limit) found.push({ term: candidate, edits });
    }
    return found;
  }

  /** Both parts of a compound ("superbowl"), when the markets hold them apart and not together. */
  compoundSplit(term: string): [string, string][] {
    if (term.length < 6 || hasDigit(term) || this.has(term)) return [];
    const found: [string, string][] = [];
    for (let cut = 2; cut <= term.length - 2; cut += 1) {
      const pair: [string, string] = [term.slice(0, cut), term.slice(cut)];
      if (this.has(pair[0]) && this.has(pair[1])) found.push(pair);
    }
    return found;
  }

  #allLetterSets(): Int32Array {
    this.#letterSets ??= Int32Array.from(this.#sorted, (term) => (hasDigit(term) ? 0 : letterSet(term)));
    return this.#letterSets;
  }
}

/** Other grammatical numbers of an English word: "rates" for "rate" and back. Some are no words; those find nothing. */
export function inflections(term: string): string[] {
  if (term.length < 3 || hasDigit(term)) return [];
  if (term.endsWith('ies')) return [`${term.slice(0, -3)}y`];
  if (term.endsWith('ss')) return [`${term}es`];
  if (term.endsWith('es')) return [term.slice(0, -1), term.slice(0, -2)];
  if (term.endsWith('s')) return [term.slice(0, -1), `${term}es`];
  if (term.endsWith('y')) return [`${term}s`, `${term.slice(0, -1)}ies`];
  return [`${term}s`, `${term}es`];
}
