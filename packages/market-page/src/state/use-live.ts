import { ApiError, type Changes } from 'market-data-proxy-client';
import { useEffect, useRef } from 'preact/hooks';
import { client } from './api.ts';
import type { Row, Rows } from './use-rows.ts';

/** Prices are read once a minute, so asking more often brings nothing. */
const POLL_MS = 60_000;

/**
 * Keeps the rows that are shown current by what has changed since they were read. Order and length stay as they are
 * until the reader asks for a new list: nothing jumps under the finger. Pauses while the page is hidden.
 */
export function useLive(rows: Rows): void {
  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => {
    const abort = new AbortController();
    const poll = async () => {
      const { snapshot, state, patch, again } = latest.current;
      if (document.hidden || state !== 'ready' || snapshot === undefined) return;
      try {
        const { data, asOf } = await client.changes(snapshot, { signal: abort.signal });
        if (latest.current.snapshot === snapshot) patch(patchOf(data), asOf, data.to);
      } catch (error) {
        // Too old to be told apart, as after a night with the lid closed: read the list anew. Else the next poll tries.
        if (ApiError.is(error, 'snapshot_gone')) again();
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    const visible = () => void poll();
    document.addEventListener('visibilitychange', visible);
    return () => {
      abort.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', visible);
    };
  }, []);
}

function patchOf(changes: Changes): (row: Row) => Row {
  const changed = new Map(changes.changed.map((change) => [change.id, change]));
  return (row) => {
    const change = changed.get(row.id);
    if (!change) return row;
    const known = Object.entries(change).filter(
      ([name, value]) => value !== null || name === 'oneDayPriceChange',
    );
    return { ...row, ...Object.fromEntries(known) } as Row;
  };
}
