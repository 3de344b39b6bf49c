import uPlot from 'uplot';
import { axis, colour, onChange } from './colours.ts';

const HEIGHT = 180;
const DAY = 86_400;
/** Longer histories have days on the axis, shorter ones hours. */
const MAX_HOURS_AXIS = 2 * DAY;

export interface Point {
  /** Unix seconds. */
  readonly t: number;
  /** 0..1 */
  readonly p: number;
}

/**
 * Draws a price history in percent.
 * @param points ascending
 * @param onPoint called with the point below the pointer
 * @returns removes the chart
 */
export function priceChart(
  element: HTMLElement,
  points: readonly Point[],
  onPoint: (point: Point | undefined) => void,
): () => void {
  const long = (points.at(-1)?.t ?? 0) - (points[0]?.t ?? 0) > MAX_HOURS_AXIS;
  const days = [1, 2, 3, 7, 14, 28].map((count) => count * DAY);
  let plot: uPlot | undefined;
  const draw = () => {
    plot?.destroy();
    plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: {
          setCursor: [(self) => onPoint(self.cursor.idx == null ? undefined : points[self.cursor.idx])],
        },
        scales: { y: { range: (_, low, high) => padded(low, high) } },
        axes: [
          {
            ...axis(),
            size: 28,
            space: 64,
            ...(long ? { incrs: days } : {}),
            values: (_, ticks) => ticks.map(long ? day : time),
          },
          { ...axis(), size: 52, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toFixed(2))} %`) },
        ],
        series: [
          {},
          {
            label: 'Probability',
            stroke: colour('accent'),
            width: 2,
            fill: `${colour('accent')}22`,
            points: { show: false },
          },
        ],
      },
      [points.map(({ t }) => t), points.map(({ p }) => p * 100)],
      element,
    );
  };
  draw();
  const stop = onChange(element, draw);
  return () => {
    stop();
    plot?.destroy();
  };
}

function day(seconds: number): string {
  return new Date(seconds * 1_000).toLocaleDateString('en', { month: 'short', day: 'numeric' });
}

function time(seconds: number): string {
  return new Date(seconds * 1_000).toLocaleTimeString('en', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

/** The range with a margin, within 0 to 100. */
function padded(low: number, high: number): [number, number] {
  const margin = Math.max(1, (high - low) * 0.1);
  return [Math.max(0, low - margin), Math.min(100, high + margin)];
}
