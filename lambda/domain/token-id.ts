const MAX_DIGITS = 78;
const MAX_VALUE = 2n ** 256n;

/** An outcome token is an unsigned 256-bit number in decimal (design 2). */
export function isTokenId(value: string): boolean {
  return value.length <= MAX_DIGITS && /^\d+$/.test(value) && BigInt(value) < MAX_VALUE;
}
