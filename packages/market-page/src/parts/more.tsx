import { useEffect, useRef } from 'preact/hooks';
import { observe } from '../state/browser.ts';

/** The page reads more when the end of the list is this far below the view. */
const MARGIN = '600px';

/** Reads the next page of the list when the reader scrolls near the end, or by its button. */
export function More(props: { readonly more: (() => void) | undefined; readonly length: number }) {
  const end = useRef<HTMLDivElement>(null);
  // The observer outlives a render, and must call the newest function.
  const latest = useRef(props.more);
  latest.current = props.more;
  useEffect(
    () => observe(end.current, (near) => near && latest.current?.(), MARGIN),
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
