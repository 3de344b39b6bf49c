/**
 * The rules by which texts become terms and categories, by number. Another number makes readers index the texts
 * themselves rather than use a table that other rules have made; a test tells when it is due.
 */
export const TEXT_RULES = 1;

/**
 * The terms of a list of markets with their postings, as flat arrays: made once where a base is written, and taken over
 * by each container as they are. The document of a market is its position in that list.
 */
export interface TermTable {
  /** Each once, ascending by UTF-16 units. */
  readonly terms: readonly string[];
  /** Where the postings of each term begin, and after the last one the end. */
  readonly starts: Uint32Array;
  /** By term, documents ascending. */
  readonly postings: Uint32Array;
  /** Number of terms of each document's question. */
  readonly questionTerms: Uint32Array;
  /** Of each document: by its tags, or by terms of its question. */
  readonly categories: Uint8Array;
}

/** Texts that were indexed before, for an index of a list that has most of them. */
export interface IndexedTexts {
  readonly table: TermTable;
  /** The document of the market at a position of the list; undefined where the table does not have it. */
  documentAt(position: number): number | undefined;
  question(document: number): string;
}

/** The postings of a term of the table; none for another. */
export function postingsIn({ terms, starts, postings }: TermTable, term: string): Uint32Array {
  const n = firstAtOrAfter(terms, term);
  return terms[n] === term ? postings.subarray(starts[n], starts[n + 1]) : NONE;
}

const NONE = new Uint32Array();

/** The place of the first of some ascending terms that is not before `start`. */
export function firstAtOrAfter(terms: readonly string[], start: string): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? '') < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
