import { ApiError } from 'market-data-proxy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { depthOf, type Level } from '../charts/depth.ts';
import { type DepthPoint, depthChart } from '../charts/depth-chart.ts';
import { cents, clockTime, shares } from '../format.ts';
import { useInView, useOnline } from '../state/browser.ts';
import { client } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';
import { Ladder } from './ladder.tsx';

/** 6 of the 60 requests that the service allows in a minute. */
const POLL_MS = 10_000;

/** Bids and asks, updated while they are visible. @param onCall called with the address of the API call */
export function OrderBook(props: { readonly token: string; readonly onCall: (url: string) => void }) {
  const { token, onCall } = props;
  const section = useRef<HTMLElement>(null);
  const inView = useInView(section);
  const online = useOnline();
  const { value, error, readAt } = useRead('book', token, (signal) => readBook(token, signal), {
    everyMs: POLL_MS,
    while: inView,
  });
  const isLive = inView && online && error === undefined;
  const [point, setPoint] = useState<DepthPoint>();
  const book = value?.data;
  const bids = levels(book?.bids);
  const asks = levels(book?.asks);
  const isEmpty = value === null || (book !== undefined && bids.length + asks.length === 0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (value) onCall(value.response.url);
    if (!place.current || !book || isEmpty) return;
    return depthChart(place.current, depthOf(bids, asks), setPoint);
  }, [value]);
  return (
    <section class="book" aria-label="Order book" ref={section}>
      <h3>
        Order book{' '}
        {readAt !== undefined && (
          <small>
            {isLive ? 'live' : inView ? 'not live' : 'paused'} · read at {clockTime(readAt, true)}
          </small>
        )}
      </h3>
      <Quote bid={bids[0]?.price} ask={asks[0]?.price} loaded={book !== undefined} />
      <div
        class={`chart depth ${value === undefined && error === undefined ? 'waits' : ''}`}
        ref={place}
        role="img"
        aria-label="Depth of the order book"
      >
        {isEmpty && (
          <p class="empty">{value ? 'The order book is empty.' : 'Polymarket has no order book for this market.'}</p>
        )}
        {value === undefined && error !== undefined && <p class="empty">The order book could not be read yet.</p>}
      </div>
      <p class="reading">
        {point ? (
          `${shares(point.depth)} shares ${point.side === 'bids' ? 'bid' : 'offered'} at ${cents(point.price / 100)} or better`
        ) : book && !isEmpty ? (
          <>
            Shares at a price or better: <b class="up">■ bids</b> <b class="down">■ asks</b>
          </>
        ) : (
          '\u00a0'
        )}
      </p>
      <div class="ladder">
        <Ladder title="Bids" levels={bids} />
        <Ladder title="Asks" levels={asks} />
      </div>
    </section>
  );
}

/** @returns null if the upstream has no order book for the token */
function readBook(token: string, signal: AbortSignal) {
  return client.orderBook(token, {}, { signal }).catch((error: unknown) => {
    if (ApiError.is(error, 'no_order_book')) return null;
    throw error;
  });
}

function Quote(props: {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly loaded: boolean;
}) {
  const { bid, ask, loaded } = props;
  if (bid === undefined || ask === undefined) {
    return <p class="quote">{loaded ? 'One side is empty, so there is no midpoint and no spread.' : '\u00a0'}</p>;
  }
  return (
    <p class="quote">
      Midpoint <b>{cents((bid + ask) / 2)}</b> · spread <b>{cents(ask - bid)}</b>
    </p>
  );
}

function levels(side: readonly { readonly price: string; readonly size: string }[] | undefined): Level[] {
  return (side ?? []).map(({ price, size }) => ({ price: Number(price), size: Number(size) }));
}
