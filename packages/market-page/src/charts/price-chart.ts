import uPlot from 'uplot';
import { colour, onChange } from './colours.ts';

const HEIGHT = 200;

/** Draws a price history in percent. @param points unix seconds and prices 0..1, ascending. @returns removes it */
export function priceChart(
  place: HTMLElement,
  points: readonly { readonly t: number; readonly p: number }[],
): () => void {
  let plot: uPlot | undefined;
  const draw = () => {
    plot?.destroy();
    const axis = {
      stroke: colour('muted'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { show: false },
    };
    plot = new uPlot(
      {
        width: place.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false },
        scales: { y: { range: (_, low, high) => padded(low, high) } },
        axes: [axis, { ...axis, size: 56, values: (_, values) => values.map((value) => `${value} %`) }],
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
      place,
    );
  };
  draw();
  const stop = onChange(place, draw);
  return () => {
    stop();
    plot?.destroy();
  };
}

/** A little room above and below, never beyond what a probability can be. */
function padded(low: number, high: number): [number, number] {
  const room = Math.max(1, (high - low) * 0.1);
  return [Math.max(0, low - room), Math.min(100, high + room)];
}
