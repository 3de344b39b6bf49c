import { useEffect, useRef, useState } from 'preact/hooks';
import { DASHES, type Point, priceChart, type Reading } from '../charts/price-chart.ts';
import { dateTime, percent } from '../format.ts';
import type { Row } from '../state/list.ts';
import { client } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';

const LABELS = { '1d': '1 day', '1w': '1 week', '1m': '1 month', '3m': '3 months', max: 'Max' } as const;
type Interval = keyof typeof LABELS;

/** The series of one request. */
interface Series {
  readonly url: string;
  readonly lines: readonly (readonly Point[])[];
}

/** About 300 points a line, which the chart can show. */
const EVENT_QUERIES = {
  '1d': { interval: '1d', fidelity: 5 },
  '1w': { interval: '1w', fidelity: 30 },
  '1m': { interval: '1m', fidelity: 150 },
} as const;

/** The probability of one market over time. @param props.onCall called with the address of the API call */
export function MarketHistory(props: {
  readonly token: string;
  readonly ended: boolean;
  readonly onCall: (url: string) => void;
}) {
  const { token, ended, onCall } = props;
  return (
    <History
      of={token}
      intervals={['1d', '1w', '1m', '3m', 'max']}
      // A market that has ended may have no prices in the last week.
      first={ended ? 'max' : '1w'}
      onCall={onCall}
      read={async (interval, signal) => {
        const { data, response } = await client.priceHistory(token, { interval }, { signal });
        return { url: response.url, lines: [data.history] };
      }}
    />
  );
}

/** The most probable outcomes of an event over time, from one request. @param props.rows most probable first */
export function EventHistory({ rows }: { readonly rows: readonly Row[] }) {
  // Chosen once: the lines do not change places while prices move.
  const [chosen] = useState(() => rows.slice(0, DASHES.length));
  const outcomes = chosen.map((row) => rows.find(({ id }) => id === row.id) ?? row);
  const tokens = chosen.map(({ clobTokenId }) => clobTokenId);
  return (
    <History
      of={tokens.join()}
      intervals={['1d', '1w', '1m']}
      first="1m"
      outcomes={outcomes}
      read={async (interval, signal) => {
        const query = EVENT_QUERIES[interval as keyof typeof EVENT_QUERIES];
        const { data, response } = await client.priceHistories(tokens, query, { signal });
        return { url: response.url, lines: tokens.map((token) => data[token]?.history ?? []) };
      }}
    />
  );
}

function History(props: {
  /** Identifies what the lines show. */
  readonly of: string;
  readonly intervals: readonly Interval[];
  readonly first: Interval;
  /** Of several lines. */
  readonly outcomes?: readonly Row[];
  readonly read: (interval: Interval, signal: AbortSignal) => Promise<Series>;
  readonly onCall?: (url: string) => void;
}) {
  const { of, intervals, outcomes, read, onCall } = props;
  const [interval, setInterval] = useState(props.first);
  const [whole, setWhole] = useState(false);
  const [reading, setReading] = useState<Reading>();
  const { value, error } = useRead('history', `${of} ${interval}`, (signal) => read(interval, signal));
  const place = useRef<HTMLDivElement>(null);
  const isEmpty = value?.lines.every((points) => points.length < 2) ?? false;
  useEffect(() => {
    if (value) onCall?.(value.url);
    if (!place.current || !value || isEmpty) return;
    return priceChart(place.current, value.lines, whole, setReading);
  }, [value, whole]);
  const summary = outcomes ? `Lines of ${outcomes.map(nameOf).join(', ')}` : summaryOf(value?.lines[0]);
  const time = reading && dateTime(reading.t * 1_000);
  return (
    <section class="history" aria-label="Probability over time">
      <fieldset class="chips" aria-label="Interval">
        {intervals.map((name) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={interval === name}
            onClick={() => setInterval(name)}
          >
            {LABELS[name]}
          </button>
        ))}
        <button type="button" class="chip whole" aria-pressed={whole} onClick={() => setWhole(!whole)}>
          0–100 %
        </button>
      </fieldset>
      <div class={`chart ${value || error ? '' : 'waits'}`} ref={place} role="img" aria-label={summary}>
        {isEmpty && <p class="empty">There are no prices over time in this period.</p>}
        {!value && error !== undefined && <p class="empty">The price history could not be read yet.</p>}
      </div>
      <p class="reading muted">
        {outcomes ? (time ?? 'Now') : reading ? `${time}: ${percent(reading.values[0])}` : summary}
      </p>
      {outcomes && (
        <ul class="legend">
          {outcomes.map((row, n) => (
            <li key={row.id}>
              <svg class="swatch" stroke={`var(--series-${n + 1})`} width="32" height="4" aria-hidden="true">
                <line x1="0" y1="2" x2="32" y2="2" stroke-dasharray={DASHES[n]?.join(' ')} />
              </svg>
              <span>{nameOf(row)}</span>
              <b>{percent(reading ? reading.values[n] : row.currentProbability)}</b>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const nameOf = ({ groupItemTitle, question }: Row) => groupItemTitle ?? question;

function summaryOf(points: readonly Point[] | undefined): string {
  if (!points) return '\u00a0';
  const values = points.map(({ p }) => p * 100);
  if (values.length < 2) return 'No price history';
  const [lowest, highest] = [Math.min(...values), Math.max(...values)].map(percent);
  return `${percent(values[0])} → ${percent(values.at(-1))} · lowest ${lowest}, highest ${highest}`;
}
