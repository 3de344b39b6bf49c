import type { UpstreamName } from '../contract/upstreams.ts';
import type { Log } from '../platform/log.ts';
import { currentRequestId } from '../platform/request-context.ts';
import { CallCounter } from './call-counter.ts';

/** Counts the calls of an upstream and logs each that fails, with the request that it was made for. */
export function loggedCallCounter(upstream: UpstreamName, logger: Pick<Log, 'warn'>): CallCounter {
  return new CallCounter(({ route, failure, status, excerpt, reason }) =>
    logger.warn('Upstream call failed', {
      upstream,
      route,
      failure,
      status,
      excerpt,
      reason,
      requestId: currentRequestId(),
    }),
  );
}
