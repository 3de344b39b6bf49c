/**
 * What a query must hold: a letter or a digit of some script. Written as blocks rather than as `\p{L}`, which the
 * regular expressions of different languages read differently, so that the API document and the code say the same. The
 * blocks left out hold punctuation, symbols and emoji; a stray mark in one of the others is found in no market.
 */
export const SEARCHABLE_PATTERN = [
  '[0-9A-Za-z',
  '\u00aa\u00b2\u00b3\u00b5\u00b9\u00ba\u00bc-\u00be\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff',
  '\u2c00-\u2dff\u3005-\u3007\u3021-\ud7ff\uf900-\ufdff\ufe70-\ufefc',
  '\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc',
  '\u{10000}-\u{1efff}\u{20000}-\u{3ffff}]',
].join('');

/** The same in words, as the end of a sentence. */
export const SEARCHABLE_RULE =
  'with a letter or a digit to search for, besides the characters & = ? # % that are ignored';
