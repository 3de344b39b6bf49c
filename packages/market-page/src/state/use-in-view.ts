import { useEffect, useState } from 'preact/hooks';

/** Whether a part of the element is visible. */
export function useInView(element: { readonly current: HTMLElement | null }): boolean {
  const [inView, setInView] = useState(true);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setInView(entries.some((entry) => entry.isIntersecting)));
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return inView;
}
