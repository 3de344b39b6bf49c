import type uPlot from 'uplot';

/** Colours as the style sheet has them, so that charts follow light and dark. */
export function colour(name: 'accent' | 'up' | 'down' | 'muted' | 'line'): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The same quiet axis for every chart. */
export function axis(): uPlot.Axis {
  return {
    stroke: colour('muted'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
}

/** Calls again when the reader switches between light and dark, or the place changes its width. @returns ends it */
export function onChange(place: HTMLElement, draw: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let width = place.clientWidth;
  const resized = new ResizeObserver(() => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    draw();
  });
  resized.observe(place);
  dark.addEventListener('change', draw);
  return () => {
    resized.disconnect();
    dark.removeEventListener('change', draw);
  };
}
