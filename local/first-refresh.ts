import type { LocalService } from './local-service.ts';
import type { LogEvent, RefreshOutcome } from './service-events.ts';

/** A run may try for minutes to reach an upstream that is not there; nobody wants to watch that at the start. */
const PATIENCE_MS = 15_000;

/** Calls back again and again; the returned function ends it. */
type Repeat = (callback: () => void) => () => void;

const repeatInTime: Repeat = (callback) => {
  const timer = setInterval(callback, PATIENCE_MS);
  return () => clearInterval(timer);
};

/**
 * Ends with the first refresh, or as `silent` when calls to the upstream have failed and nothing has been read for
 * a while: the service can then start without data, and the run goes on.
 */
export async function firstRefresh(
  service: Pick<LocalService, 'firstRefresh' | 'on' | 'off'>,
  repeat = repeatInTime,
): Promise<RefreshOutcome | 'silent' | undefined> {
  let failed = false;
  let progressed = false;
  const watch = ({ refresher, message }: LogEvent): void => {
    if (!refresher) return;
    if (message === 'Upstream call failed') failed = true;
    if (message === 'Refresh progress') progressed = true;
  };
  service.on('log', watch);
  const silence = Promise.withResolvers<'silent'>();
  const end = repeat(() => {
    if (failed && !progressed) silence.resolve('silent');
  });
  try {
    return await Promise.race([service.firstRefresh, silence.promise]);
  } finally {
    end();
    service.off('log', watch);
  }
}
