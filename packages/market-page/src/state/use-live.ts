import { ApiError } from 'market-data-proxy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { patchOf } from './patch.ts';
import { client, report } from './service.ts';
import type { List } from './use-list.ts';
import { useRetry } from './use-read.ts';

/** The service reads prices once a minute. */
const POLL_MS = 60_000;
const UNCHANGED = { snapshot: undefined as string | undefined, added: 0, removed: 0 };

/**
 * Applies changes to the rows that are shown. Their order and number stay, so that no row moves under the pointer.
 * Pauses while the page is hidden. @returns how many markets joined and left the list since it was read
 */
export function useLive(list: List): { readonly added: number; readonly removed: number } {
  const latest = useRef(list);
  latest.current = list;
  const [error, setError] = useState<unknown>();
  const [changed, setChanged] = useState(UNCHANGED);
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
        patch(patchOf(data), asOf, data.to);
        const { category, query, event } = page.of;
        const gone = new Set(data.removed);
        // Only the service knows whether a new market matches a filter.
        const added = category || query || event ? 0 : data.added.length;
        const removed = page.markets.filter(({ id }) => gone.has(id)).length;
        const snapshot = page.listSnapshot;
        setChanged((before) => {
          const since = before.snapshot === snapshot ? before : UNCHANGED;
          return { snapshot, added: since.added + added, removed: since.removed + removed };
        });
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
  return changed.snapshot !== undefined && changed.snapshot === list.page?.listSnapshot ? changed : UNCHANGED;
}
