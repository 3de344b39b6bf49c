import { LIVE_DEADLINE_MS } from '../contract/constants.ts';
import { MAX_LIVE_BYTES } from '../contract/upstreams.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { LiveRead } from '../endpoints/ports.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { Clock } from '../platform/clock.ts';

/** Half of what a caller is given: upstream takes a tenth of it, and a connection that leads nowhere all of it. */
const FIRST_ATTEMPT_MS = LIVE_DEADLINE_MS / 2;

/** How a call is made while a caller waits: tried once more, and only when its connection was probably to blame. */
export const LIVE_CALL = {
  retries: 1,
  live: true,
  firstAttemptMs: FIRST_ATTEMPT_MS,
  maxBytes: MAX_LIVE_BYTES,
} as const;

/** What a caller is asked to wait when upstream's limit is reached and nobody says for how long, s: its own window. */
const UPSTREAM_LIMIT_SECONDS = 10;
/** However long upstream asks to wait: by then something else may be true. */
const LONGEST_WAIT_SECONDS = 60;

/**
 * The deadline counts from here, which is the arrival of the request but for what parses it.
 *
 * @param settled called after each read, well or ill
 * @returns a function that throws ServiceError `upstream_unavailable` (502) for whatever the upstream did
 */
export function liveRead(clock: Clock, settled: () => void): LiveRead {
  return async (what, read) => {
    try {
      return await read(clock.now() + LIVE_DEADLINE_MS);
    } catch (error) {
      throw error instanceof UpstreamError ? unavailable(what, error) : error;
    } finally {
      settled();
    }
  };
}

function unavailable(what: string, cause: UpstreamError): ServiceError {
  if (cause.limited) {
    const seconds = waitSeconds(cause);
    return new ServiceError(
      'upstream_unavailable',
      `The upstream takes no more requests for a moment; try again in ${seconds} seconds.`,
      { cause, retryAfterSeconds: seconds },
    );
  }
  const happened =
    cause.failure === 'timeout'
      ? `The upstream did not respond with the ${what} in time`
      : `The upstream gave no usable ${what}`;
  return new ServiceError('upstream_unavailable', `${happened}; try again in a few seconds.`, { cause });
}

function waitSeconds({ retryAfterMs }: UpstreamError): number {
  const asked = retryAfterMs === undefined ? UPSTREAM_LIMIT_SECONDS : Math.ceil(retryAfterMs / 1_000);
  return Math.min(Math.max(1, asked), LONGEST_WAIT_SECONDS);
}
