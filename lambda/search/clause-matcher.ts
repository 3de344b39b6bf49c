import type { Clause } from './clauses.ts';
import { documentOf, fieldOf, type Posting } from './postings.ts';
import { inflections, type Vocabulary } from './vocabulary.ts';

/**
 * What a kind of match scores, 0..1. The steps are wide enough that a better kind of match is never overtaken inside
 * one field: exact term, its plural, a synonym, a term that begins so, a typo. All terms that begin so score the same:
 * how much is left to type says nothing about what is meant, the volume does.
 */
const SCORE = { exact: 1, inflected: 0.95, synonym: 0.9, prefix: 0.6, oneEdit: 0.4, twoEdits: 0.3 };

/** Boost of each field by number: question, event title, slug. */
const FIELD_BOOST: readonly number[] = [1, 0.6, 0.5];

/** The best match of one clause in each document. Arrays instead of a map because they are cleared and refilled per clause. */
export class ClauseScores {
  readonly touched: number[] = [];
  readonly #scores: Float64Array;

  constructor(documents: number) {
    this.#scores = new Float64Array(documents);
  }

  of(document: number): number {
    return this.#scores[document] ?? 0;
  }

  raise(document: number, score: number): void {
    // A document added after these scores were made belongs to a newer snapshot.
    if (document >= this.#scores.length) return;
    const before = this.#scores[document] ?? 0;
    if (before === 0) this.touched.push(document);
    if (score > before) this.#scores[document] = score;
  }

  clear(): void {
    for (const document of this.touched) this.#scores[document] = 0;
    this.touched.length = 0;
  }
}

/**
 * Fills `scores` with the documents that hold the clause. Typos count only for a term that finds nothing as it is
 * spelled, unless `fuzzy`: in "jonny smith" the first term finds some other Jonny, and Johnny only when asked again.
 *
 * @returns how common the clause is: the number of documents that hold it as typed or by another name, or of all that
 *   were found when none does. Longer terms are not counted, so "fed" stays rare beside a hundred "federal".
 */
export function matchClause(
  clause: Clause,
  vocabulary: Vocabulary,
  scores: ClauseScores,
  fuzzy: boolean,
): number {
  scores.clear();
  raisePhrase(clause.typed, SCORE.exact, vocabulary, scores);
  for (const alternative of clause.alternatives) raisePhrase(alternative, SCORE.synonym, vocabulary, scores);
  const asTyped = scores.touched.length;
  const term = clause.typed.length === 1 ? clause.typed[0] : undefined;
  if (term === undefined) return asTyped;
  for (const longer of longerTerms(term, vocabulary)) {
    raiseAll(vocabulary.postings(longer), SCORE.prefix, scores);
  }
  if (scores.touched.length === 0 || fuzzy) {
    for (const near of vocabulary.near(term)) {
      const score = near.edits === 1 ? SCORE.oneEdit : SCORE.twoEdits;
      raiseAll(vocabulary.postings(near.term), score, scores);
    }
  }
  return asTyped > 0 ? asTyped : scores.touched.length;
}

/**
 * "150" and "202" may be the start of 150,000 and 2026. One letter or digit begins too much to mean any of it, and a longer
 * number is an amount already: 150,000 is not the start of 15,000,000.
 */
function longerTerms(term: string, vocabulary: Vocabulary): string[] {
  return /^(?:.|\d{4,}|\d+\.\d+)$/.test(term) ? [] : vocabulary.prefixMatches(term);
}

/** Documents that hold every term of the phrase, with the score of the least of its terms. */
function raisePhrase(
  phrase: readonly string[],
  score: number,
  vocabulary: Vocabulary,
  scores: ClauseScores,
): void {
  const [first, ...rest] = phrase;
  if (first === undefined) return;
  if (rest.length === 0) {
    for (const [form, factor] of forms(first)) raiseAll(vocabulary.postings(form), score * factor, scores);
    return;
  }
  let found = scoreByDocument(first, vocabulary);
  for (const term of rest) {
    if (found.size === 0) return;
    const next = scoreByDocument(term, vocabulary);
    const both = new Map<number, number>();
    for (const [document, one] of found) {
      const other = next.get(document);
      if (other !== undefined) both.set(document, Math.min(one, other));
    }
    found = both;
  }
  for (const [document, least] of found) scores.raise(document, score * least);
}

function scoreByDocument(term: string, vocabulary: Vocabulary): Map<number, number> {
  const found = new Map<number, number>();
  for (const [form, factor] of forms(term)) {
    for (const posting of vocabulary.postings(form)) {
      const score = factor * boostOf(posting);
      const document = documentOf(posting);
      if (score > (found.get(document) ?? 0)) found.set(document, score);
    }
  }
  return found;
}

function forms(term: string): [form: string, factor: number][] {
  const inflected = inflections(term).map((form): [string, number] => [form, SCORE.inflected]);
  return [[term, SCORE.exact], ...inflected];
}

function raiseAll(postings: Iterable<Posting>, score: number, scores: ClauseScores): void {
  for (const posting of postings) scores.raise(documentOf(posting), score * boostOf(posting));
}

function boostOf(posting: Posting): number {
  return FIELD_BOOST[fieldOf(posting)] ?? 0;
}
