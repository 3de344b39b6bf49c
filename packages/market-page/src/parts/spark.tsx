import { type Point, spark } from '../charts/layout.ts';
import { direction } from '../format.ts';

/** The size of a spark in pixels. */
const WIDTH = 72;
const HEIGHT = 22;

/**
 * A spark: a small line of the prices of the last seven days, up to the price of now. A horizontal
 * line at the first price shows the rise or fall. The spark of a younger market begins later.
 *
 * @param props.points undefined until they have been read
 * @param props.price the price of now in percent
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
      {/* The horizontal line. */}
      <path d={`M${start}H${WIDTH}`} />
      <polyline points={line.join(' ')} />
    </svg>
  );
}
