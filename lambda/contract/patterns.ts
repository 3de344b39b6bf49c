/** What callers may write, as regular expressions of the API document. The rules read by them are in the domain. */

/** `0x` and 64 hex digits, or 62 as Protocol V2 writes its 31 bytes (docs/upstream.md, "Condition ids"). */
export const CONDITION_ID_PATTERN = '^0x([0-9a-fA-F]{62}|[0-9a-fA-F]{64})$';

/** `+24h`, `+7d`; the plus may have become a blank, as it does in a query that is not percent-encoded, or be left out. */
export const RELATIVE_MOMENT_PATTERN = '^[+ ]?[0-9]{1,5}[hd]$';

/** An outcome token is an unsigned 256-bit number in decimal (design 2). */
export const MAX_TOKEN_ID = 2n ** 256n - 1n;
export const MAX_TOKEN_DIGITS = 78;

/** Up to 77 digits, or 78 that stay below the greatest number digit by digit. */
export function tokenIdPattern(): string {
  const most = String(MAX_TOKEN_ID);
  const shorter = `[0-9]{1,${MAX_TOKEN_DIGITS - 1}}`;
  const below = [...most].flatMap((digit, n) => {
    const rest = MAX_TOKEN_DIGITS - n - 1;
    const lower = digit === '0' ? [] : [digit === '1' ? '0' : `[0-${Number(digit) - 1}]`];
    return lower.map((one) => `${most.slice(0, n)}${one}${rest > 0 ? `[0-9]{${rest}}` : ''}`);
  });
  return `^(${[shorter, ...below, most].join('|')})$`;
}
