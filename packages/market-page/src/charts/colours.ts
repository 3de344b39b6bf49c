import type uPlot from 'uplot';

export type Colour = 'accent' | 'up' | 'down' | 'muted' | 'line' | `series-${number}`;

/** A colour of the style sheet, so that charts follow light and dark mode. */
export function colour(name: Colour): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The axis style of all charts. */
export function axis(): uPlot.Axis {
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
export function keepDrawn(element: HTMLElement, make: () => uPlot): () => void {
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
