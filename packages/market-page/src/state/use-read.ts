import { useEffect, useState } from 'preact/hooks';

export interface Read<T> {
  readonly value: T | undefined;
  readonly error: unknown;
}

/**
 * Reads something when `key` changes, and again every `everyMs` while the page is seen. What was read stays while it is
 * read again, so that nothing flickers.
 */
export function useRead<T>(
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): Read<T> {
  const [state, setState] = useState<Read<T> & { readonly key: string }>({
    key,
    value: undefined,
    error: undefined,
  });
  useEffect(() => {
    const abort = new AbortController();
    const load = async () => {
      try {
        const value = await read(abort.signal);
        if (!abort.signal.aborted) setState({ key, value, error: undefined });
      } catch (error) {
        if (!abort.signal.aborted)
          setState((before) => ({ key, value: before.key === key ? before.value : undefined, error }));
      }
    };
    void load();
    const timer =
      everyMs &&
      setInterval(() => {
        if (!document.hidden) void load();
      }, everyMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [key]);
  return state.key === key ? state : { value: undefined, error: undefined };
}
