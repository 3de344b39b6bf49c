import { useRef } from 'preact/hooks';
import { percent } from '../format.ts';

/** Marked for a moment when an update changes it (`base.css`). */
export function Marked({ children }: { readonly children: string }) {
  const first = useRef(children);
  const changed = useRef(false);
  changed.current ||= children !== first.current;
  return (
    <span key={children} class={changed.current ? 'marked' : ''}>
      {children}
    </span>
  );
}

/** @param value percent, 0–100 */
export function Bar({ value }: { readonly value: number }) {
  return (
    <span class="bar">
      <span class="track" style={{ '--share': `${value}%` }} aria-hidden="true" />
      <b>
        <Marked>{percent(value)}</Marked>
      </b>
    </span>
  );
}
