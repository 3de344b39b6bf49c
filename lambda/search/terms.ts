/** Text to terms: the same cutting for questions, slugs, event titles and queries, so that the two sides meet. */

const STRIPPED = /[&=?#%]/g;
const ASCII_ONLY = /^[\p{ASCII}]*$/u;

/** Letters that Unicode does not decompose into a base letter and an accent, and that people type without. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};

const MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
};

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
const UNIT = 'k|mn?|bn?|tn?';
const UNIT_WORD = 'thousand|million|billion|trillion';
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
/** Scripts that put no blanks between words: each character is a term. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;

/** The kinds of term, first match wins. */
const TOKEN = new RegExp(
  [
    // A range whose unit is written once: "$50-100b".
    String.raw`${NUMBER}[-–]\$?${NUMBER}(?:${UNIT})(?!${LETTER})`,
    String.raw`${NUMBER}(?:${UNIT}|[\s-](?:${UNIT_WORD}))?(?!${LETTER})`,
    // Initials: "J.D.", "U.S.".
    String.raw`\p{L}(?:\.\p{L})+(?!${LETTER})`,
    UNSPACED,
    `(?:(?!${UNSPACED})${LETTER})+`,
  ].join('|'),
  'gu',
);

/** The parts of a token of one of the first two kinds: the number, the upper end of a range, the unit. */
const AMOUNT = new RegExp(String.raw`^(${NUMBER})(?:[-–]\$?(${NUMBER}))?[\s-]?(${UNIT_WORD}|${UNIT})?$`, 'u');

const STARTS_WITH_DIGIT = /^\d/;
const ENDS_WITH_DIGIT = /\d$/;
const STARTS_WITH_UNIT = new RegExp(`^(?:${UNIT_WORD})`);
const PLAIN_WORD = /^[a-z]+$/;
const POSSESSIVE = /'s(?![\p{L}\p{N}])/gu;

/** Beyond this many digits a number no longer fits a double exactly: it is a name (a token id), not an amount. */
const AMOUNT_DIGITS = 15;

/**
 * The query without the characters the service ignores, `& = ? # %`. They are removed,
 * not replaced by a blank: "AT&T" becomes "ATT".
 */
export function stripQuery(query: string): string {
  return query.replace(STRIPPED, '');
}

/**
 * The terms of a query: stripped, lower-cased, accents folded, numbers in one spelling
 * ("150k", "$150,000" and "150 thousand" are all "150000"). Letters and digits of every script count.
 *
 * @returns the terms in the order typed, repeats included. Empty when there is nothing to search for (only blanks,
 *   punctuation, emoji or stripped characters).
 */
export function queryTerms(query: string): string[] {
  const folded = withoutApostrophes(fold(stripQuery(query)));
  const terms: string[] = [];
  const parts = folded.split(' ');
  for (let index = 0; index < parts.length; index += 1) {
    let part = parts[index] ?? '';
    // Only an amount goes over a blank: "1 million".
    while (ENDS_WITH_DIGIT.test(part) && STARTS_WITH_UNIT.test(parts[index + 1] ?? '')) {
      index += 1;
      part = `${part} ${parts[index]}`;
    }
    if (PLAIN_WORD.test(part)) terms.push(part);
    else for (const term of partTerms(part)) terms.push(term);
  }
  return terms;
}

/** What parts that are no plain words were cut into: years, days and prices come again and again. */
const cuts = new Map<string, readonly string[]>();
const MOST_CUTS = 20_000;

function partTerms(part: string): readonly string[] {
  const known = cuts.get(part);
  if (known !== undefined) return known;
  const terms = cutPart(part);
  if (cuts.size >= MOST_CUTS) cuts.clear();
  cuts.set(part, terms);
  return terms;
}

function cutPart(part: string): string[] {
  const terms: string[] = [];
  for (const token of part.match(TOKEN) ?? []) {
    const [, low, high, unit] = STARTS_WITH_DIGIT.test(token) ? (AMOUNT.exec(token) ?? []) : [];
    if (low === undefined) terms.push(token.replaceAll('.', ''));
    else terms.push(amount(low, unit));
    if (high !== undefined) terms.push(amount(high, unit));
  }
  return terms;
}

/** The terms of a question or event title, cut as {@link queryTerms} cuts a query: "AT&T" meets "att". */
export const textTerms: (text: string) => string[] = queryTerms;

/** The terms of an upstream slug, where a decimal point is written "pt": "40pt0" is 40.0. */
export function slugTerms(slug: string): string[] {
  return textTerms(slug.replace(/(\d)pt(\d)/g, '$1.$2').replaceAll('-', ' '));
}

/** Lower case, accents and typographic variants folded: "Édouard" and "edouard" become the same letters. */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  return text
    .replace(/[’‘ʼ´`]/g, "'")
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[æœßøłđðþħı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

function withoutApostrophes(folded: string): string {
  return folded.includes("'") ? folded.replace(POSSESSIVE, '').replaceAll("'", '') : folded;
}

/** Whether a term names an amount, a date or a rank: digits are never corrected as typos. */
export function hasDigit(term: string): boolean {
  return /\p{N}/u.test(term);
}

function amount(number: string, unit: string | undefined): string {
  const digits = number.replaceAll(',', '');
  if (digits.length > AMOUNT_DIGITS) return digits;
  const multiplier = unit === undefined ? undefined : MULTIPLIERS[unit];
  // Rounded because 2.3 × 1e6 is not a whole number in binary.
  return String(multiplier === undefined ? Number(digits) : Math.round(Number(digits) * multiplier));
}
