import { useEffect, useState } from 'preact/hooks';

/** Unix ms, updated every `everyMs` while the page is visible. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** What `read` returns, updated with each of the events. */
function useEvents<T>(target: EventTarget, events: readonly string[], read: () => T): T {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = () => setValue(read);
    update();
    for (const event of events) target.addEventListener(event, update);
    return () => {
      for (const event of events) target.removeEventListener(event, update);
    };
  }, []);
  return value;
}

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query));
  return useEvents(media, ['change'], () => media.matches);
}

/** Whether the browser has a connection. */
export function useOnline(): boolean {
  return useEvents(window, ['online', 'offline'], () => navigator.onLine);
}

/** Whether a part of the element is visible; false until the browser has said so. */
export function useInView(element: { readonly current: HTMLElement | null }): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setInView(entries.some((entry) => entry.isIntersecting)));
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return inView;
}
