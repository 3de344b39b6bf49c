import { ApiError } from 'market-data-proxy-client';
import { useEffect, useRef } from 'preact/hooks';
import { client } from './api.ts';
import { patchOf } from './patch.ts';
import type { Row } from './use-lists.ts';
import type { Paged } from './use-pages.ts';

/** The service reads prices once a minute. */
const POLL_MS = 60_000;

/**
 * Applies changes to the rows that are shown. Their order and number stay, so that no row moves under the pointer.
 * Pauses while the page is hidden.
 */
export function useLive(markets: Paged<Row>): void {
  const latest = useRef(markets);
  latest.current = markets;
  useEffect(() => {
    const abort = new AbortController();
    const poll = async () => {
      const { snapshot, state, patch, again } = latest.current;
      if (document.hidden || state !== 'ready' || snapshot === undefined) return;
      try {
        const { data, asOf } = await client.changes(snapshot, { signal: abort.signal });
        if (latest.current.snapshot === snapshot) patch(patchOf(data), asOf, data.to);
      } catch (error) {
        // The snapshot has expired, for example while a laptop was closed. After other errors the next poll tries again.
        if (ApiError.is(error, 'snapshot_gone')) again();
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    const onVisibility = () => void poll();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      abort.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, []);
}
