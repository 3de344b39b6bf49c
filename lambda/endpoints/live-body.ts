import { ServiceError } from '../domain/service-error.ts';
import { fitsResponse } from './response-size.ts';

/**
 * The body of a live response, if Lambda can hand it on: what is longer would end as an error of ours although it is
 * the upstream that sent nonsense.
 *
 * @param what the response is, for the error
 * @throws ServiceError `upstream_unavailable`
 */
export function liveBody(what: string, body: string): string {
  if (!fitsResponse(body)) {
    throw new ServiceError('upstream_unavailable', `The upstream's ${what} is too large to be passed on.`, {
      cause: new Error(`${body.length} characters of ${what}`),
    });
  }
  return body;
}
