import type { Point } from '../charts/price-chart.ts';
import { direction } from '../format.ts';

const WIDTH = 72;
const HEIGHT = 22;
/** 0..1; a smaller range is drawn flatter. */
const MIN_RANGE = 0.04;

/** The last seven days over their first price. */
export function Spark({ points }: { readonly points: readonly Point[] | undefined }) {
  const [start] = points ?? [];
  const end = points?.at(-1);
  if (!points || !start || !end || points.length < 2) return null;
  const prices = points.map(({ p }) => p);
  const low = Math.min(...prices);
  const range = Math.max(MIN_RANGE, Math.max(...prices) - low);
  const middle = (low + Math.max(...prices)) / 2;
  const height = (p: number) => (HEIGHT / 2 - ((p - middle) / range) * (HEIGHT - 4)).toFixed(1);
  const position = ({ t, p }: Point) => `${(((t - start.t) / (end.t - start.t)) * WIDTH).toFixed(1)},${height(p)}`;
  return (
    <svg
      class={`spark ${direction((end.p - start.p) * 100)}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path d={`M0 ${height(start.p)}h${WIDTH}`} />
      <polyline points={points.map(position).join(' ')} />
    </svg>
  );
}
