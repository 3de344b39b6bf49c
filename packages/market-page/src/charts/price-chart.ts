/** Draws the price chart with uPlot, and reports the values under the reader's pointer. */
import uPlot from 'uplot';
import { year } from '../format.ts';
import { listen } from '../state/browser.ts';
import { colour, drawEnds, endLabel, LABEL_GAP, type Line } from './end-labels.ts';
import { thinned, tickLabels } from './layout.ts';

// All sizes are in pixels.

/** The smallest range of the axis, in percentage points: noise must not look like a landslide. */
const MIN_RANGE = 5;
/** The free share of the range above and below the values, so that no line touches the edge. */
const RANGE_MARGIN = 0.08;
/** The room above the lines: for half a label at 100 %, or for the text of a mark. */
const TOP = 10;
const TOP_WITH_MARK = 24;
/** The height of the time axis: for one line of text, or for two with the year. */
const TIME_AXIS = 32;
const TIME_AXIS_WITH_YEARS = 48;
/** A position beside the lines, which hides the cursor. */
const OUTSIDE = { left: -10, top: -10 } as const;

/** Where the reader points, in pixels from the lines' left and top edge. */
export interface Pointer {
  readonly left: number;
  readonly top: number;
  readonly isTouch: boolean;
}

/** What a chart shows, and what it reports. */
export interface Chart {
  readonly lines: readonly Line[];
  /** Whether the axis reaches from 0 to 100 %. */
  readonly whole: boolean;
  /** A time with its text, in Unix seconds. */
  readonly mark: { readonly t: number; readonly text: string } | undefined;
  /** Outlives the chart, which each new price draws again. */
  readonly pointer: { current: Pointer | undefined };
  readonly onReading: (reading: Reading | undefined) => void;
}

/** The values at the time that the reader points at. */
export interface Reading extends Pointer {
  /** Unix seconds. */
  readonly t: number;
  /** Percent, per line; undefined before its first point. */
  readonly values: readonly (number | undefined)[];
}

/** Draws a chart into an element. @returns a function that removes the chart */
export function priceChart(element: HTMLElement, chart: Chart): () => void {
  // A line is two pixels wide: more points look like a band.
  const maxPoints = element.clientWidth / 2;
  const lines = chart.lines.map((line) => ({ ...line, points: thinned(line.points, maxPoints) }));
  const data = uPlot.join(
    lines.map(({ points }) => [points.map(({ t }) => t), points.map(({ p }) => p * 100)]),
  );
  const labels = lines.map(endLabel);
  // The width of the labels decides the room beside the lines.
  element.append(...labels);
  const room = () => Math.max(...labels.map(({ offsetWidth }) => offsetWidth)) + LABEL_GAP;
  const mark = document.createElement('span');
  mark.className = 'mark';
  mark.textContent = chart.mark?.text ?? '';
  const pointer = chart.pointer.current;
  const touch = { current: pointer?.isTouch ?? false };
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight,
      // Above, right, below, left.
      padding: [chart.mark ? TOP_WITH_MARK : TOP, room, 0, 0],
      legend: { show: false },
      cursor: cursorOf(lines),
      hooks: {
        init: [(self) => self.over.append(...labels, mark)],
        draw: [
          (self) => drawEnds(self, lines, labels),
          (self) => placeMark(self, mark, chart.mark?.t),
        ],
        ready: [(self) => pointer && self.setCursor(pointer)],
        setCursor: [(self) => readCursor(self, chart, touch.current)],
      },
      scales: { y: { range: (_, low, high) => (chart.whole ? [0, 100] : padded(low, high)) } },
      axes: [timeAxis(data[0]), valueAxis(chart.whole)],
      series: [{}, ...lines.map((line) => seriesOf(line, lines.length === 1))],
    },
    data,
    element,
  );
  return keepDrawn(element, plot, touch);
}

/** The cursor: a vertical line with a dot on each line of the chart. It cannot zoom. */
function cursorOf(lines: readonly Line[]): uPlot.Cursor {
  return {
    y: false,
    drag: { x: false, y: false },
    // Moves to the nearest point, where the dots are.
    move: (plot, left, top) => [left < 0 ? left : nearestPoint(plot, left), top],
    points: {
      size: 12,
      width: 2,
      stroke: (plot) => colour(plot, 'card'),
      // The first series of uPlot is the time, so the lines begin at 1.
      fill: (plot, n) => colour(plot, `series-${lines[n - 1]?.colour}`),
    },
    // Lines have points at different times. Each shows its last one before the cursor.
    dataIdx: (plot, n, index) => lastIndex(plot.data[n] ?? [], index),
  };
}

/** The position of the point that is nearest to a position. */
function nearestPoint(plot: uPlot, left: number): number {
  return plot.valToPos(plot.data[0][plot.posToIdx(left)] ?? 0, 'x');
}

/** How a line is drawn. @param alone a single line has an area below it */
function seriesOf({ colour: n }: Line, alone: boolean): uPlot.Series {
  // An area that does not begin at zero shows a wrong share.
  const fill = (plot: uPlot) => {
    const { ctx, bbox, scales } = plot;
    if (scales.y?.min !== 0) return 'transparent';
    const gradient = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height);
    gradient.addColorStop(0, colour(plot, `series-${n}`, 22));
    gradient.addColorStop(1, colour(plot, `series-${n}`, 1));
    return gradient;
  };
  return {
    stroke: (plot) => colour(plot, `series-${n}`),
    width: 2,
    spanGaps: true,
    points: { show: false },
    ...(alone ? { fill } : {}),
  };
}

/** The range of an axis: a little more than the values, within 0 to 100. */
function padded(low: number, high: number): [number, number] {
  const margin = Math.max((MIN_RANGE - (high - low)) / 2, (high - low) * RANGE_MARGIN);
  return [Math.max(0, low - margin), Math.min(100, high + margin)];
}

/** What both axes have in common. */
const AXIS = {
  stroke: (plot: uPlot) => colour(plot, 'muted'),
  font: '12px system-ui, sans-serif',
  ticks: { show: false },
} as const;

/** The axis below the lines. */
function timeAxis(times: ArrayLike<number>): uPlot.Axis {
  const [first = 0, last = 0] = [times[0], times[times.length - 1]];
  const hasTwoYears = year(first * 1_000) !== year(last * 1_000);
  return {
    ...AXIS,
    size: hasTwoYears ? TIME_AXIS_WITH_YEARS : TIME_AXIS,
    // From the lines to the text, and at least from one text to the next.
    gap: 9,
    space: 72,
    grid: { show: false },
    values: (...[, ticks, , , step]) => [...tickLabels(ticks, step, hasTwoYears)],
  };
}

/** The axis of the percentages. */
function valueAxis(whole: boolean): uPlot.Axis {
  return {
    ...AXIS,
    // The width of the axis, with room for "100%".
    size: 46,
    gap: 8,
    space: 48,
    grid: { stroke: (plot) => colour(plot, 'line'), width: 1 },
    values: (_, ticks) => ticks.map((tick) => `${Number(tick.toFixed(2))}%`),
    ...(whole ? { splits: [0, 25, 50, 75, 100] } : {}),
  };
}

/** Moves the mark to its time. Its text is on the side with more room. */
function placeMark({ over, valToPos }: uPlot, mark: HTMLElement, time: number | undefined): void {
  const left = time === undefined ? -1 : valToPos(time, 'x');
  mark.hidden = left < 0 || left > over.clientWidth;
  mark.style.left = `${left}px`;
  mark.classList.toggle('before', left > over.clientWidth / 2);
}

/** The index of the last value up to this one. */
function lastIndex(values: ArrayLike<number | null | undefined>, index: number): number {
  for (let n = index; n >= 0; n--) if (values[n] != null) return n;
  return index;
}

/** Reports the values under the cursor. */
function readCursor(plot: uPlot, { pointer, onReading }: Chart, isTouch: boolean): void {
  // `idx` is the index of the time, `idxs` has that of each line (`dataIdx`).
  const { idx, idxs = [], left = -1, top = 0 } = plot.cursor;
  const t = left < 0 ? undefined : plot.data[0][idx ?? -1];
  if (t === undefined) {
    pointer.current = undefined;
    onReading(undefined);
    return;
  }
  pointer.current = { left, top, isTouch };
  const values = plot.data.slice(1).map((line, n) => line[idxs[n + 1] ?? -1] ?? undefined);
  const { offsetLeft, offsetTop } = plot.over;
  onReading({ t, values, left: offsetLeft + left, top: offsetTop + top, isTouch });
}

/** The number of steps of the arrow keys from one end of the lines to the other. */
const KEY_STEPS = 100;
/** The same number for the keys Page Up and Page Down. */
const PAGE_STEPS = 10;

/** Moves the reading as the keys of a slider do. @returns a function that stops listening */
function listenToKeys(element: HTMLElement, plot: uPlot, touch: { current: boolean }): () => void {
  const last = plot.data[0].length - 1;
  const moveTo = (index: number) => {
    touch.current = false;
    const nearest = Math.min(last, Math.max(0, index));
    const left = plot.valToPos(plot.data[0][nearest] ?? 0, 'x');
    plot.setCursor({ left, top: plot.over.clientHeight / 2 });
  };
  const step = Math.ceil(last / KEY_STEPS);
  const page = Math.ceil(last / PAGE_STEPS);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -step,
    ArrowDown: -step,
    ArrowRight: step,
    ArrowUp: step,
    PageDown: -page,
    PageUp: page,
    Home: -last,
    End: last,
  };
  const stopKeys = listen<KeyboardEvent>(element, ['keydown'], (event) => {
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const hasCursor = (plot.cursor.left ?? -1) >= 0;
    const from = hasCursor ? (plot.cursor.idx ?? last) : last;
    moveTo(from + by);
  });
  const stopBlur = listen(element, ['blur'], () => plot.setCursor(OUTSIDE));
  return () => {
    stopKeys();
    stopBlur();
  };
}

/**
 * Draws the chart again in a new size or colour scheme, and moves its cursor with a finger and with
 * keys.
 *
 * @returns a function that removes the chart
 */
function keepDrawn(element: HTMLElement, plot: uPlot, touch: { current: boolean }): () => void {
  const resized = new ResizeObserver(() =>
    plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
  );
  resized.observe(element);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const stopColours = listen(dark, ['change'], () => plot.redraw());
  const stopPointer = listen<PointerEvent>(element, ['pointerdown', 'pointermove'], (event) => {
    touch.current = event.pointerType === 'touch';
    const { left, top } = plot.over.getBoundingClientRect();
    if (touch.current) plot.setCursor({ left: event.clientX - left, top: event.clientY - top });
  });
  const stopTouch = listen<PointerEvent>(
    element,
    ['pointerup', 'pointercancel'],
    ({ pointerType }) => {
      if (pointerType === 'touch') plot.setCursor(OUTSIDE);
    },
  );
  const stopKeys = listenToKeys(element, plot, touch);
  return () => {
    resized.disconnect();
    stopKeys();
    stopColours();
    stopPointer();
    stopTouch();
    plot.destroy();
  };
}
