/** Reads from the upstream (an API of Polymarket) that a request waits for. */
import { ServiceError } from '../../core/domain/service-error.ts';
import { SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

/** The time that a read may take, with retries. Callers get their response within 5 s. */
export const LIVE_DEADLINE_MS = 4_000;

/**
 * Reads from upstream while a caller waits, for example
 * `live('order book', (deadline) => books.book(token, deadline))`.
 *
 * @param what the name of the data, for the error message
 * @throws ServiceError for every UpstreamError: `upstream_busy` (503) if our own limits refuse the
 * call, else `upstream_unavailable` (502)
 */
export type LiveRead = <T>(what: string, read: (deadline: UnixMs) => Promise<T>) => Promise<T>;

/**
 * Makes a `LiveRead`. It gives each read `LIVE_DEADLINE_MS`, and turns errors of upstream into those
 * for callers.
 */
export function liveRead(clock: Clock): LiveRead {
  return async (what, read) => {
    try {
      return await read(clock.now() + LIVE_DEADLINE_MS);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw error.isRateLimited ? limitError(error) : failureError(what, error);
    }
  };
}

/** The `Retry-After` of a limit that names no time: upstream's limits count the last 10 s. */
const LIMIT_RETRY_MS = 10_000;
/** The service never tells a caller to wait longer, even if upstream asks for more. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** The error for callers if a limit of the upstream, or our own one, prevents calls for now. */
function limitError(cause: UpstreamError): ServiceError {
  const seconds = Math.ceil((cause.retryAfterMs ?? LIMIT_RETRY_MS) / SECOND_MS);
  const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_AFTER_SECONDS);
  const advice = `Try again in ${retryAfterSeconds} seconds.`;
  if (cause.failure === 'rate_limited') {
    const message = `This service makes no more calls to the upstream at the moment. ${advice}`;
    return new ServiceError('upstream_busy', message, { cause, retryAfterSeconds });
  }
  const message = `The upstream accepts no more requests at the moment. ${advice}`;
  return new ServiceError('upstream_unavailable', message, { cause, retryAfterSeconds });
}

/** The `Retry-After` of other failures. Each request makes new calls, so the next can succeed. */
const FAILURE_RETRY_SECONDS = 5;

/** The error for callers if the upstream did not return the data. */
function failureError(what: string, cause: UpstreamError): ServiceError {
  const problem =
    cause.failure === 'timeout'
      ? `did not return the ${what} in time`
      : `returned no usable ${what}`;
  const message = `The upstream ${problem}. Try again in ${FAILURE_RETRY_SECONDS} seconds.`;
  const retryAfterSeconds = FAILURE_RETRY_SECONDS;
  return new ServiceError('upstream_unavailable', message, { cause, retryAfterSeconds });
}
