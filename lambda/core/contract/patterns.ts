/**
 * Patterns of ids, times and texts. Those that are texts are part of the API document, in syntax
 * that every regular expression engine reads.
 */

/**
 * A condition id: 64 hex digits, or 62 for Protocol V2's 31 bytes (docs/upstream.md, "Versions and
 * ids").
 */
export const CONDITION_ID_PATTERN = '^0x([0-9a-fA-F]{62}|[0-9a-fA-F]{64})$';

/** A time after the data's: `+24h`, `+7d`. In a query, an unencoded plus becomes a space. */
export const RELATIVE_MOMENT_PATTERN = '^[+ ]?[0-9]{1,5}[hd]$';

/** A snapshot id: `20261121T120000123Z-9f86d081` has the prices' time and 32 random bits. */
export const SNAPSHOT_ID_PATTERN = '^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}$';

/** A segment of a path has no slash and no control character. */
export const PATH_SEGMENT_PATTERN = '^[^/\\x00-\\x1f\\x7f]+$';

/** The largest outcome token, and its number of decimal digits. */
export const MAX_TOKEN_ID = 2n ** 256n - 1n;
export const MAX_TOKEN_DIGITS = 78;

/** An outcome token. The pattern checks only the length: 78 digits can exceed 256 bits. */
export const TOKEN_ID_PATTERN = `^[0-9]{1,${MAX_TOKEN_DIGITS}}$`;

/** A letter or digit of any script. The API document uses words, because engines differ. */
export const SEARCHABLE = /[\p{L}\p{N}]/u;

/** `SEARCHABLE` in words, for an error: "… must be 2 to 200 characters long, …". */
export const SEARCHABLE_RULE =
  'with at least one letter or digit besides the ignored characters & = ? # %';
