import { percent } from '../format.ts';

/** A probability as a bar with its number. @param value percent, 0–100 */
export function Bar({ value }: { readonly value: number }) {
  return (
    <span class="bar">
      <span class="track" style={{ '--share': `${value}%` }} aria-hidden="true" />
      <b>{percent(value)}</b>
    </span>
  );
}
