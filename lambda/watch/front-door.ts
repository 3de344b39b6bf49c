import { ROUTES } from '../contract/routes.ts';
import { callOnce } from '../http-client/attempt.ts';
import type { Fetch } from '../http-client/fetch.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

export interface FrontDoorWatchOptions {
  /** Where callers begin, without a slash at the end. */
  readonly url: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly logger: Pick<Log, 'error'>;
}

/** A caller who waits longer has gone. */
const TIMEOUT_MS = 10_000;
/** The status has less than 2 KB. */
const MAX_BYTES = 65_536;

/**
 * Asks for the status as any caller does, through CloudFront, its web ACL, the public key and API Gateway: the way that
 * no alarm inside sees. Whether the data is fresh is the business of other alarms: any status of ours will do.
 *
 * @returns a function that throws UpstreamError when anything else comes, or nothing in time: Lambda counts it
 */
export function watchFrontDoor({ url, fetch, clock, logger }: FrontDoorWatchOptions): () => Promise<void> {
  const request = { route: 'get-status', url: `${url}${ROUTES['get-status'].path}`, maxBytes: MAX_BYTES };
  return async () => {
    try {
      const { body } = await callOnce(fetch, clock, request, TIMEOUT_MS);
      if (!isStatus(body)) {
        const excerpt = JSON.stringify(body).slice(0, 200);
        throw new UpstreamError({ route: request.route, failure: 'wrong_shape', status: 200, excerpt });
      }
    } catch (error) {
      if (error instanceof UpstreamError) {
        const { failure, status, reason, excerpt } = error;
        logger.error('The front door does not respond as it should', { failure, status, reason, excerpt });
      }
      throw error;
    }
  };
}

function isStatus(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'string';
}
