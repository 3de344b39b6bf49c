import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from './browser.ts';
import { asRows, type List, type Row } from './list.ts';
import { client, report, requestsLeft } from './service.ts';
import { useRetry } from './use-read.ts';
import { FIELDS } from './view.ts';

/** The rows in view are read again once a minute, as often as the service has new prices. */
const POLL_MS = 60_000;
/** A row is old after this time. It is a little less than `POLL_MS`: timers are not exact. */
const STALE_MS = POLL_MS - 2_000;
/** The rows of one request. */
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

function rowsInView(): readonly string[] {
  const rows = [...document.querySelectorAll<HTMLElement>('.markets tr[data-id]')];
  const inView = rows.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > 0 && top <= innerHeight;
  });
  return inView.slice(0, MAX_ROWS).map(({ dataset }) => dataset.id ?? '');
}

/**
 * Reads rows in view again that are a minute old. No row moves under the pointer: order and number
 * stay.
 *
 * @returns called with the ids of the rows in view
 */
export function useLiveRows({ content, patch }: List): (ids: readonly string[]) => void {
  const [error, setError] = useState<unknown>();
  const reading = useRef(false);
  const seen = useRef<readonly string[]>([]);
  useEffect(() => report('updates', error), [error]);
  useEffect(() => () => report('updates', undefined), []);
  const refresh = async (inView: readonly string[]) => {
    seen.current = inView;
    const oldest = Date.now() - STALE_MS;
    const rows = content?.markets ?? [];
    const isShort = rows.length <= MAX_ROWS;
    const stale = rows.filter(
      ({ id, readAt }) => readAt <= oldest && (isShort || inView.includes(id)),
    );
    if (stale.length === 0 || reading.current || requestsLeft() < MIN_REQUESTS_LEFT) return;
    reading.current = true;
    try {
      const ids = stale.map(({ id }) => id);
      const { data, asOf } = await client.markets({ ids, fields: FIELDS, limit: MAX_ROWS });
      const fresh = new Map(asRows(data).map((row) => [row.id, row]));
      const readAt = Date.now();
      const updated = (row: Row) =>
        fresh.get(row.id) ?? (ids.includes(row.id) ? { ...row, gone: true, readAt } : row);
      patch((current) => ({ ...current, markets: current.markets.map(updated), asOf }));
      setError(undefined);
    } catch (thrown) {
      setError(thrown);
    } finally {
      reading.current = false;
    }
  };
  useRetry(error, () => void refresh(seen.current));
  return (ids) => void refresh(ids);
}
