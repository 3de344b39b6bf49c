import type { QueryUnit } from './clauses.ts';
import { type Field, inflections, type Posting, type Vocabulary } from './vocabulary.ts';

/**
 * What a match is worth, 0..1. The steps are wide enough that a better kind of match is never overtaken inside one
 * field: exact word, its plural, a synonym, a word that begins so, a typo. All words that begin so are worth the same:
 * how much is left to type says nothing about what is meant, the volume does.
 */
const WORTH = { exact: 1, inflected: 0.95, synonym: 0.9, prefix: 0.6, oneSlip: 0.4, twoSlips: 0.3 };

/** Worth of each field by number: question, event title, slug (design 2.2: the last two "with less weight"). */
const FIELD_WORTH: Readonly<Record<Field, number>> = { 0: 1, 1: 0.6, 2: 0.5 };

/** The best match of one unit in each market. Arrays instead of a map because they are cleared and refilled per unit. */
export class Hits {
  readonly touched: number[] = [];
  readonly #worth: Float64Array;

  constructor(markets: number) {
    this.#worth = new Float64Array(markets);
  }

  worth(position: number): number {
    return this.#worth[position] ?? 0;
  }

  raise(position: number, worth: number): void {
    const before = this.worth(position);
    if (before === 0) this.touched.push(position);
    if (worth > before) this.#worth[position] = worth;
  }

  clear(): void {
    for (const position of this.touched) this.#worth[position] = 0;
    this.touched.length = 0;
  }
}

/**
 * Fills `hits` with the markets that hold the unit. Typos count only for a word that finds nothing as it is spelled,
 * unless `forgiving`: in "jonny smith" the first word finds some other Jonny, and Johnny only when asked again.
 *
 * @returns how common the unit is: the number of markets that hold it as typed or by another name, or of all that
 *   were found when none does. Longer words are not counted, so "fed" stays rare beside a hundred "federal".
 */
export function matchUnit(unit: QueryUnit, vocabulary: Vocabulary, hits: Hits, forgiving: boolean): number {
  hits.clear();
  raisePhrase(unit.typed, WORTH.exact, vocabulary, hits);
  for (const alternative of unit.alternatives) raisePhrase(alternative, WORTH.synonym, vocabulary, hits);
  const asTyped = hits.touched.length;
  const word = unit.typed.length === 1 ? unit.typed[0] : undefined;
  if (word === undefined) return asTyped;
  for (const longer of beginningWith(word, vocabulary)) {
    raisePosting(vocabulary.posting(longer), WORTH.prefix, hits);
  }
  if (hits.touched.length === 0 || forgiving) {
    for (const near of vocabulary.near(word)) {
      const worth = near.slips === 1 ? WORTH.oneSlip : WORTH.twoSlips;
      raisePosting(vocabulary.posting(near.word), worth, hits);
    }
  }
  return asTyped > 0 ? asTyped : hits.touched.length;
}

/**
 * "150" and "202" may be the start of 150,000 and 2026. One letter or digit begins too much to mean any of it, and a longer
 * number is an amount already: 150,000 is not the start of 15,000,000.
 */
function beginningWith(word: string, vocabulary: Vocabulary): string[] {
  return /^(?:.|\d{4,}|\d+\.\d+)$/.test(word) ? [] : vocabulary.startingWith(word);
}

/** Markets that hold every word of the phrase, worth as much as the least of its words. */
function raisePhrase(phrase: readonly string[], worth: number, vocabulary: Vocabulary, hits: Hits): void {
  const [first, ...rest] = phrase;
  if (first === undefined) return;
  if (rest.length === 0) {
    for (const [form, formWorth] of forms(first))
      raisePosting(vocabulary.posting(form), worth * formWorth, hits);
    return;
  }
  let found = worthByPosition(first, vocabulary);
  for (const word of rest) {
    if (found.size === 0) return;
    const next = worthByPosition(word, vocabulary);
    const both = new Map<number, number>();
    for (const [position, one] of found) {
      const other = next.get(position);
      if (other !== undefined) both.set(position, Math.min(one, other));
    }
    found = both;
  }
  for (const [position, least] of found) hits.raise(position, worth * least);
}

function worthByPosition(word: string, vocabulary: Vocabulary): Map<number, number> {
  const found = new Map<number, number>();
  for (const [form, formWorth] of forms(word)) {
    const posting = vocabulary.posting(form);
    posting?.positions.forEach((position, index) => {
      const worth = formWorth * fieldWorth(posting, index);
      if (worth > (found.get(position) ?? 0)) found.set(position, worth);
    });
  }
  return found;
}

function forms(word: string): [form: string, worth: number][] {
  const inflected = inflections(word).map((form): [string, number] => [form, WORTH.inflected]);
  return [[word, WORTH.exact], ...inflected];
}

function raisePosting(posting: Posting | undefined, worth: number, hits: Hits): void {
  posting?.positions.forEach((position, index) => {
    hits.raise(position, worth * fieldWorth(posting, index));
  });
}

function fieldWorth(posting: Posting, index: number): number {
  const field = posting.fields[index];
  return field === undefined ? 0 : FIELD_WORTH[field];
}
