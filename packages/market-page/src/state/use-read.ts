/**
 * Reads of the API for a part of the page: at once, again at intervals, and again after failures.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from './browser.ts';
import { isTemporary, RETRY_MS, type ReadPart } from './notice.ts';
import { useReport, useService } from './service.ts';

/** What a part of the page has read. */
export interface Read<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  /** Unix ms. */
  readonly readAt: number | undefined;
}

/** When a part is read. */
interface ReadOptions {
  /** The interval of reads. @default only when the key changes */
  readonly everyMs?: number;
  /** Reads only while true. @default true */
  readonly while?: boolean;
}

/** The event after which all failed reads are repeated at once. */
const RECOVERED = 'recovered';
/** Fires this event: the service works again. */
export const announceRecovery = () => dispatchEvent(new Event(RECOVERED));

/** The page waits this much longer than the rate limit asks, because clocks differ. */
const AFTER_WAIT_MS = 500;

/**
 * Repeats a read that failed with a temporary error: at intervals or after the rate limit's wait,
 * and at once when the browser or the service is back.
 */
export function useRetry(error: unknown, again: () => void): void {
  const { limit } = useService();
  const latest = useRef(again);
  latest.current = again;
  const fails = error !== undefined && isTemporary(error);
  useEffect(() => {
    if (!fails) return;
    const retry = () => {
      if (!document.hidden && navigator.onLine) latest.current();
    };
    // The effect runs again, with another interval, when the rate limit asks for another wait.
    const wait = limit.waitsUntil - Date.now();
    const timer = setInterval(retry, wait > 0 ? wait + AFTER_WAIT_MS : RETRY_MS);
    const stop = listen(window, ['online', RECOVERED], retry);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [fails, limit.waitsUntil]);
}

/**
 * Reads a part of the page when `key` changes, and at intervals while the page is visible. The last
 * value of a `key` stays meanwhile. Reports errors to the notice of the page (`useReport`).
 *
 * @example useRead('market', id, (signal) => client.market(id, { signal }), { everyMs: 60_000 })
 */
export function useRead<T>(
  part: ReadPart,
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
  { everyMs = 0, while: enabled = true }: ReadOptions = {},
): Read<T> {
  // Its effect runs before the one below, so `readNow` already reads the new key there.
  const { current, lastStart, readNow } = useReader(key, read);
  useEffect(() => {
    if (!enabled) return;
    const readIfVisible = () => {
      if (!document.hidden) readNow();
    };
    // A page that was hidden may have missed the read of a key, or of an interval.
    const readIfDue = () => {
      const { key: startedKey, at } = lastStart.current;
      const isNewKey = startedKey !== key;
      const isIntervalOver = everyMs > 0 && Date.now() - at >= everyMs;
      if (isNewKey || isIntervalOver) readIfVisible();
    };
    // The effect of `useReader` ran first, so `readNow` already reads the new key.
    readIfDue();
    const timer = everyMs > 0 ? setInterval(readIfVisible, everyMs) : undefined;
    const stop = listen(document, ['visibilitychange'], readIfDue);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [key, everyMs, enabled]);
  useReport(part, current.error);
  // If the next read comes before a retry would, the page does not retry.
  const isFrequent = everyMs > 0 && everyMs <= RETRY_MS;
  useRetry(isFrequent ? undefined : current.error, readNow);
  return current;
}

/** What a key has before its first response. */
const NOTHING = { value: undefined, error: undefined, readAt: undefined } as const;

/**
 * The result of a key, and a function that reads it. When the key changes, the result is empty, and
 * the response of a read that began before no longer counts.
 */
function useReader<T>(key: string, read: (signal: AbortSignal) => Promise<T>) {
  const [state, setState] = useState<Read<T> & { readonly key: string }>({ key, ...NOTHING });
  /** Reads the present key. */
  const readKey = useRef<() => void>(() => undefined);
  /** The key of the last read, and when it began in Unix ms. */
  const lastStart = useRef({ key: '', at: 0 });
  useEffect(() => {
    const abort = new AbortController();
    readKey.current = async () => {
      lastStart.current = { key, at: Date.now() };
      try {
        const value = await read(abort.signal);
        if (!abort.signal.aborted) setState({ key, value, error: undefined, readAt: Date.now() });
      } catch (error) {
        if (!abort.signal.aborted)
          setState((before) => ({ ...(before.key === key ? before : NOTHING), key, error }));
      }
    };
    return () => abort.abort();
  }, [key]);
  return {
    current: state.key === key ? state : NOTHING,
    lastStart,
    readNow: () => readKey.current(),
  };
}
