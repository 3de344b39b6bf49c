import { CONDITION_ID_PATTERN } from '../contract/patterns.ts';

const CONDITION_ID = new RegExp(CONDITION_ID_PATTERN);

/** Digits of the form that takes 32 bytes, `0x` included. */
const PADDED_LENGTH = 66;

export function isConditionId(value: string): boolean {
  return CONDITION_ID.test(value);
}

/**
 * The form with 64 hex digits, which CLOB and the Data API ask for: the 31 bytes of a V2 id are followed by a zero
 * byte. In lower case, so that it is also the one key of a market that is written in either form.
 *
 * @param id a condition id
 */
export function paddedConditionId(id: string): string {
  return id.toLowerCase().padEnd(PADDED_LENGTH, '0');
}
