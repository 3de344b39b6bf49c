import { useEffect, useRef, useState } from 'preact/hooks';
import { priceChart } from '../charts/price-chart.ts';
import { percent } from '../format.ts';
import { client } from '../state/api.ts';
import { useRead } from '../state/use-read.ts';
import { Notice, sentenceOf } from './notices.tsx';

const INTERVALS = [
  ['1d', '1 day'],
  ['1w', '1 week'],
  ['1m', '1 month'],
  ['3m', '3 months'],
] as const;

/** The probability over time. */
export function History({ token }: { readonly token: string }) {
  const [interval, setInterval] = useState<(typeof INTERVALS)[number][0]>('1w');
  const { value, error } = useRead(`${token} ${interval}`, (signal) =>
    client.priceHistory(token, { interval }, { signal }),
  );
  const points = value?.data.history;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current || !points || points.length < 2) return;
    return priceChart(place.current, points);
  }, [points]);
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
      <div class="chart" ref={place} role="img" aria-label={summary(points)} />
      {error !== undefined && <Notice kind="history">{sentenceOf(error)}</Notice>}
      {points && points.length < 2 && <p class="empty">No prices in this time.</p>}
    </section>
  );
}

function summary(points: readonly { readonly p: number }[] | undefined): string {
  const first = points?.[0];
  const last = points?.at(-1);
  if (!points || !first || !last) return 'Loading the price history';
  const prices = points.map(({ p }) => p);
  return `From ${percent(first.p * 100)} to ${percent(last.p * 100)}, lowest ${percent(Math.min(...prices) * 100)}, highest ${percent(Math.max(...prices) * 100)}`;
}
