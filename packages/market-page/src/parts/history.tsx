/** A price chart with its ranges, its values as CSV, and the values under the pointer. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { chartCsv, chartSummary, readingText } from '../charts/chart-text.ts';
import type { Line } from '../charts/end-labels.ts';
import type { Point } from '../charts/layout.ts';
import { type Chart, type Pointer, priceChart, type Reading } from '../charts/price-chart.ts';
import { RANGES, type Range } from '../charts/ranges.ts';
import { percent, zonedTime } from '../format.ts';
import { saveFile } from '../state/save-file.ts';
import { useSimulated } from '../state/status.ts';
import { useRead } from '../state/use-read.ts';

/** How often the histories of an open market are read again. */
const REREAD_MS = 300_000;
/** The heights of the tip's parts in pixels, as in `detail.css`. */
const TIP_ROW = 21;
const TIP_HEAD = 36;
/** From the pointer to the tip beside it, and from a finger to the tip above it, in pixels. */
const MOUSE_GAP = 16;
const FINGER_GAP = 40;
/** About half the width of a tip, so that one above a finger does not leave the chart. */
const HALF_TIP = '6.5rem';

/** Whose prices the chart shows, by whether they are simulated. */
const ORIGINS: Readonly<Record<string, string>> = {
  true: 'Simulated prices',
  false: 'Prices of Polymarket',
  undefined: 'Prices',
};

/** A line to draw. `HistoryProps.read` returns its points. */
interface HistoryLine extends Omit<Line, 'points'> {
  readonly token: string;
  /** The present price, or the payout. */
  readonly end: Point | undefined;
}

/** What the chart shows and how it reads it. */
interface HistoryProps {
  readonly ranges: readonly Range[];
  /** The range that is shown first. */
  readonly first: Range;
  readonly lines: readonly HistoryLine[];
  /** The outcome of a single line. */
  readonly label?: string;
  readonly mark: Chart['mark'];
  /** Whether the lines can still grow. */
  readonly isLive: boolean;
  /** Reads the points of the tokens. */
  readonly read: (
    tokens: readonly string[],
    range: Range,
  ) => Promise<ReadonlyMap<string, readonly Point[]>>;
}

/** A price chart with the choice of its range. Reads the points of its lines itself. */
export function History({ ranges, first, lines, label = 'Yes', mark, isLive, read }: HistoryProps) {
  const origin = ORIGINS[String(useSimulated())];
  const [range, setRange] = useState(first);
  const [whole, setWhole] = useState(false);
  const [reading, setReading] = useState<Reading>();
  const pointer = useRef<Pointer>(undefined);
  const plotElement = useRef<HTMLDivElement>(null);
  const tokens = lines.map(({ token }) => token);
  const { value, error } = useRead(
    'history',
    `${range} ${tokens}`,
    () => read(tokens, range),
    isLive ? { everyMs: REREAD_MS } : {},
  );
  // Lines stay until those of another range or outcome arrive, or cannot be read.
  const shownHistories = useRef(value);
  if (value !== undefined || error !== undefined) shownHistories.current = value;
  const histories = shownHistories.current;
  const drawn = useMemo(
    () =>
      lines.map((line) => ({
        ...line,
        points: withEnd(histories?.get(line.token) ?? [], line.end),
      })),
    [histories, JSON.stringify(lines)],
  );
  const summary = `${RANGES[range][1]}: ${chartSummary(drawn, label)}`;
  const isEmpty = histories !== undefined && drawn.every(({ points }) => points.length < 2);
  useEffect(() => {
    if (!plotElement.current || !histories || isEmpty) return;
    const options = { lines: drawn, whole, mark, pointer, onReading: setReading };
    return priceChart(plotElement.current, options);
  }, [drawn, whole]);
  return (
    <section class="history" aria-label="Probability over time">
      <fieldset class="chips" aria-label="Range">
        {ranges.length > 1 &&
          ranges.map((name) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={range === name}
              aria-label={RANGES[name].join(': ')}
              onClick={() => setRange(name)}
            >
              {RANGES[name][0]}
            </button>
          ))}
        <button
          type="button"
          class="chip whole"
          aria-pressed={whole}
          onClick={() => setWhole(!whole)}
        >
          0–100%
        </button>
      </fieldset>
      <div class={`chart ${histories || error ? '' : 'waits'}`} aria-busy={!value && !error}>
        <div
          class="plot"
          ref={plotElement}
          {...(isEmpty || !histories
            ? { role: 'img', 'aria-label': summary }
            : sliderOf(summary, drawn, reading))}
        />
        {isEmpty && <p class="empty">There are no prices over time in this period.</p>}
        {!histories && error !== undefined && (
          <p class="empty">The price history could not be read yet.</p>
        )}
        {reading && !isEmpty && plotElement.current && (
          <Tip reading={reading} lines={drawn} chart={plotElement.current} />
        )}
      </div>
      <p class="origin muted">
        {origin}, read by {location.host}{' '}
        {histories && !isEmpty && (
          <button
            type="button"
            class="small"
            title="The points of the chart"
            onClick={() =>
              saveFile(chartCsv(drawn, label, `${origin}, read by ${location.host}`), 'prices.csv')
            }
          >
            CSV
          </button>
        )}
      </p>
    </section>
  );
}

/** The chart as a slider: the arrow keys move the reading, and screen readers say it. */
function sliderOf(summary: string, lines: readonly Line[], reading: Reading | undefined) {
  const times = lines.flatMap(({ points }) => points.map(({ t }) => t));
  const last = Math.max(...times);
  const values = lines.map(({ points }) => (points.at(-1)?.p ?? 0) * 100);
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': summary,
    'aria-valuemin': Math.min(...times),
    'aria-valuemax': last,
    'aria-valuenow': reading?.t ?? last,
    'aria-valuetext': readingText(reading?.t ?? last, lines, reading?.values ?? values),
  } as const;
}

/** The points of a line up to its end, which is the price that the page shows or the payout. */
function withEnd(points: readonly Point[], end: Point | undefined): readonly Point[] {
  if (!end) return points;
  const last = points.at(-1);
  if (!last) return [end];
  if (last.payout) return points;
  // The payout ends the line, even if upstream has prices after the market's end.
  if (end.payout) return [...points, { ...end, t: Math.max(end.t, last.t + 1) }];
  // The line ends with the number that the page shows, although later points may be known.
  return [...points.filter(({ t }) => t < end.t), end];
}

/** The values under the pointer: beside a mouse, above a finger, inside the chart. */
function Tip(props: {
  readonly reading: Reading;
  readonly lines: readonly Line[];
  readonly chart: HTMLElement;
}) {
  const { reading, lines, chart } = props;
  const { t, values, isTouch } = reading;
  const rows = lines
    .map(({ name, colour }, n) => ({ name, colour, value: values[n] ?? -1 }))
    .filter(({ value }) => value >= 0)
    .sort((a, b) => b.value - a.value);
  const height = TIP_HEAD + rows.length * TIP_ROW;
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
  return {
    ...(isLeftHalf
      ? { left: `${left + MOUSE_GAP}px` }
      : { right: `${clientWidth - left + MOUSE_GAP}px` }),
    top: `${Math.max(0, Math.min(top - height / 2, clientHeight - height))}px`,
  };
}
