import { ApiError, type Result } from 'market-data-proxy-client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** How often a list that could not be read is tried again while the page is seen. */
export const RETRY_MS = 15_000;
const SERVER_FAULTS_FROM = 500;

/** Whether an error may pass by itself: no response at all, or a fault of the service or its upstream. */
export function mayPass(error: unknown): boolean {
  return !ApiError.is(error) || error.status >= SERVER_FAULTS_FROM;
}

/** A list as far as it has been read. */
export interface Paged<T> {
  readonly rows: readonly T[];
  readonly total: number | undefined;
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly asOf: Date | undefined;
  readonly snapshot: string | undefined;
  /** The call that its first page came from. */
  readonly url: string | undefined;
  /** Reads the next page; undefined at the end. */
  readonly more: (() => void) | undefined;
  /** Reads it anew. */
  readonly again: () => void;
  /** Replaces what is known of the rows that are shown. */
  readonly patch: (change: (row: T) => T, asOf: Date | undefined, snapshot: string) => void;
}

export interface PagesSource<T> {
  /** Says what is read: another key is another list. Undefined: nothing is. */
  readonly key: string | undefined;
  readonly read: (signal: AbortSignal) => AsyncGenerator<Result<readonly T[]>>;
  readonly idOf: (row: T) => string;
}

type Loaded<T> = Omit<Paged<T>, 'more' | 'again' | 'patch'>;

/** Reads a list page by page as the reader goes down. What was shown stays until the first page of another list is there. */
export function usePages<T>({ key, read, idOf }: PagesSource<T>): Paged<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const [ended, setEnded] = useState(true);
  const pages = useRef<AsyncGenerator<Result<readonly T[]>>>(undefined);
  const busy = useRef(false);

  const next = useCallback(async (fresh: boolean) => {
    const source = pages.current;
    if (!source || busy.current) return;
    busy.current = true;
    try {
      const { value, done } = await source.next();
      if (source !== pages.current) return;
      setEnded(done === true || !value.links.next);
      if (done) return;
      setLoaded((before) => ({
        rows: fresh ? value.data : unique([...before.rows, ...value.data], idOf),
        total: value.total ?? value.data.length,
        state: 'ready',
        error: undefined,
        asOf: value.asOf,
        snapshot: value.snapshot ?? before.snapshot,
        url: fresh ? value.response.url : before.url,
      }));
    } catch (error) {
      if (source === pages.current) setLoaded((before) => ({ ...before, state: 'failed', error }));
    } finally {
      if (source === pages.current) busy.current = false;
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

  const { state, error } = loaded;
  useEffect(() => {
    if (state !== 'failed' || !mayPass(error)) return;
    const again = () => {
      if (!document.hidden && navigator.onLine) setAttempt((count) => count + 1);
    };
    const timer = setInterval(again, RETRY_MS);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [state, error]);

  return {
    ...loaded,
    more: ended || loaded.state !== 'ready' ? undefined : () => void next(false),
    again: () => setAttempt((count) => count + 1),
    patch: (change, asOf, snapshot) =>
      setLoaded((before) => ({ ...before, rows: before.rows.map(change), asOf, snapshot })),
  };
}

const NOTHING = {
  rows: [],
  total: undefined,
  state: 'loading',
  error: undefined,
  asOf: undefined,
  snapshot: undefined,
  url: undefined,
} as const;

/** A walk that began again after an hour repeats what is shown already. */
function unique<T>(rows: readonly T[], idOf: (row: T) => string): T[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()];
}
