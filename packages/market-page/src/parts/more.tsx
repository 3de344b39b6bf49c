import { useEffect, useRef } from 'preact/hooks';

/** Reads the next page when the reader scrolls near the end of the list, or presses the button. */
export function More(props: { readonly more: (() => void) | undefined; readonly length: number }) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props.more);
  latest.current = props.more;
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) latest.current?.();
      },
      { rootMargin: '600px' },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [props.length]);
  return (
    <div class="more" ref={place}>
      {props.more && (
        <button type="button" class="small" onClick={props.more}>
          Show more
        </button>
      )}
    </div>
  );
}
