/** Draws the price chart with uPlot, and reports the values under the reader's pointer. */
import uPlot from 'uplot';
import { type LastInput, listenToChart } from './chart-input.ts';
import { cursorOf, padded, seriesOf, timeAxis, valueAxis } from './chart-options.ts';
import { drawEnds, endLabel, LABEL_GAP, type Line } from './end-labels.ts';
import { thinned } from './layout.ts';

/** The room above the lines in pixels: for half of an end label at 100 %, or for a mark's text. */
const TOP = 10;
const TOP_WITH_MARK = 24;

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
  /** A time that is marked with a text, in Unix seconds. */
  readonly mark: { readonly t: number; readonly text: string } | undefined;
  /** Where the reader points. It outlives the chart, which each new price replaces. */
  readonly pointer: { current: Pointer | undefined };
  /** Gets the values under the pointer, and undefined when the pointer leaves. */
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
  const labels = lines.map(endLabel);
  // The labels are in the page before the chart, because their width decides the room beside it.
  element.append(...labels);
  const mark = markElement(chart.mark?.text ?? '');
  const pointer = chart.pointer.current;
  const lastInput: LastInput = { isTouch: pointer?.isTouch ?? false };
  // The times of all lines, and the percentages of each line at these times.
  const data = uPlot.join(
    lines.map(({ points }) => [points.map(({ t }) => t), points.map(({ p }) => p * 100)]),
  );
  const options: uPlot.Options = {
    ...lookOf(element, chart, lines, labels),
    axes: [timeAxis(data[0]), valueAxis(chart.whole)],
    hooks: {
      init: [(plot) => plot.over.append(...labels, mark)],
      // The pointer of the chart before, which this one replaces.
      ready: [(plot) => pointer && plot.setCursor(pointer)],
      draw: [
        (plot) => drawEnds(plot, lines, labels),
        (plot) => placeMark(plot, mark, chart.mark?.t),
      ],
      setCursor: [(plot) => reportReading(plot, chart, lastInput.isTouch)],
    },
  };
  const drawnChart = new uPlot(options, data, element);
  const stopListening = listenToChart(element, drawnChart, lastInput);
  return () => {
    stopListening();
    drawnChart.destroy();
  };
}

/** The size and the look of the chart, without its axes. */
function lookOf(
  element: HTMLElement,
  chart: Chart,
  lines: readonly Line[],
  labels: readonly HTMLElement[],
): uPlot.Options {
  const labelRoom = () => Math.max(...labels.map(({ offsetWidth }) => offsetWidth)) + LABEL_GAP;
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    // Above, right, below, left.
    padding: [chart.mark ? TOP_WITH_MARK : TOP, labelRoom, 0, 0],
    legend: { show: false },
    cursor: cursorOf(lines),
    scales: { y: { range: (_, low, high) => (chart.whole ? [0, 100] : padded(low, high)) } },
    // The first series of uPlot is the time.
    series: [{}, ...lines.map((line) => seriesOf(line, lines.length === 1))],
  };
}

/** The element of a marked time. */
function markElement(text: string): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'mark';
  mark.textContent = text;
  return mark;
}

/** Moves the mark to its time. Its text is on the side with more room. */
function placeMark({ over, valToPos }: uPlot, mark: HTMLElement, time: number | undefined): void {
  const left = time === undefined ? -1 : valToPos(time, 'x');
  mark.hidden = left < 0 || left > over.clientWidth;
  mark.style.left = `${left}px`;
  mark.classList.toggle('before', left > over.clientWidth / 2);
}

/** Reports the values under the cursor, and keeps its position for the next chart. */
function reportReading(plot: uPlot, { pointer, onReading }: Chart, isTouch: boolean): void {
  // `idx` is the index of the time, `idxs` has that of each series (`dataIdx` of the cursor).
  const { idx, idxs = [], left = -1, top = 0 } = plot.cursor;
  const t = left < 0 ? undefined : plot.data[0][idx ?? -1];
  if (t === undefined) {
    pointer.current = undefined;
    onReading(undefined);
    return;
  }
  pointer.current = { left, top, isTouch };
  const [, ...percentages] = plot.data;
  const values = percentages.map((line, n) => line[idxs[n + 1] ?? -1] ?? undefined);
  const { offsetLeft, offsetTop } = plot.over;
  onReading({ t, values, left: offsetLeft + left, top: offsetTop + top, isTouch });
}
