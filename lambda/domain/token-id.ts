import { MAX_TOKEN_DIGITS, MAX_TOKEN_ID } from '../contract/patterns.ts';

/** An outcome token is an unsigned 256-bit number in decimal (design 2); `tokenIdPattern` says the same. */
export function isTokenId(value: string): boolean {
  return value.length <= MAX_TOKEN_DIGITS && /^\d+$/.test(value) && BigInt(value) <= MAX_TOKEN_ID;
}

/** The one way to write a token: without leading zeros, so that it is the same key everywhere. */
export function canonicalTokenId(value: string): string {
  return value.replace(/^0+(?=\d)/, '');
}

/** A position id of Protocol V2 is a 31-byte condition followed by one byte, the number of the outcome. */
const OUTCOME_BITS = 8n;
/** Between the base hash and the resolution chain of the condition 64 bits are kept zero. */
const RESERVED_SHIFT = 40n;
const RESERVED_MASK = (1n << 64n) - 1n;
const MODULE_SHIFT = 248n;
/** The first byte: 1 binary, 2 negative risk, 3 combinatorial. */
const MODULES = 3n;

/**
 * Whether a token id is laid out like a position id of Protocol V2 (docs/upstream.md). A v1 token, which is a hash, is
 * not, but for one in 2^70; what has the layout may still be a combo's id of a v1 market.
 *
 * @param value a token id
 */
export function hasPositionLayout(value: string): boolean {
  const id = BigInt(value);
  const module = id >> MODULE_SHIFT;
  return module >= 1n && module <= MODULES && ((id >> RESERVED_SHIFT) & RESERVED_MASK) === 0n;
}

/** The condition id, with 64 hex digits, and the outcome that a position id is made of. */
export function decodePosition(value: string): { readonly conditionId: string; readonly outcome: number } {
  const id = BigInt(value);
  const outcome = id % (1n << OUTCOME_BITS);
  return { conditionId: `0x${(id - outcome).toString(16).padStart(64, '0')}`, outcome: Number(outcome) };
}
