import { LIVE_DEADLINE_MS } from '../contract/constants.ts';
import { ServiceError } from '../domain/service-error.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { Clock } from '../platform/clock.ts';

/** How often a call is tried while a caller waits: once more, and only when a stale socket was to blame. */
export const LIVE_CALL = { retries: 1, onlyStaleSockets: true } as const;

/** Reads something from the upstream for a caller who is waiting. `what` names it in the error. */
export type LiveRead = <T>(what: string, read: (deadline: number) => Promise<T>) => Promise<T>;

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
  const happened =
    cause.failure === 'timeout'
      ? `The upstream did not answer with the ${what} in time`
      : `The upstream gave no usable ${what}`;
  return new ServiceError('upstream_unavailable', `${happened}; try again in a few seconds.`, { cause });
}
