import { CONDITION_ID_PATTERN } from '../contract/patterns.ts';

/** Some tools write the whole id in upper case, even `0X`. */
const CONDITION_ID = new RegExp(CONDITION_ID_PATTERN, 'i');

/** `0x` and 32 bytes in hex. */
const PADDED_LENGTH = 66;

export function isConditionId(value: string): boolean {
  return CONDITION_ID.test(value);
}

/**
 * As CLOB and the Data API require it: a zero byte follows a V2 id's 31 bytes. It is the key of a market, equal for
 * both forms.
 */
export function paddedConditionId(id: string): string {
  return id.toLowerCase().padEnd(PADDED_LENGTH, '0');
}
