const MAX_DIGITS = 78;
const MAX_VALUE = 2n ** 256n - 1n;

/** An outcome token is an unsigned 256-bit number in decimal (design 2). */
export function isTokenId(value: string): boolean {
  return value.length <= MAX_DIGITS && /^\d+$/.test(value) && BigInt(value) <= MAX_VALUE;
}

/**
 * The same rule as a regular expression, for the API document: up to 77 digits, or 78 that stay below the
 * greatest number digit by digit.
 */
export function tokenIdPattern(): string {
  const most = String(MAX_VALUE);
  const shorter = `[0-9]{1,${MAX_DIGITS - 1}}`;
  const below = [...most].flatMap((digit, n) => {
    const rest = MAX_DIGITS - n - 1;
    const lower = digit === '0' ? [] : [digit === '1' ? '0' : `[0-${Number(digit) - 1}]`];
    return lower.map((one) => `${most.slice(0, n)}${one}${rest > 0 ? `[0-9]{${rest}}` : ''}`);
  });
  return `^(${[shorter, ...below, most].join('|')})$`;
}
