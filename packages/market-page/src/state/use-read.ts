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
 * Reads a value when `key` changes and at intervals while the page is visible. After a pause it reads at once. The last
 * value stays until the next one arrives, so that nothing flickers.
 */
export function useRead<T>(key: string, read: (signal: AbortSignal) => Promise<T>, repeat?: Repeat): Read<T> {
  const [state, setState] = useState<Read<T> & { readonly key: string }>({
    key,
    value: undefined,
    error: undefined,
  });
  const everyMs = repeat?.everyMs ?? 0;
  const enabled = repeat?.while ?? true;
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
    if (everyMs === 0 || !enabled) return;
    const tick = () => {
      if (!document.hidden) again.current?.();
    };
    const resume = () => {
      if (Date.now() - startedAt.current >= everyMs) tick();
    };
    resume();
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', resume);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', resume);
    };
  }, [everyMs, enabled]);
  return state.key === key ? state : { value: undefined, error: undefined };
}
