import { useEffect, useRef } from 'preact/hooks';
import { observe } from '../state/browser.ts';

/** Reads the next page of the list when the reader scrolls near the end, or by its button. */
export function More(props: { readonly more: (() => void) | undefined; readonly length: number }) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(props.more);
  latest.current = props.more;
  useEffect(
    () => observe(end.current, (near) => near && latest.current?.(), '600px'),
    [props.length],
  );
  return (
    <div class="more" ref={end}>
      {props.more && (
        <button type="button" class="small" onClick={props.more}>
          Show more
        </button>
      )}
    </div>
  );
}
