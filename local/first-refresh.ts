import type { LocalService } from './local-service.ts';
import type { LogEvent, RefreshOutcome } from './service-events.ts';

/** A run may try for minutes to reach an upstream that is not there; nobody wants to watch that at the start. */
const PATIENCE_MS = 15_000;

/**
 * Ends with the first refresh, or as `silent` when calls to the upstream have failed and nothing has been read for
 * a while: the service can then start without data, and the run goes on.
 */
export async function firstRefresh(
  service: Pick<LocalService, 'firstRefresh' | 'on' | 'off'>,
  patienceMs = PATIENCE_MS,
): Promise<RefreshOutcome | 'silent' | undefined> {
  let failed = false;
  let progressed = false;
  const watch = ({ refresher, message }: LogEvent): void => {
    if (!refresher) return;
    if (message === 'Upstream call failed') failed = true;
    if (message === 'Refresh progress') progressed = true;
  };
  service.on('log', watch);
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silent'>((resolve) => {
    timer = setInterval(() => {
      if (failed && !progressed) resolve('silent');
    }, patienceMs);
  });
  try {
    return await Promise.race([service.firstRefresh, silence]);
  } finally {
    clearInterval(timer);
    service.off('log', watch);
  }
}
