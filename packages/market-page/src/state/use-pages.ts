import { ApiError, type Result } from 'market-data-proxy-client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** Pause before a list that could not be read is read again, while the page is visible. */
export const RETRY_MS = 15_000;
/** The same while the service has no data yet: it publishes its first data within a minute or two. */
export const EMPTY_RETRY_MS = 5_000;
const SERVER_ERRORS_FROM = 500;

/** Whether the service has published no data yet. */
export function isEmpty(error: unknown): boolean {
  return ApiError.is(error, 'snapshot_missing');
}

/** Whether a later attempt can succeed: after a network error, or an error of the service or the upstream. */
export function isTemporary(error: unknown): boolean {
  return !ApiError.is(error) || error.status >= SERVER_ERRORS_FROM;
}

/** A list as far as it has been read. */
export interface Paged<T> {
  readonly rows: readonly T[];
  readonly total: number | undefined;
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly asOf: Date | undefined;
  readonly snapshot: string | undefined;
  /** The request of the first page. */
  readonly url: string | undefined;
  /** Reads the next page; undefined after the last one. */
  readonly more: (() => void) | undefined;
  /** Reads the list from the start. */
  readonly again: () => void;
  /** Changes the rows that are shown. */
  readonly patch: (change: (row: T) => T, asOf: Date | undefined, snapshot: string) => void;
}

export interface PagesSource<T> {
  /** Identifies the list: the hook reads again when it changes. Undefined: the hook reads nothing. */
  readonly key: string | undefined;
  readonly read: (signal: AbortSignal) => AsyncGenerator<Result<readonly T[]>>;
  readonly idOf: (row: T) => string;
}

type Loaded<T> = Omit<Paged<T>, 'more' | 'again' | 'patch'>;

const NOTHING = {
  rows: [],
  total: undefined,
  state: 'loading',
  error: undefined,
  asOf: undefined,
  snapshot: undefined,
  url: undefined,
} as const;

/** Reads a list page by page. The rows stay visible until the first page of another list arrives. */
export function usePages<T>(source: PagesSource<T>): Paged<T> {
  const { key, read, idOf } = source;
  const [loaded, setLoaded] = useState<Loaded<T>>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const pages = useRef<AsyncGenerator<Result<readonly T[]>>>(undefined);
  const busy = useRef(false);
  const again = () => setAttempt((count) => count + 1);

  const next = useCallback(async (fresh: boolean) => {
    const current = pages.current;
    if (!current || busy.current) return;
    busy.current = true;
    try {
      const { value, done } = await current.next();
      if (current !== pages.current) return;
      setLoaded((before) => (done ? { ...before, total: before.rows.length } : withPage(before, value, fresh, idOf)));
    } catch (error) {
      if (current === pages.current) setLoaded((before) => ({ ...before, state: 'failed', error }));
    } finally {
      if (current === pages.current) busy.current = false;
    }
  }, []);

  useEffect(() => {
    if (key === undefined) return;
    const abort = new AbortController();
    pages.current = read(abort.signal);
    busy.current = false;
    setLoaded((before) => ({ ...before, state: 'loading', error: undefined }));
    void next(true);
    return () => {
      abort.abort();
      pages.current = undefined;
    };
  }, [key, attempt]);

  useRetry(loaded, again);
  const hasMore = loaded.state === 'ready' && loaded.rows.length < (loaded.total ?? 0);
  return {
    ...loaded,
    more: hasMore ? () => void next(false) : undefined,
    again,
    patch: (change, asOf, snapshot) =>
      setLoaded((before) => ({ ...before, rows: before.rows.map(change), asOf, snapshot })),
  };
}

/** Calls `again` at intervals after a temporary error, and when the browser is online again. */
function useRetry({ state, error }: Loaded<unknown>, again: () => void): void {
  useEffect(() => {
    if (state !== 'failed' || !isTemporary(error)) return;
    const retry = () => {
      if (!document.hidden && navigator.onLine) again();
    };
    const timer = setInterval(retry, isEmpty(error) ? EMPTY_RETRY_MS : RETRY_MS);
    addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      removeEventListener('online', retry);
    };
  }, [state, error]);
}

function withPage<T>(
  before: Loaded<T>,
  page: Result<readonly T[]>,
  fresh: boolean,
  idOf: (row: T) => string,
): Loaded<T> {
  // Paging that restarted after an hour repeats rows.
  const rows = fresh ? page.data : [...before.rows, ...page.data];
  return {
    rows: [...new Map(rows.map((row) => [idOf(row), row])).values()],
    total: page.total ?? page.data.length,
    state: 'ready',
    error: undefined,
    asOf: page.asOf,
    snapshot: page.snapshot ?? before.snapshot,
    url: fresh ? page.response.url : before.url,
  };
}
