import type { Level } from '../charts/depth.ts';
import { centDigits, cents } from '../format.ts';

/** Rows, filled or not, so that nothing moves when a level comes or goes. */
const LEVELS = 8;

/** One side of the book, best first, each level with a bar as long as its share of what is shown. */
export function Ladder({ title, levels }: { readonly title: string; readonly levels: readonly Level[] }) {
  const shown = levels.slice(0, LEVELS);
  const digits = centDigits(shown.map(({ price }) => price));
  const most = Math.max(1, ...shown.map(({ size }) => size));
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
          <tr key={n} style={{ '--share': level ? `${(level.size / most) * 100}%` : '0%' }}>
            <td>{level ? cents(level.price, digits) : '\u00a0'}</td>
            <td>{level ? level.size.toLocaleString('en', { maximumFractionDigits: 0 }) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
