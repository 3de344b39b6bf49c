/** The tip of a chart: the small box with the values at the time that the reader points at. */
import type { Line } from '../charts/end-labels.ts';
import type { Pointer, Reading } from '../charts/price-chart.ts';
import { percent, zonedTime } from '../format.ts';

/** The heights of the tip's parts in pixels, as in `detail.css`. */
const ROW_HEIGHT = 21;
const HEAD_HEIGHT = 36;
/** From the pointer to the tip beside it, and from a finger to the tip above it, in pixels. */
const MOUSE_GAP = 16;
const FINGER_GAP = 40;
/** About half the width of a tip, so that one above a finger does not leave the chart. */
const HALF_TIP = '6.5rem';

/** The tip: beside a mouse, above a finger, inside the chart. The most probable line is first. */
export function ChartTip(props: {
  readonly reading: Reading;
  readonly lines: readonly Line[];
  readonly chart: HTMLElement;
}) {
  const { reading, lines, chart } = props;
  const { t, values, isTouch } = reading;
  const rows = lines.flatMap(({ name, colour }, n) => {
    const value = values[n];
    return value === undefined ? [] : [{ name, colour, value }];
  });
  rows.sort((a, b) => b.value - a.value);
  const height = HEAD_HEIGHT + rows.length * ROW_HEIGHT;
  const style = isTouch ? aboveFinger(reading, chart) : besideMouse(reading, chart, height);
  return (
    <div class={`tip ${isTouch ? 'above' : ''}`} style={style} aria-hidden="true">
      <time>{zonedTime(t * 1_000)}</time>
      {rows.map(({ name, colour, value }) => (
        <p key={colour} style={{ '--series': `var(--series-${colour})` }}>
          {name && <i class="dot" />}
          {name && <span>{name}</span>}
          <b>{percent(value)}</b>
        </p>
      ))}
    </div>
  );
}

/** The place of a tip above a finger, which would cover one beside it. */
function aboveFinger({ left, top }: Pointer, chart: HTMLElement) {
  return {
    left: `clamp(${HALF_TIP}, ${left}px, 100% - ${HALF_TIP})`,
    bottom: `${chart.clientHeight - top + FINGER_GAP}px`,
  };
}

/** The place of a tip on the side of the mouse that has more room. */
function besideMouse({ left, top }: Pointer, chart: HTMLElement, height: number) {
  const { clientWidth, clientHeight } = chart;
  const isLeftHalf = left < clientWidth / 2;
  const side = isLeftHalf
    ? { left: `${left + MOUSE_GAP}px` }
    : { right: `${clientWidth - left + MOUSE_GAP}px` };
  return { ...side, top: `${Math.max(0, Math.min(top - height / 2, clientHeight - height))}px` };
}
