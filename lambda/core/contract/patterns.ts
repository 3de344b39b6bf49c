/** What callers may write, as regular expressions of the API document that every engine reads. The domain holds the functions that apply them. */

/** `0x` and 64 hex digits, or 62 as Protocol V2 writes its 31 bytes (docs/upstream.md, "Versions and ids"). */
export const CONDITION_ID_PATTERN = '^0x([0-9a-fA-F]{62}|[0-9a-fA-F]{64})$';

/** `+24h`, `+7d`. The plus may be left out, or have become a blank in a query that was not percent-encoded. */
export const RELATIVE_MOMENT_PATTERN = '^[+ ]?[0-9]{1,5}[hd]$';

/** `20261121T120000123Z-9f86d081`: the time of the prices and 32 random bits. */
export const SNAPSHOT_ID_PATTERN = '^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}$';

/** A segment of a path: no slash, and no control character. */
export const PATH_SEGMENT_PATTERN = '^[^/\\x00-\\x1f\\x7f]+$';

/** An outcome token is an unsigned 256-bit number in decimal. */
export const MAX_TOKEN_ID = 2n ** 256n - 1n;
export const MAX_TOKEN_DIGITS = 78;

/** A pattern cannot compare numbers: 78 digits can be more than 256 bits. */
export const TOKEN_ID_PATTERN = `^[0-9]{1,${MAX_TOKEN_DIGITS}}$`;

/** A search query holds a letter or a digit of some script. The API document says so in words, because engines differ. */
export const SEARCHABLE = /[\p{L}\p{N}]/u;

/** The same rule in words, as the end of a sentence. */
export const SEARCHABLE_RULE = 'with at least one letter or digit besides the ignored characters & = ? # %';
