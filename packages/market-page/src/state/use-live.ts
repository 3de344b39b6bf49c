import { ApiError } from 'market-data-proxy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { patchOf } from './patch.ts';
import { client, report } from './service.ts';
import type { List } from './use-list.ts';
import { useRetry } from './use-read.ts';

/** The service reads prices once a minute. */
const POLL_MS = 60_000;

/**
 * Applies changes to the rows that are shown. Their order and number stay, so that no row moves under the pointer.
 * Pauses while the page is hidden.
 */
export function useLive(list: List): void {
  const latest = useRef(list);
  latest.current = list;
  const [error, setError] = useState<unknown>();
  const poll = useRef<() => Promise<void>>(() => Promise.resolve());
  useEffect(() => {
    const abort = new AbortController();
    poll.current = async () => {
      const { page, state, patch, again } = latest.current;
      if (document.hidden || state !== 'ready' || !page?.snapshot || page.markets.length === 0) return;
      try {
        const { data, asOf } = await client.changes(page.snapshot, { signal: abort.signal });
        setError(undefined);
        if (latest.current.page?.snapshot !== page.snapshot) return;
        const { category, query, event } = page.of;
        const gone = new Set(data.removed);
        // Only the service knows whether a new market matches a filter.
        const added = category || query || event ? 0 : data.added.length;
        const removed = page.markets.filter(({ id }) => gone.has(id)).length;
        patch(({ markets, changed, ...others }) => ({
          ...others,
          markets: markets.map(patchOf(data)),
          changed: { added: changed.added + added, removed: changed.removed + removed },
          snapshot: data.to,
          asOf,
        }));
      } catch (thrown) {
        if (abort.signal.aborted) return;
        // The snapshot has expired, for example while a laptop was closed.
        if (ApiError.is(thrown, 'snapshot_gone')) again();
        else setError(thrown);
      }
    };
    const visit = () => void poll.current();
    const timer = setInterval(visit, POLL_MS);
    document.addEventListener('visibilitychange', visit);
    return () => {
      abort.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', visit);
    };
  }, []);
  useEffect(() => report('updates', error), [error]);
  useRetry(error, () => void poll.current());
}
