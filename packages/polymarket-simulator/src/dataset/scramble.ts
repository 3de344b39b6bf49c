import { mix } from './hash.ts';

/** A reversible scrambling of 32-bit numbers: ids carry their market's index, so no table of ids is needed. */

const ODD = 0x9e3779b1;
/** ODD times this is 1 modulo 2^32. */
const ODD_INVERSE = inverse(ODD);

/** `salt` tells kinds of id apart. */
export function scramble(seed: number, salt: number, value: number): number {
  return (Math.imul(value, ODD) ^ mix(seed, salt)) >>> 0;
}

export function unscramble(seed: number, salt: number, scrambled: number): number {
  return Math.imul((scrambled ^ mix(seed, salt)) >>> 0, ODD_INVERSE) >>> 0;
}

/** Newton's iteration for the inverse of an odd number modulo 2^32: each step doubles the correct bits. */
function inverse(odd: number): number {
  let x = odd;
  for (let i = 0; i < 5; i++) x = Math.imul(x, 2 - Math.imul(odd, x));
  return x >>> 0;
}
