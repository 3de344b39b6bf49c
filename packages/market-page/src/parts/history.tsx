import { useEffect, useRef, useState } from 'preact/hooks';
import { type Point, priceChart } from '../charts/price-chart.ts';
import { dateTime, percent } from '../format.ts';
import { client } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';

const INTERVALS = [
  ['1d', '1 day'],
  ['1w', '1 week'],
  ['1m', '1 month'],
  ['3m', '3 months'],
] as const;
type Interval = (typeof INTERVALS)[number][0];

/** The probability over time. @param onCall called with the address of the API call */
export function History(props: { readonly token: string; readonly onCall: (url: string) => void }) {
  const { token, onCall } = props;
  const [interval, setInterval] = useState<Interval>('1w');
  const [point, setPoint] = useState<Point>();
  const { value, error } = useRead('history', `${token} ${interval}`, (signal) =>
    client.priceHistory(token, { interval }, { signal }),
  );
  const points = value?.data.history;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (value) onCall(value.response.url);
    if (!place.current || !points || points.length < 2) return;
    return priceChart(place.current, points, setPoint);
  }, [value]);
  return (
    <section class="history" aria-label="Probability over time">
      <fieldset class="chips" aria-label="Interval">
        {INTERVALS.map(([name, label]) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={interval === name}
            onClick={() => setInterval(name)}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div class={`chart ${value || error ? '' : 'waits'}`} ref={place} role="img" aria-label={summaryOf(points)}>
        {points && points.length < 2 && <p class="empty">There are no prices in this period.</p>}
        {!points && error !== undefined && <p class="empty">The price history could not be read yet.</p>}
      </div>
      <p class="reading">{point ? `${dateTime(point.t * 1_000)}: ${percent(point.p * 100)}` : summaryOf(points)}</p>
    </section>
  );
}

function summaryOf(points: readonly Point[] | undefined): string {
  const first = points?.[0];
  const last = points?.at(-1);
  if (!points) return '\u00a0';
  if (!first || !last) return 'No price history';
  const prices = points.map(({ p }) => p * 100);
  return `${percent(first.p * 100)} → ${percent(last.p * 100)} · lowest ${percent(Math.min(...prices))}, highest ${percent(Math.max(...prices))}`;
}
