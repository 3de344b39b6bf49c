import uPlot from 'uplot';
import { shares } from '../format.ts';
import { axis, colour, keepDrawn } from './colours.ts';
import type { Depth } from './depth.ts';

const HEIGHT = 130;

/** The part of the chart below the pointer. */
export interface DepthPoint {
  readonly side: 'bids' | 'asks';
  /** Cents. */
  readonly price: number;
  /** Shares at this price or better. */
  readonly depth: number;
}

/** Draws the depth of an order book. @param onPoint called when the pointer moves @returns removes the chart */
export function depthChart(
  element: HTMLElement,
  depth: Depth,
  onPoint: (point: DepthPoint | undefined) => void,
): () => void {
  const data: uPlot.AlignedData = [[...depth.prices], [...depth.bids], [...depth.asks]];
  const at = (index: number | null | undefined): DepthPoint | undefined => {
    const price = depth.prices[index ?? -1];
    if (index == null || price === undefined) return undefined;
    const bids = depth.bids[index];
    return { side: bids == null ? 'asks' : 'bids', price, depth: bids ?? depth.asks[index] ?? 0 };
  };
  const side = (label: string, name: 'up' | 'down', align: 1 | -1): uPlot.Series => ({
    label,
    stroke: colour(name),
    fill: `${colour(name)}22`,
    width: 2,
    points: { show: false },
    ...(uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align }) } : {}),
  });
  const options = (): uPlot.Options => ({
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    hooks: { setCursor: [(self) => onPoint(at(self.cursor.idx))] },
    scales: {
      x: { time: false, range: [...depth.range] },
      y: { range: (_, _low, high) => [0, high * 1.05] },
    },
    axes: [
      { ...axis(), size: 28, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toFixed(2))} ¢`) },
      { ...axis(), size: 52, space: 36, values: (_, ticks) => ticks.map(shares) },
    ],
    // Shares at a price also count for all worse prices: to the left of a bid, to the right of an ask.
    series: [{}, side('Bids', 'up', -1), side('Asks', 'down', 1)],
  });
  return keepDrawn(element, () => new uPlot(options(), data, element));
}
