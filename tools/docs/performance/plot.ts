/** A line of a plot: its name and its points, both axes above 0. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const SIZE = { width: 640, height: 360 };
const MARGIN = { left: 64, right: 190, top: 24, bottom: 44 };
const COLOURS = ['#0b6e99', '#b5532a', '#4b8b3b', '#6d4c9f', '#8a6d1f', '#a03a5f'];

/** Lines over two logarithmic axes, as an SVG of its own: linear growth has a slope of 1 there. */
export function plot(
  title: string,
  labels: { readonly x: string; readonly y: string },
  series: readonly Series[],
): string {
  const all = series.flatMap(({ points }) => points);
  const x = scale(
    all.map(([value]) => value),
    MARGIN.left,
    SIZE.width - MARGIN.right,
  );
  const y = scale(
    all.map(([, value]) => value),
    SIZE.height - MARGIN.bottom,
    MARGIN.top,
  );
  const lines = series.map(({ name, points }, n) => {
    const colour = COLOURS[n % COLOURS.length];
    const path = points.map(([px, py]) => `${x.place(px)},${y.place(py)}`).join(' ');
    const [lastX, lastY] = points.at(-1) ?? [1, 1];
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>
<text x="${x.place(lastX) + 8}" y="${y.place(lastY) + 4}" fill="${colour}">${name}</text>`;
  });
  const grid = [
    ...x.ticks.map(
      (tick) =>
        `<text x="${x.place(tick)}" y="${SIZE.height - MARGIN.bottom + 18}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<line x1="${MARGIN.left}" x2="${SIZE.width - MARGIN.right}" y1="${y.place(tick)}" y2="${y.place(tick)}" stroke="#ddd"/>
<text x="${MARGIN.left - 8}" y="${y.place(tick) + 4}" text-anchor="end">${tick}</text>`,
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12" role="img">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
${grid.join('\n')}
<text x="${(MARGIN.left + SIZE.width - MARGIN.right) / 2}" y="${SIZE.height - 8}" text-anchor="middle">${labels.x}</text>
<text x="12" y="16">${labels.y}</text>
${lines.join('\n')}
</svg>
`;
}

function scale(values: readonly number[], from: number, to: number) {
  const low = Math.log10(Math.min(...values));
  const high = Math.log10(Math.max(...values));
  const place = (value: number) =>
    Math.round(from + ((Math.log10(value) - low) / (high - low || 1)) * (to - from));
  const ticks: number[] = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
    for (const step of [1, 2, 5]) {
      const tick = Number((step * 10 ** power).toPrecision(1));
      if (Math.log10(tick) >= low - 1e-9 && Math.log10(tick) <= high + 1e-9) ticks.push(tick);
    }
  }
  return {
    place,
    ticks: ticks.length > 7 ? ticks.filter((tick) => /^[0.]*1[0]*$/.test(String(tick))) : ticks,
  };
}
