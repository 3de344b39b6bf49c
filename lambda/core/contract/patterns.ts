/** Patterns for callers, in syntax that every regular expression engine reads. */

/** 64 hex digits, or 62 for Protocol V2's 31 bytes (docs/upstream.md, "Versions and ids"). */
export const CONDITION_ID_PATTERN = '^0x([0-9a-fA-F]{62}|[0-9a-fA-F]{64})$';

/** `+24h`, `+7d`. In a query, an unencoded plus becomes a space. */
export const RELATIVE_MOMENT_PATTERN = '^[+ ]?[0-9]{1,5}[hd]$';

/** `20261121T120000123Z-9f86d081`: the prices' time and 32 random bits. */
export const SNAPSHOT_ID_PATTERN = '^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}$';

/** A segment of a path has no slash and no control character. */
export const PATH_SEGMENT_PATTERN = '^[^/\\x00-\\x1f\\x7f]+$';

export const MAX_TOKEN_ID = 2n ** 256n - 1n;
export const MAX_TOKEN_DIGITS = 78;

/** Checks the length only: 78 digits can exceed 256 bits. */
export const TOKEN_ID_PATTERN = `^[0-9]{1,${MAX_TOKEN_DIGITS}}$`;

/** A letter or digit of any script. The API document uses words, because engines differ. */
export const SEARCHABLE = /[\p{L}\p{N}]/u;

export const SEARCHABLE_RULE =
  'with at least one letter or digit besides the ignored characters & = ? # %';

/**
 * The place before a sign that can make a spreadsheet run a cell as a formula. Users of Polymarket
 * write the texts. In many countries a semicolon separates cells, and some spreadsheets accept
 * full-width signs.
 *
 * @example '=1+1'.replace(FORMULA_SIGN, "'") // "'=1+1"
 */
export const FORMULA_SIGN = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])[\s"]*)/gu;
