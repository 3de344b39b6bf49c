/** The lines of a chart, and the labels at their ends. */
import uPlot from 'uplot';
import { cents, percent } from '../format.ts';
import { type Point, spread } from './layout.ts';

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
 * A colour of the style sheet, for the canvas. The chart's own element computes it, because a style
 * of the root element would concern all rows of the page.
 *
 * @param share opacity in percent
 */
export function colour({ root }: uPlot, name: string, share = 100): string {
  root.style.outlineColor = `color-mix(in srgb, var(--${name}) ${share}%, transparent)`;
  return getComputedStyle(root).outlineColor;
}

/** The label at a line's end: its name and last value. */
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

/** Places labels beside the ends of their lines. Labels that would overlap move apart. */
export function placeLabels(
  plot: uPlot,
  lines: readonly Line[],
  labels: readonly HTMLElement[],
): void {
  const { over } = plot;
  const ends = lines.map(({ points }) => points.at(-1) ?? { t: 0, p: 0 });
  const heights = ends.map(({ p }) => plot.valToPos(p * 100, 'y'));
  // Moves the middles of labels apart: the outer ones may stand out by half a label.
  const places = spread(heights, LABEL_HEIGHT, over.clientHeight + LABEL_HEIGHT);
  for (const [n, label] of labels.entries()) {
    const [place = 0, height = 0, end] = [places[n], heights[n], ends[n]];
    label.style.transform = `translate(${over.clientWidth + LABEL_GAP}px, ${place - LABEL_HEIGHT / 2}px)`;
    const dot = { x: plot.valToPos(end?.t ?? 0, 'x'), y: height, radius: end?.payout ? 5 : 3.5 };
    drawEnd(plot, colour(plot, `series-${lines[n]?.colour}`), dot, place);
  }
}

/** Draws a dot at the end of a line, and a stroke to its label if that had to move. */
function drawEnd(
  plot: uPlot,
  stroke: string,
  dot: { x: number; y: number; radius: number },
  label: number,
): void {
  const { ctx, bbox, over } = plot;
  ctx.save();
  ctx.translate(bbox.left, bbox.top);
  ctx.scale(uPlot.pxRatio, uPlot.pxRatio);
  ctx.fillStyle = ctx.strokeStyle = stroke;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.arc(dot.x, dot.y, dot.radius, 0, 2 * Math.PI);
  ctx.fill();
  if (Math.abs(label - dot.y) > 2) {
    ctx.beginPath();
    ctx.moveTo(over.clientWidth + 4, dot.y);
    ctx.lineTo(over.clientWidth + LABEL_GAP - 2, label);
    ctx.stroke();
  }
  ctx.restore();
}
