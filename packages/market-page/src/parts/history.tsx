/**
 * A price chart with the choice of its range, the values under the pointer, and its points as CSV.
 * `priceChart` draws the lines; this file reads their points and gives the chart its controls.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { chartCsv, chartSummary, readingText } from '../charts/chart-text.ts';
import type { Line } from '../charts/end-labels.ts';
import type { Point } from '../charts/layout.ts';
import { type Chart, type Pointer, priceChart, type Reading } from '../charts/price-chart.ts';
import { RANGES, type Range } from '../charts/ranges.ts';
import { saveFile } from '../state/save-file.ts';
import { useSimulated } from '../state/status.ts';
import { useRead } from '../state/use-read.ts';
import { ChartTip } from './chart-tip.tsx';

/** How often the histories of an open market are read again. */
const REREAD_MS = 300_000;

/** A line whose points are to be read: `HistoryProps.readPoints` returns them. */
interface LineToRead extends Omit<Line, 'points'> {
  readonly token: string;
  /** The last point of the line: the present price, or the payout. */
  readonly end: Point | undefined;
}

/** A line with its points. */
type DrawnLine = LineToRead & Line;

interface HistoryProps {
  readonly ranges: readonly Range[];
  /** The range that is shown first. */
  readonly first: Range;
  readonly lines: readonly LineToRead[];
  /** The outcome of a single line, which has no name. */
  readonly label?: string;
  /** A time that the chart marks with a text. */
  readonly mark: Chart['mark'];
  /** Whether the lines can still grow. */
  readonly isLive: boolean;
  /** Reads the points by token. */
  readonly readPoints: (
    tokens: readonly string[],
    range: Range,
  ) => Promise<ReadonlyMap<string, readonly Point[]>>;
}

export function History(props: HistoryProps) {
  const { ranges, lines, label = 'Yes', mark, isLive, readPoints } = props;
  const [range, setRange] = useState(props.first);
  /** Whether the axis reaches from 0 to 100 %. */
  const [whole, setWhole] = useState(false);
  const { histories, isReading, failed } = useHistories(range, lines, isLive, readPoints);
  // The same points are the same value, so that the chart is not drawn again.
  const drawn = useMemo(() => drawnLines(lines, histories), [histories, JSON.stringify(lines)]);
  const isEmpty = histories !== undefined && drawn.every(({ points }) => points.length < 2);
  const hasChart = histories !== undefined && !isEmpty;
  const { plotElement, reading } = usePlot(hasChart ? drawn : undefined, whole, mark);
  const summary = `${RANGES[range].name}: ${chartSummary(drawn, label)}`;
  /** The attributes with which screen readers read the chart. */
  const description = hasChart
    ? sliderOf(summary, drawn, reading)
    : ({ role: 'img', 'aria-label': summary } as const);
  return (
    <section class="history" aria-label="Probability over time">
      <fieldset class="chips" aria-label="Range">
        <RangeChips ranges={ranges} chosen={range} choose={setRange} />
        <button
          type="button"
          class="chip whole"
          aria-pressed={whole}
          onClick={() => setWhole(!whole)}
        >
          0–100%
        </button>
      </fieldset>
      <div class={`chart ${histories || failed ? '' : 'waits'}`} aria-busy={isReading}>
        <div class="plot" ref={plotElement} {...description} />
        {isEmpty && <p class="empty">There are no prices over time in this period.</p>}
        {!histories && failed && <p class="empty">The price history could not be read yet.</p>}
        {reading && !isEmpty && plotElement.current && (
          <ChartTip reading={reading} lines={drawn} chart={plotElement.current} />
        )}
      </div>
      <Origin lines={hasChart ? drawn : []} label={label} />
    </section>
  );
}

/**
 * Draws the chart into `plotElement`, again for other lines or another axis. `reading` has the
 * values under the pointer, while the reader points at the chart.
 *
 * @param lines undefined if there is nothing to draw
 */
function usePlot(lines: readonly DrawnLine[] | undefined, whole: boolean, mark: Chart['mark']) {
  const [reading, setReading] = useState<Reading>();
  const pointer = useRef<Pointer>(undefined);
  const plotElement = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!plotElement.current || !lines) return;
    return priceChart(plotElement.current, { lines, whole, mark, pointer, onReading: setReading });
  }, [lines, whole]);
  return { plotElement, reading };
}

/**
 * Reads the points of lines. The points of the last range or outcome stay until the new ones arrive
 * or cannot be read.
 */
function useHistories(
  range: Range,
  lines: readonly LineToRead[],
  isLive: boolean,
  readPoints: HistoryProps['readPoints'],
) {
  const tokens = lines.map(({ token }) => token);
  const { value, error } = useRead(
    'history',
    `${range} ${tokens}`,
    () => readPoints(tokens, range),
    isLive ? { everyMs: REREAD_MS } : {},
  );
  const failed = error !== undefined;
  const last = useRef(value);
  if (value !== undefined || failed) last.current = value;
  return { histories: last.current, isReading: !value && !failed, failed };
}

/** The choice of the range. A market that is younger than a day has only one. */
function RangeChips(props: {
  readonly ranges: readonly Range[];
  readonly chosen: Range;
  readonly choose: (range: Range) => void;
}) {
  const { ranges, chosen, choose } = props;
  if (ranges.length === 1) return null;
  return ranges.map((range) => (
    <button
      key={range}
      type="button"
      class="chip"
      aria-pressed={range === chosen}
      aria-label={`${RANGES[range].label}: ${RANGES[range].name}`}
      onClick={() => choose(range)}
    >
      {RANGES[range].label}
    </button>
  ));
}

/** Says whose prices the chart shows, and offers its points as a file, if there are any. */
function Origin({
  lines,
  label,
}: {
  readonly lines: readonly DrawnLine[];
  readonly label: string;
}) {
  const origin = `${pricesInWords(useSimulated())}, read by ${location.host}`;
  return (
    <p class="origin muted">
      {origin}{' '}
      {lines.length > 0 && (
        <button
          type="button"
          class="small"
          title="The points of the chart"
          onClick={() => saveFile(chartCsv(lines, label, origin), 'prices.csv')}
        >
          CSV
        </button>
      )}
    </p>
  );
}

/** Whose prices the chart shows. @param isSimulated undefined: unknown yet */
function pricesInWords(isSimulated: boolean | undefined): string {
  if (isSimulated === undefined) return 'Prices';
  return isSimulated ? 'Simulated prices' : 'Prices of Polymarket';
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

/** The lines with their points. A line without a history has only its end. */
function drawnLines(
  lines: readonly LineToRead[],
  histories: ReadonlyMap<string, readonly Point[]> | undefined,
): readonly DrawnLine[] {
  return lines.map((line) => {
    const points = histories?.get(line.token) ?? [];
    return { ...line, points: withEnd(points, line.end) };
  });
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
