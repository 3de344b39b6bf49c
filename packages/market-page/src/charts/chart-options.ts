/** The options of a chart for uPlot: its cursor, its lines, and its axes. Sizes are in pixels. */
import type uPlot from 'uplot';
import { year } from '../format.ts';
import { colour, type Line } from './end-labels.ts';
import { tickLabels } from './layout.ts';

/** The smallest range of the axis, in percentage points: noise must not look like a landslide. */
const MIN_RANGE = 5;
/** The free share of the range above and below the values, so that no line touches the edge. */
const RANGE_MARGIN = 0.08;
/** The height of the time axis: for one line of text, or for two with the year. */
const TIME_AXIS_HEIGHT = 32;
const TIME_AXIS_HEIGHT_WITH_YEARS = 48;
/** The width of the axis of the percentages, with room for "100%". */
const VALUE_AXIS_WIDTH = 46;

/** A vertical line with a dot on each line of the chart. It does not zoom. */
export function cursorOf(lines: readonly Line[]): uPlot.Cursor {
  return {
    y: false,
    drag: { x: false, y: false },
    // Moves to the nearest point, where the dots are. A negative position hides the cursor.
    move: (plot, left, top) => [left < 0 ? left : nearestPoint(plot, left), top],
    points: {
      size: 12,
      width: 2,
      stroke: (plot) => colour(plot, 'card'),
      // The first series of uPlot is the time, so the lines begin at 1.
      fill: (plot, series) => colour(plot, `series-${lines[series - 1]?.colour}`),
    },
    // Lines have points at different times. Each shows its last one before the cursor.
    dataIdx: (plot, series, index) => lastKnown(plot.data[series] ?? [], index),
  };
}

/** The position of the point that is nearest to a position. */
function nearestPoint(plot: uPlot, left: number): number {
  return plot.valToPos(plot.data[0][plot.posToIdx(left)] ?? 0, 'x');
}

/** The index of the last known value up to an index. */
function lastKnown(values: ArrayLike<number | null | undefined>, index: number): number {
  for (let n = index; n >= 0; n--) if (values[n] != null) return n;
  return index;
}

/** How a line is drawn. @param hasArea a single line has a coloured area below it */
export function seriesOf(line: Line, hasArea: boolean): uPlot.Series {
  return {
    stroke: (plot) => colour(plot, `series-${line.colour}`),
    width: 2,
    spanGaps: true,
    points: { show: false },
    ...(hasArea ? { fill: (plot) => areaBelow(plot, line) } : {}),
  };
}

/** The gradient below a line. An area that does not begin at zero would show a wrong share. */
function areaBelow(plot: uPlot, line: Line): CanvasGradient | string {
  const { ctx, bbox, scales } = plot;
  if (scales.y?.min !== 0) return 'transparent';
  const gradient = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height);
  gradient.addColorStop(0, colour(plot, `series-${line.colour}`, 22));
  gradient.addColorStop(1, colour(plot, `series-${line.colour}`, 1));
  return gradient;
}

/** The range of the axis of the percentages: a little more than the values, within 0 to 100. */
export function padded(low: number, high: number): [number, number] {
  const margin = Math.max((MIN_RANGE - (high - low)) / 2, (high - low) * RANGE_MARGIN);
  return [Math.max(0, low - margin), Math.min(100, high + margin)];
}

/** What both axes have in common. */
const AXIS = {
  stroke: (plot: uPlot) => colour(plot, 'muted'),
  font: '12px system-ui, sans-serif',
  ticks: { show: false },
} as const;

/** The axis below the lines. @param times of all points, in Unix seconds */
export function timeAxis(times: ArrayLike<number>): uPlot.Axis {
  const [first = 0, last = 0] = [times[0], times[times.length - 1]];
  const hasTwoYears = year(first * 1_000) !== year(last * 1_000);
  return {
    ...AXIS,
    size: hasTwoYears ? TIME_AXIS_HEIGHT_WITH_YEARS : TIME_AXIS_HEIGHT,
    // Pixels from the lines to the text.
    gap: 9,
    // The fewest pixels from one text to the next.
    space: 72,
    grid: { show: false },
    // uPlot passes itself, the ticks, the axis, the space, and the step between ticks.
    values: (...[, ticks, , , step]) => [...tickLabels(ticks, step, hasTwoYears)],
  };
}

/** The axis of the percentages. @param whole whether it reaches from 0 to 100 % */
export function valueAxis(whole: boolean): uPlot.Axis {
  return {
    ...AXIS,
    size: VALUE_AXIS_WIDTH,
    gap: 8,
    space: 48,
    grid: { stroke: (plot) => colour(plot, 'line'), width: 1 },
    values: (_plot, ticks) => ticks.map((tick) => `${Number(tick.toFixed(2))}%`),
    ...(whole ? { splits: [0, 25, 50, 75, 100] } : {}),
  };
}
