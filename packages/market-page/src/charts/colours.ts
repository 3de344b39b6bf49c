import type uPlot from 'uplot';

/** A colour of the style sheet, so that charts follow light and dark mode. */
export function colour(name: 'accent' | 'up' | 'down' | 'muted' | 'line'): string {
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

/** Calls `draw` when the colour scheme or the width changes. @returns stops it */
export function onChange(element: HTMLElement, draw: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let width = element.clientWidth;
  const resized = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    draw();
  });
  resized.observe(element);
  dark.addEventListener('change', draw);
  return () => {
    resized.disconnect();
    dark.removeEventListener('change', draw);
  };
}
