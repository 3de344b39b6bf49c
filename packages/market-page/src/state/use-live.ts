/** Keeps the rows of the list up to date: which of them are in view, and their newest prices. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from './browser.ts';
import { asRows, type List, type Row } from './list.ts';
import { client, requestsLeft, useReport } from './service.ts';
import { useRetry } from './use-read.ts';
import { FIELDS } from './view.ts';

/** The rows in view are read again once a minute, as often as the service has new prices. */
const POLL_MS = 60_000;
/** A row is old after this time. It is a little less than `POLL_MS`: timers are not exact. */
const STALE_MS = POLL_MS - 2_000;
/** The largest number of rows in one request. */
const MAX_ROWS = 100;
/** The page leaves this many requests of the limit for what the reader opens. */
const MIN_REQUESTS_LEFT = 10;
/** Scrolling has ended after this time. */
const REST_MS = 300;

/**
 * Calls back with the ids of the rows in view, once a minute, after scrolling, and when `key`
 * changes.
 */
export function useRowsInView(key: unknown, callback: (ids: readonly string[]) => void): void {
  const latest = useRef(callback);
  latest.current = callback;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => !document.hidden && latest.current(rowsInView()), REST_MS);
    };
    look();
    const every = setInterval(look, POLL_MS);
    const stopScroll = listen(window, ['scroll', 'resize'], look);
    const stopVisible = listen(document, ['visibilitychange'], look);
    return () => {
      stopScroll();
      stopVisible();
      clearInterval(every);
      clearTimeout(timer);
    };
  }, [key]);
}

/** The ids of the rows in view, at most those of one request. */
function rowsInView(): readonly string[] {
  const rows = [...document.querySelectorAll<HTMLElement>('.markets tr[data-id]')];
  const inView = rows.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > 0 && top <= innerHeight;
  });
  return inView.slice(0, MAX_ROWS).map(({ dataset }) => dataset.id ?? '');
}

/**
 * Reads rows again that are a minute old. Order and number of the rows stay, so that none moves
 * under the pointer.
 *
 * @returns a function to be called with the ids of the rows in view
 */
export function useLiveRows({ content, patch }: List): (ids: readonly string[]) => void {
  const [error, setError] = useState<unknown>();
  const isReading = useRef(false);
  const lastInView = useRef<readonly string[]>([]);
  useReport('updates', error);
  const refresh = async (inView: readonly string[]) => {
    lastInView.current = inView;
    const ids = staleIds(content?.markets ?? [], inView);
    if (ids.length === 0 || isReading.current || requestsLeft() < MIN_REQUESTS_LEFT) return;
    isReading.current = true;
    try {
      const { data, asOf } = await client.markets({ ids, fields: FIELDS, limit: MAX_ROWS });
      const fresh = asRows(data);
      patch((current) => ({ ...current, markets: updated(current.markets, ids, fresh), asOf }));
      setError(undefined);
    } catch (thrown) {
      setError(thrown);
    } finally {
      isReading.current = false;
    }
  };
  useRetry(error, () => void refresh(lastInView.current));
  return (ids) => void refresh(ids);
}

/** The ids of old rows: of a list that fits into one request all, else those in view. */
function staleIds(rows: readonly Row[], inView: readonly string[]): readonly string[] {
  const oldest = Date.now() - STALE_MS;
  const candidates = rows.length <= MAX_ROWS ? rows : rows.filter(({ id }) => inView.includes(id));
  return candidates.filter(({ readAt }) => readAt <= oldest).map(({ id }) => id);
}

/** The rows with the fresh ones in their places. A requested row without a fresh one is `gone`. */
function updated(
  rows: readonly Row[],
  requestedIds: readonly string[],
  fresh: readonly Row[],
): readonly Row[] {
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const readAt = Date.now();
  return rows.map((row) => {
    if (!requestedIds.includes(row.id)) return row;
    return freshById.get(row.id) ?? { ...row, gone: true, readAt };
  });
}
