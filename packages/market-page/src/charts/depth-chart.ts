import uPlot from 'uplot';
import { colour, onChange } from './colours.ts';

const HEIGHT = 140;

interface Level {
  readonly price: number;
  readonly size: number;
}

/** Draws how many shares stand at a price or better. Both sides best first. @returns removes it */
export function depthChart(place: HTMLElement, bids: readonly Level[], asks: readonly Level[]): () => void {
  const bidDepth = cumulative(bids).reverse();
  const askDepth = cumulative(asks);
  const prices = [...bidDepth, ...askDepth].map(({ price }) => price * 100);
  const data: uPlot.AlignedData = [
    prices,
    [...bidDepth.map(({ depth }) => depth), ...askDepth.map(() => null)],
    [...bidDepth.map(() => null), ...askDepth.map(({ depth }) => depth)],
  ];
  let plot: uPlot | undefined;
  const draw = () => {
    plot?.destroy();
    const axis = {
      stroke: colour('muted'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { show: false },
    };
    const side = (label: string, name: 'up' | 'down', align: 1 | -1): uPlot.Series => ({
      label,
      stroke: colour(name),
      fill: `${colour(name)}22`,
      width: 2,
      points: { show: false },
      ...(uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align }) } : {}),
    });
    plot = new uPlot(
      {
        width: place.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, values: (_, values) => values.map((value) => `${value} ¢`) },
          { ...axis, size: 56, values: (_, values) => values.map((value) => shares(value)) },
        ],
        series: [{}, side('Bids', 'up', -1), side('Asks', 'down', 1)],
      },
      data,
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

function cumulative(levels: readonly Level[]): { readonly price: number; readonly depth: number }[] {
  let depth = 0;
  return levels.map(({ price, size }) => {
    depth += size;
    return { price, depth };
  });
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

function shares(value: number): string {
  return compact.format(value);
}
