import { useEffect, useRef, useState } from 'preact/hooks';
import { depthOf, type Level } from '../charts/depth.ts';
import { type DepthPoint, depthChart } from '../charts/depth-chart.ts';
import { cents, shares } from '../format.ts';
import { client } from '../state/api.ts';
import { useInView } from '../state/use-in-view.ts';
import { useRead } from '../state/use-read.ts';
import { Ladder } from './ladder.tsx';
import { Notice, sentenceOf } from './notices.tsx';

/** 12 of the 60 requests that the service allows in a minute. */
const POLL_MS = 5_000;

/** Bids and asks, updated while they are visible. @param onCall called with the address of the API call */
export function OrderBook(props: { readonly token: string; readonly onCall: (url: string) => void }) {
  const { token, onCall } = props;
  const section = useRef<HTMLElement>(null);
  const inView = useInView(section);
  const { value, error } = useRead(token, (signal) => client.orderBook(token, {}, { signal }), {
    everyMs: POLL_MS,
    while: inView,
  });
  const [point, setPoint] = useState<DepthPoint>();
  const book = value?.data;
  const bids = levels(book?.bids);
  const asks = levels(book?.asks);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (value) onCall(value.response.url);
    if (!place.current || !book || bids.length + asks.length === 0) return;
    return depthChart(place.current, depthOf(bids, asks), setPoint);
  }, [value]);
  return (
    <section class="book" aria-label="Order book" ref={section}>
      <h3>
        Order book <small>{inView ? 'live, every 5 s' : 'paused'}</small>
      </h3>
      {error !== undefined && <Notice kind="book">{sentenceOf(error)}</Notice>}
      <Quote bid={bids[0]?.price} ask={asks[0]?.price} loaded={book !== undefined} />
      <div class={`chart depth ${book ? '' : 'waits'}`} ref={place} role="img" aria-label="Depth of the order book">
        {book && bids.length + asks.length === 0 && <p class="empty">The order book is empty.</p>}
      </div>
      <p class="reading">
        {point ? (
          `${shares(point.depth)} shares ${point.side === 'bids' ? 'bid' : 'offered'} at ${cents(point.price / 100)} or better`
        ) : (
          <>
            Shares at a price or better: <b class="up">■ bids</b> <b class="down">■ asks</b>
          </>
        )}
      </p>
      <div class="ladder">
        <Ladder title="Bids" levels={bids} />
        <Ladder title="Asks" levels={asks} />
      </div>
    </section>
  );
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
