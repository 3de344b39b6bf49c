import type { PriceHistory } from 'market-data-proxy-client';
import uPlot from 'uplot';
import { clockTime, day } from '../format.ts';
import { listen } from '../state/browser.ts';

const HEIGHT = 180;
const DAY = 86_400;
/** Longer histories have days on the axis, shorter ones hours. */
const MAX_HOURS_AXIS = 2 * DAY;
/** Percentage points that the axis shows at least, so that noise does not look like a landslide. */
const MIN_RANGE = 5;

/** Unix seconds and a price, 0..1. */
export type Point = PriceHistory['history'][number];

/** Lengths of dashes and gaps of the lines, whose colours are in the style sheet: each alone tells lines apart. */
export const DASHES = [[], [8, 4], [2, 3], [12, 4, 2, 4], [5, 2]] as const;

/** The lines at one time. */
export interface Reading {
  /** Unix seconds. */
  readonly t: number;
  /** Probability of each line in percent; undefined where it has no point. */
  readonly values: readonly (number | undefined)[];
}

/**
 * Draws price histories in percent.
 * @param whole whether the axis goes from 0 to 100 %
 * @param onReading called with the time below the pointer
 * @returns removes the chart
 */
export function priceChart(
  element: HTMLElement,
  lines: readonly (readonly Point[])[],
  whole: boolean,
  onReading: (reading: Reading | undefined) => void,
): () => void {
  const data = uPlot.join(lines.map((points) => [points.map(({ t }) => t), points.map(({ p }) => p * 100)]));
  const [times, ...values] = data;
  const long = (times.at(-1) ?? 0) - (times[0] ?? 0) > MAX_HOURS_AXIS;
  const days = [1, 2, 3, 7, 14, 28, 91, 182, 364].map((count) => count * DAY);
  const at = (index: number | null | undefined): Reading | undefined => {
    const t = times[index ?? -1];
    if (index == null || t === undefined) return undefined;
    return { t, values: values.map((line) => line[index] ?? undefined) };
  };
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    hooks: { setCursor: [(self) => onReading(at(self.cursor.idx))] },
    scales: { y: { range: (_, low, high) => (whole ? [0, 100] : padded(low, high)) } },
    axes: [
      {
        ...axis(),
        size: 28,
        space: 64,
        ...(long ? { incrs: days } : {}),
        values: (_, ticks) => ticks.map((tick) => (long ? day(tick * 1_000) : clockTime(tick * 1_000))),
      },
      { ...axis(), size: 52, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toFixed(2))} %`) },
    ],
    series: [
      {},
      ...lines.map((_, n) => ({
        stroke: () => colour(`series-${n + 1}`),
        dash: [...(DASHES[n] ?? [])],
        width: 2,
        spanGaps: true,
        points: { show: false },
      })),
    ],
  };
  return keepDrawn(element, new uPlot(options, data, element));
}

/** The range with a margin, within 0 to 100. */
function padded(low: number, high: number): [number, number] {
  const margin = Math.max((MIN_RANGE - (high - low)) / 2, (high - low) * 0.1);
  return [Math.max(0, low - margin), Math.min(100, high + margin)];
}

/** A colour of the style sheet. The browser chooses between that of light and that of dark mode. */
function colour(name: string): string {
  document.documentElement.style.outlineColor = `var(--${name})`;
  return getComputedStyle(document.documentElement).outlineColor;
}

/** The style of both axes. */
function axis(): uPlot.Axis {
  return {
    stroke: () => colour('muted'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: () => colour('line'), width: 1 },
    ticks: { show: false },
  };
}

/**
 * Draws the chart again when the colour scheme or the width changes. A finger that moves over it moves the reading, as a
 * mouse does. @returns removes the chart
 */
function keepDrawn(element: HTMLElement, plot: uPlot): () => void {
  const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
  resized.observe(element);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const stopColours = listen(dark, ['change'], () => plot.redraw());
  const stopTouch = listen<PointerEvent>(element, ['pointermove'], ({ pointerType, clientX }) => {
    if (pointerType === 'touch') plot.setCursor({ left: clientX - plot.over.getBoundingClientRect().left, top: 0 });
  });
  return () => {
    resized.disconnect();
    stopColours();
    stopTouch();
    plot.destroy();
  };
}
