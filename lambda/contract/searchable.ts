/**
 * What a query must hold: a character besides punctuation, symbols and emoji, which is a letter or a digit of some script.
 * Written as blocks rather than as `\p{L}`, which the regular expressions of different languages read differently, so
 * that the API document and the code say the same; and as what it is not, which is shorter by far: programs that make
 * up texts by the pattern go through all its characters. A stray mark in another block is found in no market.
 */
export const SEARCHABLE_PATTERN = [
  '[^\\u0000-/:-@\\[-`{-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7',
  '\u2000-\u2bff\u2e00-\u3004\u3008-\u3020',
  '\ufe00-\ufe6f\ufefd-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffdd-\uffff',
  '\u{1f000}-\u{1ffff}]',
].join('');

/** The same in words, as the end of a sentence. */
export const SEARCHABLE_RULE =
  'with a letter or a digit to search for, besides the characters & = ? # % that are ignored';
