import { CONDITION_ID_PATTERN } from '../contract/patterns.ts';

/** Some tools write the whole id in upper case, `0X` included. */
const CONDITION_ID = new RegExp(CONDITION_ID_PATTERN, 'i');

/** 32 bytes in hex, and `0x`. */
const PADDED_LENGTH = 66;

export function isConditionId(value: string): boolean {
  return CONDITION_ID.test(value);
}

/**
 * The form that CLOB and the Data API require: a zero byte follows the 31 bytes of a V2 id. Both forms of an id have
 * the same padded form, so it is the key of a market.
 */
export function paddedConditionId(id: string): string {
  return id.toLowerCase().padEnd(PADDED_LENGTH, '0');
}
