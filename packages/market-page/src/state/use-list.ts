import { ApiError } from 'market-data-proxy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { listKey, type Page, readPage } from './list.ts';
import { report } from './service.ts';
import type { Shown } from './shown.ts';
import { useRetry } from './use-read.ts';

/** A list as far as it has been read. */
export interface List {
  /** The rows and everything that describes them; undefined before the first response. */
  readonly page: Page | undefined;
  readonly state: 'loading' | 'ready' | 'failed';
  /** Reads the next page; undefined after the last one. */
  readonly more: (() => void) | undefined;
  /** Reads the list from the start. */
  readonly again: () => void;
  /** Changes what is shown. */
  readonly patch: (change: (page: Page) => Page) => void;
}

interface Loaded {
  readonly page: Page | undefined;
  readonly state: List['state'];
  readonly error: unknown;
}

/** Reads the list of `shown` page by page. The rows of another list stay until the first page arrives. */
export function useList(shown: Shown): List {
  const key = listKey(shown);
  const [loaded, setLoaded] = useState<Loaded>({ page: undefined, state: 'loading', error: undefined });
  const { page, state, error } = loaded;
  const [attempt, setAttempt] = useState(0);
  const reading = useRef<AbortController>(undefined);
  const latest = useRef(loaded);
  latest.current = loaded;
  const again = () => setAttempt((count) => count + 1);

  /** @param before the pages so far; undefined: reads from the start */
  const read = async (before: Page | undefined) => {
    if (before && reading.current) return;
    reading.current?.abort();
    const abort = new AbortController();
    reading.current = abort;
    if (!before) setLoaded((now) => ({ ...now, state: 'loading' }));
    try {
      const next = await readPage(before?.of ?? shown, before, abort.signal);
      if (!abort.signal.aborted) setLoaded({ page: next, state: 'ready', error: undefined });
    } catch (thrown) {
      if (abort.signal.aborted) return;
      // The snapshot of a list that has been open for an hour has expired.
      if (ApiError.is(thrown, 'snapshot_gone')) again();
      else setLoaded((now) => ({ ...now, state: 'failed', error: thrown }));
    } finally {
      if (reading.current === abort) reading.current = undefined;
    }
  };
  useEffect(() => {
    void read(undefined);
    return () => reading.current?.abort();
  }, [key, attempt]);
  // The error of one list says nothing about another one.
  useEffect(() => setLoaded((now) => ({ ...now, error: undefined })), [key]);
  const belongs = page !== undefined && listKey(page.of) === key;
  useEffect(() => report('list', error), [error]);
  useRetry(error, () => void read(belongs ? latest.current.page : undefined));
  const hasMore = belongs && state === 'ready' && page.offset < page.total;
  return {
    page,
    state,
    more: hasMore ? () => void read(latest.current.page) : undefined,
    again,
    patch: (change) => setLoaded((now) => ({ ...now, page: now.page && change(now.page) })),
  };
}
