import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The time in Unix ms, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Ages change in steps, because each new age renders a part of the page again. */
const STEP_SECONDS = 10;

/** The age of a time in seconds, rounded up to a step; undefined if the time is unknown. */
export function useAge(time: Date | undefined): number | undefined {
  const now = useNow(STEP_SECONDS * 1_000);
  if (!time) return undefined;
  return Math.max(1, Math.ceil((now - time.getTime()) / 1_000 / STEP_SECONDS)) * STEP_SECONDS;
}

/** The last value that stayed the same for `ms`; `first` until then. */
export function useDelayed<T>(value: T, ms: number, first: T): T {
  const [delayed, setDelayed] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return delayed;
}

/** Listens to several events. @returns a function that stops listening */
export function listen<E extends Event>(
  target: EventTarget,
  names: readonly string[],
  callback: (event: E) => void,
): () => void {
  const listener = (event: Event) => callback(event as E);
  for (const name of names) target.addEventListener(name, listener);
  return () => {
    for (const name of names) target.removeEventListener(name, listener);
  };
}

/** What `read` returns, updated with each event. */
export function useEvents<T>(target: EventTarget, names: readonly string[], read: () => T): T {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = () => setValue(read);
    // The value may have changed since the first render.
    update();
    return listen(target, names, update);
  }, []);
  return value;
}

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query));
  return useEvents(media, ['change'], () => media.matches);
}

/** Whether the browser has a network. */
export function useOnline(): boolean {
  return useEvents(window, ['online', 'offline'], () => navigator.onLine);
}

/** An element rests in view after this time. */
const REST_MS = 1_000;

/** Whether the element rests in view. A reader who only passes through needs no request. */
export function useRestInView(element: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => observe(element.current, setInView), []);
  return useDelayed(true, REST_MS, false) && inView;
}

/**
 * Reports whether an element is in view.
 *
 * @param margin around the view
 * @returns a function that stops observing
 */
export function observe(
  element: HTMLElement | null,
  callback: (inView: boolean) => void,
  margin = '0px',
): () => void {
  const observer = new IntersectionObserver(
    (entries) => callback(entries.some(({ isIntersecting }) => isIntersecting)),
    { rootMargin: margin },
  );
  if (element) observer.observe(element);
  return () => observer.disconnect();
}
