/**
 * Cuts questions, titles, slugs and queries into terms by the same rules, so that they match: "Will
 * AT&T hit $150k?" has the terms `will`, `att`, `hit` and `150000`.
 */

/**
 * The terms of a text in their order: lower case, no accents, one spelling of numbers ("150k",
 * "$150,000" and "150 thousand" become "150000"). Removes `& = ? # %`: "AT&T" becomes "att".
 */
export function termsOf(text: string): string[] {
  // "1 million" becomes "1-million", so that the amount stays one word.
  return text.replace(SPACE_IN_AMOUNT, '$1-').split(' ').flatMap(cachedTerms);
}

/** The terms of a slug, in which "pt" is a decimal point: "40pt0" is 40.0. */
export function slugTerms(slug: string): string[] {
  return termsOf(slug.replace(/(\d)pt(\d)/g, '$1.$2').replaceAll('-', ' '));
}

/** Whether a term is or contains a number, such as an amount, a date or a rank. */
export function hasDigit(term: string): boolean {
  return /\p{N}/u.test(term);
}

/** The terms by word. A snapshot has many words, but few different ones. */
const termsCache = new Map<string, readonly string[]>();
const MAX_CACHED_WORDS = 20_000;

function cachedTerms(word: string): readonly string[] {
  const cached = termsCache.get(word);
  if (cached !== undefined) return cached;
  if (termsCache.size >= MAX_CACHED_WORDS) termsCache.clear();
  const terms = termsOfWord(word);
  termsCache.set(word, terms);
  return terms;
}

/** Removed characters: "AT&T" becomes "att". */
const IGNORED = /[&=?#%]/g;
const POSSESSIVE = /'s(?![\p{L}\p{N}])/gu;

/** The terms of a text without spaces, which can be several: "yes/no", "$50-100b". */
function termsOfWord(word: string): readonly string[] {
  const folded = fold(word.replace(IGNORED, '')).replace(POSSESSIVE, '').replaceAll("'", '');
  return (folded.match(WRITTEN_TERM) ?? []).flatMap(spelledAlike);
}

const ASCII_ONLY = /^[\p{ASCII}]*$/u;

/** Letters that Unicode does not decompose, although people type the plain letter. */
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

/** Lower case, without accents and typographic variants. */
function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  return text
    .replace(/[’‘ʼ´`]/g, "'")
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[æœßøłđðþħı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** "150,000" or "2.3" */
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
/** Follows a number directly: "2.3m". */
const UNIT = 'k|mn?|bn?|tn?';
/** Follows a number after a space or hyphen: "2.3 million". */
const UNIT_WORD = 'thousand|million|billion|trillion';
const LETTER_OR_DIGIT = String.raw`[\p{L}\p{N}\p{M}]`;
/** In scripts without spaces, each character is a term. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;

/** Finds the terms in a word, as the word writes them. The first kind that matches wins. */
const WRITTEN_TERM = new RegExp(
  [
    // A range with one unit: "50-100b".
    String.raw`${NUMBER}[-–]\$?${NUMBER}(?:${UNIT})(?!${LETTER_OR_DIGIT})`,
    // An amount: "150,000", "150k", "150-thousand".
    String.raw`${NUMBER}(?:${UNIT}|[\s-](?:${UNIT_WORD}))?(?!${LETTER_OR_DIGIT})`,
    // Initials: "j.d.", "u.s.".
    String.raw`\p{L}(?:\.\p{L})+(?!${LETTER_OR_DIGIT})`,
    UNSPACED,
    // Any other word: "bitcoin", "25bps".
    `(?:(?!${UNSPACED})${LETTER_OR_DIGIT})+`,
  ].join('|'),
  'gu',
);

/** Cuts a range or an amount, the first two kinds above, into its parts. */
const AMOUNT = new RegExp(
  String.raw`^(?<low>${NUMBER})(?:[-–]\$?(?<high>${NUMBER}))?[\s-]?(?<unit>${UNIT_WORD}|${UNIT})?$`,
  'u',
);
const SPACE_IN_AMOUNT = new RegExp(`(\\d) (?=${UNIT_WORD})`, 'gi');

/**
 * A term in the spelling that all texts share: "150k" becomes "150000", "u.s." becomes "us". A
 * range becomes two terms, its lower and its upper end.
 */
function spelledAlike(written: string): readonly string[] {
  const { low, high, unit } = AMOUNT.exec(written)?.groups ?? {};
  if (low === undefined) return [written.replaceAll('.', '')];
  return high === undefined ? [amount(low, unit)] : [amount(low, unit), amount(high, unit)];
}

/** What the number of an amount is multiplied by. */
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

/** Doubles are not exact for longer numbers, so these count as names, such as a token id. */
const MAX_AMOUNT_DIGITS = 15;

/** An amount without commas and unit: "2.3" and "m" become "2300000". */
function amount(number: string, unit: string | undefined): string {
  const digits = number.replaceAll(',', '');
  if (digits.length > MAX_AMOUNT_DIGITS) return digits;
  const multiplier = unit === undefined ? undefined : MULTIPLIERS[unit];
  if (multiplier === undefined) return String(Number(digits));
  // 2.3 × 1e6 is not a whole number in binary.
  return String(Math.round(Number(digits) * multiplier));
}
