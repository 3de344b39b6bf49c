/** Cuts questions, titles, slugs and queries into terms by the same rules, so that they match. */

/** Characters that are removed, so that the parts beside them become one term. */
const IGNORED = /[&=?#%]/g;
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

/** What a number is multiplied by, by its unit. */
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

/** Such as "150,000" or "2.3". */
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
/** Follows a number directly. */
const UNIT = 'k|mn?|bn?|tn?';
/** Follows a number after a space or hyphen. */
const UNIT_WORD = 'thousand|million|billion|trillion';
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
/** In scripts without spaces, each character is a term. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;

/** The kinds of terms. The first kind that matches wins. */
const TOKEN = new RegExp(
  [
    // A range with one unit: "$50-100b".
    String.raw`${NUMBER}[-–]\$?${NUMBER}(?:${UNIT})(?!${LETTER})`,
    String.raw`${NUMBER}(?:${UNIT}|[\s-](?:${UNIT_WORD}))?(?!${LETTER})`,
    // Initials: "J.D.", "U.S.".
    String.raw`\p{L}(?:\.\p{L})+(?!${LETTER})`,
    UNSPACED,
    `(?:(?!${UNSPACED})${LETTER})+`,
  ].join('|'),
  'gu',
);

/** An amount, whose groups are the number, the upper end of a range, and the unit. */
const AMOUNT = new RegExp(
  String.raw`^(${NUMBER})(?:[-–]\$?(${NUMBER}))?[\s-]?(${UNIT_WORD}|${UNIT})?$`,
  'u',
);

const STARTS_WITH_DIGIT = /^\d/;
/** Only amounts contain a space: "1 million". */
const SPACE_IN_AMOUNT = new RegExp(`(\\d) (?=${UNIT_WORD})`, 'gi');
const POSSESSIVE = /'s(?![\p{L}\p{N}])/gu;

/** Doubles are not exact for longer numbers, so these count as names, such as a token id. */
const MAX_AMOUNT_DIGITS = 15;

/**
 * The terms of a text in their order: lower case, no accents, one spelling of numbers ("150k",
 * "$150,000" and "150 thousand" become "150000"). Removes `& = ? # %`: "AT&T" becomes "att".
 */
export function termsOf(text: string): string[] {
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

/** The terms of a text without spaces, which can be several: "yes/no", "$50-100b". */
function termsOfWord(word: string): readonly string[] {
  const folded = fold(word.replace(IGNORED, '')).replace(POSSESSIVE, '').replaceAll("'", '');
  return (folded.match(TOKEN) ?? []).flatMap(termsOfToken);
}

/** Two terms for a range, otherwise one. */
function termsOfToken(token: string): readonly string[] {
  const amounts = STARTS_WITH_DIGIT.test(token) ? AMOUNT.exec(token) : null;
  const [, low, high, unit] = amounts ?? [];
  if (low === undefined) return [token.replaceAll('.', '')];
  return high === undefined ? [amount(low, unit)] : [amount(low, unit), amount(high, unit)];
}

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

/** An amount without commas and unit: "2.3" and "m" become "2300000". */
function amount(number: string, unit: string | undefined): string {
  const digits = number.replaceAll(',', '');
  if (digits.length > MAX_AMOUNT_DIGITS) return digits;
  const multiplier = unit === undefined ? undefined : MULTIPLIERS[unit];
  if (multiplier === undefined) return String(Number(digits));
  // 2.3 × 1e6 is not a whole number in binary.
  return String(Math.round(Number(digits) * multiplier));
}
