import { percent } from '../format.ts';

/** A probability as a number and as a bar. @param value percent, 0–100 */
export function Bar({ value }: { readonly value: number }) {
  return (
    <span class="bar">
      <span class="track" aria-hidden="true">
        <span style={{ width: `${value}%` }} />
      </span>
      <b>{percent(value)}</b>
    </span>
  );
}
