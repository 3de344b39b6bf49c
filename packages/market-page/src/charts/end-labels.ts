/** The lines of a chart, and the labels at their ends. */
import uPlot from 'uplot';
import { cents, percent } from '../format.ts';
import { type Point, spread } from './layout.ts';

/** The radius of the dot at a line's end, in pixels. */
const DOT_RADIUS = 3.5;
/** A payout ends its market, so its dot is larger. */
const PAYOUT_DOT_RADIUS = 5;
/** The height of a label, in pixels. */
const LABEL_HEIGHT = 17;
/** The gap between a line's end and its label, in pixels. */
export const LABEL_GAP = 12;

/** A line of a chart. */
export interface Line {
  /** Empty for a single line. */
  readonly name: string;
  /** The number of its colour: `--series-N` in the style sheet. */
  readonly colour: number;
  /** Oldest first. */
  readonly points: readonly Point[];
}

/**
 * A colour of the style sheet, as a canvas needs it. A canvas does not resolve `var()`, but the
 * browser does in an element's style. So the function sets the outline colour of the chart's
 * element, which shows no outline, and reads the computed colour. If it set a style of `<html>`,
 * the browser would style all rows of the page again.
 *
 * @param name of the CSS variable, without `--`
 * @param share opacity in percent
 */
export function colour({ root: chart }: uPlot, name: string, share = 100): string {
  chart.style.outlineColor = `color-mix(in srgb, var(--${name}) ${share}%, transparent)`;
  return getComputedStyle(chart).outlineColor;
}

/** The label at a line's end: its name, and its last price or payout. */
export function endLabel({ name, colour: series, points }: Line): HTMLElement {
  const label = document.createElement('span');
  const last = points.at(-1);
  label.className = 'end-label';
  label.style.setProperty('--series', `var(--series-${series})`);
  const words = document.createElement('span');
  words.textContent = name;
  const value = document.createElement('b');
  if (last) value.textContent = last.payout ? `pays ${cents(last.p)}` : percent(last.p * 100);
  label.append(...(name ? [words] : []), value);
  return label;
}

/** Draws the ends of lines, and places labels beside them. Labels that would overlap move apart. */
export function drawEnds(
  plot: uPlot,
  lines: readonly Line[],
  labels: readonly HTMLElement[],
): void {
  const { over } = plot;
  const dots = lines.map((line) => dotOf(plot, line));
  // The middle of a label is beside its dot, which may be at the lower edge of the lines. `spread`
  // leaves room for a whole label below the last position, so its end is one label below that edge.
  const positions = dots.map(({ y }) => y);
  const middles = spread(positions, LABEL_HEIGHT, over.clientHeight + LABEL_HEIGHT);
  for (const [n, dot] of dots.entries()) {
    const middle = middles[n] ?? dot.y;
    const label = labels[n];
    const position = `${over.clientWidth + LABEL_GAP}px, ${middle - LABEL_HEIGHT / 2}px`;
    if (label) label.style.transform = `translate(${position})`;
    drawEnd(plot, dot, middle);
  }
}

/** The dot at the end of a line. Pixels from the left and top edge of the lines. */
interface Dot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: string;
}

function dotOf(plot: uPlot, line: Line): Dot {
  const end = line.points.at(-1);
  return {
    x: plot.valToPos(end?.t ?? 0, 'x'),
    y: plot.valToPos((end?.p ?? 0) * 100, 'y'),
    radius: end?.payout ? PAYOUT_DOT_RADIUS : DOT_RADIUS,
    colour: colour(plot, `series-${line.colour}`),
  };
}

/** Draws a dot, and a stroke to the middle of its label if that had to move. */
function drawEnd(plot: uPlot, dot: Dot, labelMiddle: number): void {
  const { ctx, bbox, over } = plot;
  ctx.save();
  ctx.translate(bbox.left, bbox.top);
  ctx.scale(uPlot.pxRatio, uPlot.pxRatio);
  ctx.fillStyle = dot.colour;
  ctx.strokeStyle = dot.colour;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.arc(dot.x, dot.y, dot.radius, 0, 2 * Math.PI);
  ctx.fill();
  if (Math.abs(labelMiddle - dot.y) > 2) {
    ctx.beginPath();
    ctx.moveTo(over.clientWidth + 4, dot.y);
    ctx.lineTo(over.clientWidth + LABEL_GAP - 2, labelMiddle);
    ctx.stroke();
  }
  ctx.restore();
}
