import { useEffect, useRef, useState } from 'preact/hooks';

export interface Read<T> {
  readonly value: T | undefined;
  readonly error: unknown;
}

export interface Repeat {
  readonly everyMs: number;
  /** Pauses while this is false. @default true */
  readonly while?: boolean;
}

/**
 * Reads something when `key` changes, and again and again while the page is seen; at once when what paused goes on.
 * What was read stays while it is read again, so that nothing flickers.
 */
export function useRead<T>(key: string, read: (signal: AbortSignal) => Promise<T>, repeat?: Repeat): Read<T> {
  const [state, setState] = useState<Read<T> & { readonly key: string }>({
    key,
    value: undefined,
    error: undefined,
  });
  const everyMs = repeat?.everyMs ?? 0;
  const on = repeat?.while ?? true;
  const again = useRef<() => void>(undefined);
  const startedAt = useRef(0);
  useEffect(() => {
    const abort = new AbortController();
    const load = async () => {
      startedAt.current = Date.now();
      try {
        const value = await read(abort.signal);
        if (!abort.signal.aborted) setState({ key, value, error: undefined });
      } catch (error) {
        if (!abort.signal.aborted)
          setState((before) => ({ key, value: before.key === key ? before.value : undefined, error }));
      }
    };
    again.current = () => void load();
    void load();
    return () => abort.abort();
  }, [key]);
  useEffect(() => {
    if (everyMs === 0 || !on) return;
    const tick = () => {
      if (!document.hidden) again.current?.();
    };
    const resumed = () => {
      if (Date.now() - startedAt.current >= everyMs) tick();
    };
    resumed();
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', resumed);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', resumed);
    };
  }, [everyMs, on]);
  return state.key === key ? state : { value: undefined, error: undefined };
}
