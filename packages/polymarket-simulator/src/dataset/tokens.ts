import { mix } from './hash.ts';

/**
 * Token ids that can be read backwards: the low 32 bits are the market's index and outcome, scrambled with the
 * seed, the 224 bits above are hashed from them. So a token is found without a table of 100,000 entries.
 */

const WORDS = 7;
/** Makes every token at least 10^76, that is 77 or 78 digits as upstream's are: 10^76 / 2^248 is about 22.1. */
const LOWEST_TOP_BYTE = 23;
const ODD = 0x9e3779b1;
/** ODD times this is 1 modulo 2^32. */
const ODD_INVERSE = inverse(ODD);

/** The token of outcome `outcome` (0 or 1) of market `index`: a decimal string of 77 or 78 digits, below 2^256. */
export function tokenOf(seed: number, index: number, outcome: number): string {
  const low = (Math.imul(index * 2 + outcome, ODD) ^ mix(seed, 0x70c0)) >>> 0;
  const key = mix(mix(seed, low), 0x7042);
  let hex = '0x';
  for (let i = 0; i < WORDS; i++) {
    let word = mix(key, i);
    if (i === 0) {
      const top = LOWEST_TOP_BYTE + ((word >>> 24) % (256 - LOWEST_TOP_BYTE));
      word = ((top << 24) | (word & 0xffffff)) >>> 0;
    }
    hex += word.toString(16).padStart(8, '0');
  }
  return BigInt(hex + low.toString(16).padStart(8, '0')).toString();
}

/** The market and outcome a token belongs to, or undefined for a token this seed never gave out. */
export function readToken(seed: number, token: string): { index: number; outcome: 0 | 1 } | undefined {
  if (!/^\d{77,78}$/.test(token)) return undefined;
  const low = Number(BigInt(token) & 0xffffffffn);
  const packed = Math.imul((low ^ mix(seed, 0x70c0)) >>> 0, ODD_INVERSE) >>> 0;
  const outcome = packed % 2 === 0 ? 0 : 1;
  const index = (packed - outcome) / 2;
  return tokenOf(seed, index, outcome) === token ? { index, outcome } : undefined;
}

/** Newton's iteration for the inverse of an odd number modulo 2^32: each step doubles the correct bits. */
function inverse(odd: number): number {
  let x = odd;
  for (let i = 0; i < 5; i++) x = Math.imul(x, 2 - Math.imul(odd, x));
  return x >>> 0;
}
