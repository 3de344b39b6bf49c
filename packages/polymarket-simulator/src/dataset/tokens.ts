import { mix } from './hash.ts';
import { scramble, unscramble } from './scramble.ts';

/**
 * Token ids that can be read backwards: the low 32 bits are the market's index and outcome, scrambled with the
 * seed, the 224 bits above are hashed from them. So a token is found without a table of 100,000 entries.
 */

const WORDS = 7;
/** Makes every token at least 10^76, that is 77 or 78 digits as upstream's are: 10^76 / 2^248 is about 22.1. */
const LOWEST_TOP_BYTE = 23;
const SALT = 0x70c0;

/** The token of outcome `outcome` (0 or 1) of market `index`: a decimal string of 77 or 78 digits, below 2^256. */
export function tokenOf(seed: number, index: number, outcome: number): string {
  const low = scramble(seed, SALT, index * 2 + outcome);
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
  const packed = unscramble(seed, SALT, low);
  const outcome = packed % 2 === 0 ? 0 : 1;
  const index = (packed - outcome) / 2;
  return tokenOf(seed, index, outcome) === token ? { index, outcome } : undefined;
}
