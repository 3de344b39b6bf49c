import uPlot from 'uplot';
import { clockTime, day } from '../format.ts';

const HEIGHT = 180;
const DAY = 86_400;
/** Longer histories have days on the axis, shorter ones hours. */
const MAX_HOURS_AXIS = 2 * DAY;
/** Percentage points that the axis shows at least, so that noise does not look like a landslide. */
const MIN_RANGE = 5;

export interface Point {
  /** Unix seconds. */
  readonly t: number;
  /** 0..1 */
  readonly p: number;
}

export interface Line {
  readonly points: readonly Point[];
  /** Custom property of the style sheet. */
  readonly colour: string;
  /** Lengths of dashes and gaps: lines differ without their colour. */
  readonly dash: readonly number[];
}

/** The lines at one time. */
export interface Reading {
  /** Unix seconds. */
  readonly t: number;
  /** Of each line, 0..1; undefined where it has no point. */
  readonly prices: readonly (number | undefined)[];
}

/**
 * Draws price histories in percent.
 * @param whole whether the axis goes from 0 to 100 %
 * @param onReading called with the time below the pointer
 * @returns removes the chart
 */
export function priceChart(
  element: HTMLElement,
  lines: readonly Line[],
  whole: boolean,
  onReading: (reading: Reading | undefined) => void,
): () => void {
  const { times, prices } = aligned(lines.map(({ points }) => points));
  const long = (times.at(-1) ?? 0) - (times[0] ?? 0) > MAX_HOURS_AXIS;
  const days = [1, 2, 3, 7, 14, 28, 91, 182, 364].map((count) => count * DAY);
  const at = (index: number | null | undefined): Reading | undefined => {
    const t = times[index ?? -1];
    if (index == null || t === undefined) return undefined;
    return { t, prices: prices.map((line) => line[index]) };
  };
  const options = (): uPlot.Options => ({
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
      ...lines.map((line) => ({
        stroke: colour(line.colour),
        dash: [...line.dash],
        width: 2,
        spanGaps: true,
        points: { show: false },
      })),
    ],
  });
  const data: uPlot.AlignedData = [times, ...prices.map((line) => line.map((price) => price && price * 100))];
  return keepDrawn(element, () => new uPlot(options(), data, element));
}

/** One ascending list of times for all lines, and the price of each line at each time. */
export function aligned(lines: readonly (readonly Point[])[]) {
  const times = [...new Set(lines.flatMap((points) => points.map(({ t }) => t)))].sort((a, b) => a - b);
  const prices = lines.map((points) => {
    const byTime = new Map(points.map(({ t, p }) => [t, p]));
    return times.map((t) => byTime.get(t));
  });
  return { times, prices };
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
    stroke: colour('muted'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
}

/**
 * Shows the chart that `make` creates, again when the colour scheme or the width changes. A finger that moves over it
 * moves the reading, as a mouse does. @returns removes the chart
 */
function keepDrawn(element: HTMLElement, make: () => uPlot): () => void {
  let plot = make();
  const redraw = () => {
    plot.destroy();
    plot = make();
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let width = element.clientWidth;
  const resized = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    redraw();
  });
  const touch = ({ pointerType, clientX }: PointerEvent) => {
    if (pointerType === 'touch') plot.setCursor({ left: clientX - plot.over.getBoundingClientRect().left, top: 0 });
  };
  resized.observe(element);
  dark.addEventListener('change', redraw);
  element.addEventListener('pointermove', touch);
  return () => {
    resized.disconnect();
    dark.removeEventListener('change', redraw);
    element.removeEventListener('pointermove', touch);
    plot.destroy();
  };
}
