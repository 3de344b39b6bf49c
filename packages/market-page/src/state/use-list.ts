/** Reads the rows of the page's list, and remembers the last lists for the way back. */
import { ApiError } from 'market-data-proxy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type List, type ListContent, readList } from './list.ts';
import { isTemporary } from './notice.ts';
import { useReport } from './service.ts';
import { useRetry } from './use-read.ts';
import { listKey, type View } from './view.ts';

/**
 * Reads the list of a view, and more of it when `more` is called. While the page reads a new list,
 * the rows of the list before stay.
 *
 * @param isBack whether the reader came with the back button: the list's earlier rows are shown
 * again
 */
export function useList(view: View, isBack: boolean): List {
  const key = listKey(view);
  const { content, show } = useContent(key, isBack);
  const [state, setState] = useState<List['state']>('loading');
  const [error, setError] = useState<unknown>();
  /** The running request; undefined while there is none. */
  const running = useRef<AbortController>(undefined);

  /**
   * Reads rows of the list, and shows them.
   *
   * @param before reads the rows after these; undefined: reads from the start
   * @param isRetry whether it repeats a failed request
   */
  const read = async (before?: ListContent, isRetry = false): Promise<void> => {
    // The next rows are being read already.
    if (before && running.current) return;
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    // An error stays until a success, so that nothing flickers.
    if (!before && !isRetry) setState('loading');
    try {
      const next = await readList(before?.view ?? view, before, abort.signal);
      if (abort.signal.aborted) return;
      show(next);
      setState('ready');
      setError(undefined);
    } catch (thrown) {
      if (abort.signal.aborted) return;
      // The snapshot of a list that has been open for an hour has expired.
      if (before && ApiError.is(thrown, 'snapshot_gone')) return read();
      // After a temporary error the page repeats the request, and other rows that are shown wait
      // for it.
      const isWaiting = isTemporary(thrown) && !before && content.current !== undefined;
      setState(isWaiting ? 'loading' : 'failed');
      setError(thrown);
    } finally {
      if (running.current === abort) running.current = undefined;
    }
  };

  const shown = content.current;
  /**
   * The shown rows if they are of this list; undefined while those of the list before are shown.
   */
  const own = shown && listKey(shown.view) === key ? shown : undefined;
  useEffect(() => {
    // One list's error says nothing about another.
    setError(undefined);
    if (isBack && own) setState('ready');
    else void read();
    return () => running.current?.abort();
  }, [key]);
  useReport('list', error);
  useRetry(error, () => void read(own, true));

  // The functions are always the same values, so that the table renders again only for new rows.
  const latest = useRef(read);
  latest.current = read;
  const [{ more, ...others }] = useState(() => ({
    more: () => void latest.current(content.current),
    again: () => void latest.current(),
    patch: (update: (content: ListContent) => ListContent) => {
      if (content.current) show(update(content.current));
    },
  }));
  const hasMore = own && state === 'ready' && own.offset < own.total;
  return { ...others, content: shown, state, more: hasMore ? more : undefined };
}

/** The rows that the page shows: those of this list, or of the list before until they arrive. */
function useContent(key: string, isBack: boolean) {
  const content = useRef<ListContent>(undefined);
  const lastKey = useRef<string>(undefined);
  const [, render] = useState(0);
  const isNewKey = lastKey.current !== key;
  lastKey.current = key;
  // Set during the render: the earlier rows must exist before the page scrolls to the reader's
  // place.
  if (isNewKey && isBack && recentLists.has(key)) content.current = recentLists.get(key);
  /** Replaces the rows. */
  const show = (next: ListContent) => {
    content.current = next;
    remember(next);
    render((count) => count + 1);
  };
  return { content, show };
}

/** The page remembers this many lists, for the way back. */
const MAX_LISTS = 12;
/** The lists that were shown last, by `listKey`. */
const recentLists = new Map<string, ListContent>();

function remember(content: ListContent): void {
  const key = listKey(content.view);
  recentLists.delete(key);
  recentLists.set(key, content);
  const [oldest] = recentLists.keys();
  if (recentLists.size > MAX_LISTS && oldest !== undefined) recentLists.delete(oldest);
}
