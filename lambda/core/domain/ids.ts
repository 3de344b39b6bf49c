/**
 * The forms of ids. A condition id (`0x…`, in hex) names a market, an outcome token (a long decimal
 * number) names a side of a market, a snapshot id names a published list. Polymarket's Protocol V2
 * has other condition ids and tokens than v1.
 */
import {
  CONDITION_ID_PATTERN,
  MAX_TOKEN_DIGITS,
  MAX_TOKEN_ID,
  SNAPSHOT_ID_PATTERN,
} from '../contract/patterns.ts';

/** The pattern without regard to case: some tools write the whole id in upper case, even `0X`. */
const CONDITION_ID = new RegExp(CONDITION_ID_PATTERN, 'i');

/** `0x` and 32 bytes in hex. */
const PADDED_LENGTH = 2 + 32 * 2;

/** Whether a text is a condition id: 31 bytes (Protocol V2) or 32 bytes in hex, after `0x`. */
export function isConditionId(value: string): boolean {
  return CONDITION_ID.test(value);
}

/**
 * The form of a condition id that CLOB and the Data API require: the 31 bytes of a V2 id get a
 * trailing zero byte. Maps of markets use it as the key, because it is equal for both forms.
 */
export function paddedConditionId(id: string): string {
  return id.toLowerCase().padEnd(PADDED_LENGTH, '0');
}

/**
 * Whether a text is an outcome token: an unsigned 256-bit decimal number, as in the schema
 * `TokenId`.
 */
export function isTokenId(value: string): boolean {
  return value.length <= MAX_TOKEN_DIGITS && /^\d+$/.test(value) && BigInt(value) <= MAX_TOKEN_ID;
}

/** The token without leading zeros, so that all spellings share a key. */
export function canonicalTokenId(value: string): string {
  return value.replace(/^0+(?=\d)/, '');
}

/**
 * One spelling for a condition id, token or slug that a caller sent in any form, so that all forms
 * share one lookup. A slug stays as it is.
 */
export function canonicalName(name: string): string {
  if (isConditionId(name)) return paddedConditionId(name);
  return isTokenId(name) ? canonicalTokenId(name) : name;
}

/**
 * A position id is a token of Protocol V2 (docs/upstream.md). Of its 256 bits, the lowest 40 are
 * free, and the 64 above them are reserved and zero.
 */
const RESERVED_SHIFT = 40n;
const RESERVED_MASK = (1n << 64n) - 1n;
/** The highest 8 bits are the module: 1 binary, 2 negative risk, 3 combinatorial. */
const MODULE_SHIFT = 248n;
const MAX_MODULE = 3n;

/**
 * Whether a token has the layout of a position id. One in 2^70 v1 tokens has it by chance, and v1
 * markets can have such an id besides their tokens.
 */
export function hasPositionLayout(value: string): boolean {
  const id = BigInt(value);
  const module = id >> MODULE_SHIFT;
  const reserved = (id >> RESERVED_SHIFT) & RESERVED_MASK;
  return module >= 1n && module <= MAX_MODULE && reserved === 0n;
}

const SNAPSHOT_ID = new RegExp(SNAPSHOT_ID_PATTERN);

/** Whether a text has the form of a snapshot id. */
export function isSnapshotId(value: string): boolean {
  return SNAPSHOT_ID.test(value);
}
