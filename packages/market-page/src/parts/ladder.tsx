import type { Level } from '../charts/depth.ts';
import { centDigits, cents } from '../format.ts';

/** Rows of a table, some empty, so that nothing moves when a level is added or removed. */
const LEVELS = 8;

/** One side of the book, best level first. The length of a bar is relative to the largest level. */
export function Ladder({ title, levels }: { readonly title: string; readonly levels: readonly Level[] }) {
  const shown = levels.slice(0, LEVELS);
  const digits = centDigits(shown.map(({ price }) => price));
  const largest = Math.max(1, ...shown.map(({ size }) => size));
  return (
    <table class={title.toLowerCase()}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Price</th>
          <th scope="col">Shares</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: LEVELS }, (_, n) => shown[n]).map((level, n) => (
          <tr key={n} style={{ '--share': level ? `${(level.size / largest) * 100}%` : '0%' }}>
            <td>{level ? cents(level.price, digits) : '\u00a0'}</td>
            <td>{level ? level.size.toLocaleString('en', { maximumFractionDigits: 0 }) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
