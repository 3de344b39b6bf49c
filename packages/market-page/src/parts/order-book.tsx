import { useEffect, useRef, useState } from 'preact/hooks';
import { depthChart } from '../charts/depth-chart.ts';
import { cents } from '../format.ts';
import { client } from '../state/api.ts';
import { useRead } from '../state/use-read.ts';
import { Notice, sentenceOf } from './notices.tsx';

/** Twelve requests a minute of the sixty. */
const POLL_MS = 5_000;
const LEVELS = 8;

interface Level {
  readonly price: number;
  readonly size: number;
}

/** Bids and asks, read again while they are in view. */
export function OrderBook({ token }: { readonly token: string }) {
  const section = useRef<HTMLElement>(null);
  const inView = useInView(section);
  const { value, error } = useRead(
    `${token} ${inView}`,
    (signal) => client.orderBook(token, {}, { signal }),
    inView ? POLL_MS : undefined,
  );
  const [book, setBook] = useState(value?.data);
  useEffect(() => {
    if (value) setBook(value.data);
  }, [value]);
  const bids = levels(book?.bids);
  const asks = levels(book?.asks);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current || !book || bids.length + asks.length === 0) return;
    return depthChart(place.current, bids, asks);
  }, [book]);
  const best = { bid: bids[0]?.price, ask: asks[0]?.price };
  return (
    <section class="book" aria-label="Order book" ref={section}>
      <h3>Order book</h3>
      {error !== undefined && <Notice kind="book">{sentenceOf(error)}</Notice>}
      <p class="quote">
        {best.bid !== undefined && best.ask !== undefined ? (
          <>
            Midpoint <b>{cents((best.bid + best.ask) / 2)}</b> · spread <b>{cents(best.ask - best.bid)}</b>
          </>
        ) : (
          book && 'One side is empty: no midpoint and no spread.'
        )}
      </p>
      <div class="chart depth" ref={place} role="img" aria-label="Depth of the order book" />
      <div class="ladder">
        <Ladder title="Bids" levels={bids} />
        <Ladder title="Asks" levels={asks} />
      </div>
    </section>
  );
}

function Ladder({ title, levels }: { readonly title: string; readonly levels: readonly Level[] }) {
  return (
    <table class={title.toLowerCase()}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Price</th>
          <th scope="col">Shares</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: LEVELS }, (_, n) => levels[n]).map((level, n) => (
          <tr key={n}>
            <td>{level ? cents(level.price) : '\u00a0'}</td>
            <td>{level ? level.size.toLocaleString('en', { maximumFractionDigits: 0 }) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function levels(side: readonly { readonly price: string; readonly size: string }[] | undefined): Level[] {
  return (side ?? []).map(({ price, size }) => ({ price: Number(price), size: Number(size) }));
}

function useInView(element: { readonly current: HTMLElement | null }): boolean {
  const [inView, setInView] = useState(true);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) =>
      setInView(entries.some((entry) => entry.isIntersecting)),
    );
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return inView;
}
