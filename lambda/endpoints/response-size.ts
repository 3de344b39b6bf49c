import { MAX_RESPONSE_BYTES } from '../contract/constants.ts';

/** UTF-8 takes at most three bytes for a UTF-16 unit; a quote or backslash takes two once escaped. */
const MOST_BYTES_PER_CHARACTER = 3;

/** Whether Lambda hands on a response with this body: what is longer would end as an error of ours without a reason. */
export function fitsResponse(body: string): boolean {
  if (body.length * MOST_BYTES_PER_CHARACTER <= MAX_RESPONSE_BYTES) return true;
  return Buffer.byteLength(JSON.stringify(body)) <= MAX_RESPONSE_BYTES;
}
