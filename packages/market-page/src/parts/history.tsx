import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Line } from '../charts/end-labels.ts';
import type { Point } from '../charts/layout.ts';
import { type Chart, type Pointer, priceChart, type Reading } from '../charts/price-chart.ts';
import { RANGES, type Range } from '../charts/ranges.ts';
import { percent, zonedTime } from '../format.ts';
import { useSimulated } from '../state/status.ts';
import { useRead } from '../state/use-read.ts';

const REREAD_MS = 300_000;
/** In pixels, as in `detail.css`. */
const TIP_ROW = 21;
const TIP_HEAD = 36;

/** `read` returns its points. */
interface HistoryLine extends Omit<Line, 'points'> {
  readonly token: string;
  /** The present price, or the payout. */
  readonly end: Point | undefined;
}

interface HistoryProps {
  readonly ranges: readonly Range[];
  readonly first: Range;
  readonly lines: readonly HistoryLine[];
  /** The outcome of a single line. */
  readonly label?: string;
  readonly mark: Chart['mark'];
  /** The lines can still grow. */
  readonly isLive: boolean;
  /** By token. */
  readonly read: (
    tokens: readonly string[],
    range: Range,
  ) => Promise<ReadonlyMap<string, readonly Point[]>>;
}

export function History({ ranges, first, lines, label, mark, isLive, read }: HistoryProps) {
  const isSimulated = useSimulated();
  const [range, setRange] = useState(first);
  const [whole, setWhole] = useState(false);
  const [reading, setReading] = useState<Reading>();
  const pointer = useRef<Pointer>(undefined);
  const plot = useRef<HTMLDivElement>(null);
  const tokens = lines.map(({ token }) => token);
  const options = isLive ? { everyMs: REREAD_MS } : {};
  const { value, error } = useRead(
    'history',
    `${range} ${tokens}`,
    () => read(tokens, range),
    options,
  );
  // Lines stay until those of another range or outcome arrive.
  const last = useRef(value);
  last.current = value ?? (error === undefined ? last.current : undefined);
  const histories = last.current;
  const drawn = useMemo(
    () =>
      lines.map((line) => ({
        ...line,
        points: withEnd(histories?.get(line.token) ?? [], line.end),
      })),
    [histories, JSON.stringify(lines)],
  );
  const isEmpty = histories !== undefined && drawn.every(({ points }) => points.length < 2);
  useEffect(() => {
    if (!plot.current || !histories || isEmpty) return;
    return priceChart(plot.current, { lines: drawn, whole, mark, pointer, onReading: setReading });
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
          ref={plot}
          role="img"
          aria-label={`${RANGES[range][1]}: ${summaryOf(drawn, label)}`}
        />
        {isEmpty && <p class="empty">There are no prices over time in this period.</p>}
        {!histories && error !== undefined && (
          <p class="empty">The price history could not be read yet.</p>
        )}
        {reading && !isEmpty && plot.current && (
          <Tip reading={reading} lines={drawn} chart={plot.current} />
        )}
      </div>
      <p class="origin muted">
        {isSimulated ? 'Simulated prices' : 'Prices of Polymarket'}, read by {location.host}
      </p>
    </section>
  );
}

function withEnd(points: readonly Point[], end: Point | undefined): readonly Point[] {
  const last = points.at(-1);
  if (!end || !last) return end ? [end] : points;
  if (last.payout) return points;
  if (end.payout) return [...points, { ...end, t: Math.max(end.t, last.t + 1) }];
  // The line ends with the number that the page shows, although later points may be known.
  return [...points.filter(({ t }) => t < end.t), end];
}

/** Beside a mouse, above a finger, inside the chart. */
function Tip(props: {
  readonly reading: Reading;
  readonly lines: readonly Line[];
  readonly chart: HTMLElement;
}) {
  const { reading, lines, chart } = props;
  const { t, values, left, top, isTouch } = reading;
  const rows = lines
    .map(({ name, colour }, n) => ({ name, colour, value: values[n] ?? -1 }))
    .filter(({ value }) => value >= 0)
    .sort((a, b) => b.value - a.value);
  const height = TIP_HEAD + rows.length * TIP_ROW;
  const isLeft = left < chart.clientWidth / 2;
  const beside = isLeft
    ? { left: `${left + 16}px` }
    : { right: `${chart.clientWidth - left + 16}px` };
  const style = isTouch
    ? {
        left: `clamp(6.5rem, ${left}px, 100% - 6.5rem)`,
        bottom: `${chart.clientHeight - top + 40}px`,
      }
    : {
        ...beside,
        top: `${Math.max(0, Math.min(top - height / 2, chart.clientHeight - height))}px`,
      };
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

/** For readers who do not see the lines. */
function summaryOf(lines: readonly Line[], label = 'Yes'): string {
  const texts = lines.map(({ name, points }) => {
    const values = points.map(({ p }) => p * 100);
    if (values.length < 2) return `${name || label}, no price history`;
    const [lowest, highest] = [Math.min(...values), Math.max(...values)].map(percent);
    return `${name || label} from ${percent(values[0])} to ${percent(values.at(-1))}, lowest ${lowest}, highest ${highest}`;
  });
  return texts.join('; ');
}
