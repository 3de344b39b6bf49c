import type { PriceHistory } from 'market-data-proxy-client';
import { useEffect, useState } from 'preact/hooks';
import type { Point } from '../charts/price-chart.ts';
import { direction } from '../format.ts';
import { client, remembered, requestsLeft } from '../state/service.ts';

/** Rows of one request. */
const MAX_SPARKS = 20;
/** Fewer remaining requests are kept for the reader's actions. */
const MIN_REQUESTS_LEFT = 20;
const KEPT_MS = 10 * 60_000;
/** Minutes between points: a line is 72 pixels wide. */
const FIDELITY = 180;
const WIDTH = 72;
const HEIGHT = 22;
/** 0..1; a smaller range is drawn flatter. */
const MIN_RANGE = 0.04;

/** Seven days of the first rows, read in one request and kept for ten minutes. */
export function useSparks(tokens: readonly string[]): (token: string) => readonly Point[] | undefined {
  const [histories, setHistories] = useState<Readonly<Record<string, PriceHistory | null>>>({});
  const first = tokens.slice(0, MAX_SPARKS);
  const key = first.join();
  useEffect(() => {
    if (first.length === 0 || requestsLeft() < MIN_REQUESTS_LEFT) return;
    let current = true;
    remembered(key, KEPT_MS, () => client.priceHistories(first, { interval: '1w', fidelity: FIDELITY }))
      .then(({ data }) => current && setHistories(data))
      // The lines are an ornament.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [key]);
  return (token) => histories[token]?.history;
}

/** Over its first price, without a scale: the columns beside it have the numbers. */
export function Spark({ points }: { readonly points: readonly Point[] | undefined }) {
  const [start] = points ?? [];
  const end = points?.at(-1);
  if (!points || !start || !end || points.length < 2) return null;
  const prices = points.map(({ p }) => p);
  const low = Math.min(...prices);
  const range = Math.max(MIN_RANGE, Math.max(...prices) - low);
  const middle = (low + Math.max(...prices)) / 2;
  const height = (p: number) => (HEIGHT / 2 - ((p - middle) / range) * (HEIGHT - 4)).toFixed(1);
  const place = ({ t, p }: Point) => `${(((t - start.t) / (end.t - start.t)) * WIDTH).toFixed(1)},${height(p)}`;
  return (
    <svg
      class={`spark ${direction((end.p - start.p) * 100)}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path d={`M0 ${height(start.p)}h${WIDTH}`} />
      <polyline points={points.map(place).join(' ')} />
    </svg>
  );
}
