import { MAX_RESPONSE_BYTES } from '../contract/constants.ts';
import { ServiceError } from '../domain/service-error.ts';

/** UTF-8 takes at most three bytes for a UTF-16 unit; a quote or backslash takes two once escaped. */
const MOST_BYTES_PER_CHARACTER = 3;

/**
 * The body of a live response, if Lambda can hand it on: what is longer would end as an error of ours although it is
 * the upstream that sent nonsense.
 *
 * @param what the response is, for the error
 * @throws ServiceError `upstream_unavailable`
 */
export function liveBody(what: string, body: string): string {
  const mayBeTooLong = body.length * MOST_BYTES_PER_CHARACTER > MAX_RESPONSE_BYTES;
  if (mayBeTooLong && Buffer.byteLength(JSON.stringify(body)) > MAX_RESPONSE_BYTES) {
    throw new ServiceError('upstream_unavailable', `The upstream's ${what} is too large to be passed on.`, {
      cause: new Error(`${body.length} characters of ${what}`),
    });
  }
  return body;
}
