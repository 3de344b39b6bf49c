/**
 * What the reader does to a chart: fingers and keys move its cursor, and a new size or colour
 * scheme draws it again. uPlot itself follows the mouse.
 */
import type uPlot from 'uplot';
import { listen } from '../state/browser.ts';

/** How the reader moved the cursor last. The tip with the values is above a finger. */
export interface LastInput {
  isTouch: boolean;
}

/** A position beside the lines, which hides the cursor. Pixels. */
const OUTSIDE = { left: -10, top: -10 } as const;
/** The number of steps of the arrow keys from one end of the lines to the other. */
const KEY_STEPS = 100;
/** The same number for the keys Page Up and Page Down. */
const PAGE_STEPS = 10;

/** Listens to what the reader does. @returns a function that stops listening */
export function listenToChart(element: HTMLElement, plot: uPlot, lastInput: LastInput): () => void {
  const stops = [
    followFinger(element, plot, lastInput),
    followKeys(element, plot, lastInput),
    redrawInNewSize(element, plot),
    listen(matchMedia('(prefers-color-scheme: dark)'), ['change'], () => plot.redraw()),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Moves the cursor to a finger, and hides it when the finger leaves. */
function followFinger(element: HTMLElement, plot: uPlot, lastInput: LastInput): () => void {
  const stopMoves = listen<PointerEvent>(element, ['pointerdown', 'pointermove'], (event) => {
    lastInput.isTouch = event.pointerType === 'touch';
    if (!lastInput.isTouch) return;
    const { left, top } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: event.clientX - left, top: event.clientY - top });
  });
  const stopEnds = listen<PointerEvent>(element, ['pointerup', 'pointercancel'], (event) => {
    if (event.pointerType === 'touch') plot.setCursor(OUTSIDE);
  });
  return () => {
    stopMoves();
    stopEnds();
  };
}

/** Moves the cursor as the keys of a slider do, and hides it when the chart loses the focus. */
function followKeys(element: HTMLElement, plot: uPlot, lastInput: LastInput): () => void {
  const times = plot.data[0];
  const last = times.length - 1;
  const step = Math.ceil(last / KEY_STEPS);
  const page = Math.ceil(last / PAGE_STEPS);
  /** How many points each key moves the cursor. */
  const moves: Readonly<Record<string, number>> = {
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
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    lastInput.isTouch = false;
    // A hidden cursor starts at the last point.
    const { left = -1, idx } = plot.cursor;
    const from = left < 0 ? last : (idx ?? last);
    const to = Math.min(last, Math.max(0, from + move));
    plot.setCursor({ left: plot.valToPos(times[to] ?? 0, 'x'), top: plot.over.clientHeight / 2 });
  });
  const stopBlur = listen(element, ['blur'], () => plot.setCursor(OUTSIDE));
  return () => {
    stopKeys();
    stopBlur();
  };
}

/** Draws the chart again when its element gets another size. */
function redrawInNewSize(element: HTMLElement, plot: uPlot): () => void {
  const observer = new ResizeObserver(() =>
    plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
  );
  observer.observe(element);
  return () => observer.disconnect();
}
