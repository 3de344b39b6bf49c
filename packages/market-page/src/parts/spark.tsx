import { type Point, spark } from '../charts/layout.ts';
import { direction } from '../format.ts';

/** In pixels. */
const WIDTH = 72;
const HEIGHT = 22;

/**
 * The last seven days over their first price, up to the price of now. A younger market's line
 * begins where the market does.
 *
 * @param props.price percent
 * @param props.change decides the colour; without it the line has the colour of no change
 */
export function Spark(props: {
  readonly points: readonly Point[] | undefined;
  readonly price: number;
  readonly change?: number | null | undefined;
}) {
  const { points = [], price, change } = props;
  if (points.length < 2) return null;
  const line = spark([...points, { t: Date.now() / 1_000, p: price / 100 }], WIDTH, HEIGHT);
  const [start = ''] = line;
  return (
    <svg
      class={`spark ${direction(change)}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path d={`M${start}H${WIDTH}`} />
      <polyline points={line.join(' ')} />
    </svg>
  );
}
