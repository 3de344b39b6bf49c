import { ApiError, type Level, type MarketWithAllFields } from 'market-data-proxy-client';
import { useEffect, useRef } from 'preact/hooks';
import { centDigits, cents, clockTimeWithSeconds, dollars } from '../format.ts';
import { useOnline, useRestInView } from '../state/browser.ts';
import { client } from '../state/service.ts';
import { tradeOf } from '../state/trade.ts';
import { useRead } from '../state/use-read.ts';

/** The book is read every ten seconds: 6 of the 60 requests allowed in a minute. */
const POLL_MS = 10_000;
/** The rows of each side. There are always as many, so that nothing moves. */
const LEVELS = 8;

/** The best prices of a market in the list. A side without bids or asks is absent. */
type Listed = Partial<Pick<MarketWithAllFields, 'bestBid' | 'bidSize' | 'bestAsk' | 'askSize'>>;

/** The live order book of YES. */
export function OrderBook(props: {
  readonly market: Listed & { readonly clobTokenId: string; readonly outcome?: string };
  readonly onCall: (url: string) => void;
}) {
  const { market, onCall } = props;
  const { clobTokenId: token, outcome = 'Yes' } = market;
  const section = useRef<HTMLElement>(null);
  const inView = useRestInView(section);
  const online = useOnline();
  const { value, error, readAt } = useRead('book', token, (signal) => readBook(token, signal), {
    everyMs: POLL_MS,
    while: inView,
  });
  const isLive = inView && online && error === undefined;
  const { bids = [], asks = [] } = value?.data ?? {};
  // One scale for both sides: equal bars are equal shares.
  const largest = Math.max(
    1,
    ...[bids, asks].flatMap((side) => side.slice(0, LEVELS)).map(({ size }) => Number(size)),
  );
  useEffect(() => {
    if (value) onCall(value.response.url);
  }, [value]);
  return (
    <section class="book" aria-label="Order book" ref={section}>
      <h3>
        Order book{' '}
        {readAt !== undefined && (
          <small>
            {isLive ? 'live' : inView ? 'not live' : 'paused'} · read at{' '}
            {clockTimeWithSeconds(readAt)}
          </small>
        )}
      </h3>
      <p class="quote">
        {value === undefined &&
          (error === undefined ? 'Loading …' : 'The order book could not be read yet.')}
        {value === null && 'Polymarket has no order book for this market.'}
        {value && <Quote bid={bids[0]} ask={asks[0]} />}
      </p>
      {value === undefined && <Best market={market} />}
      {value && (
        <p class="cost">
          <Trade verb="Buying" levels={asks} side={outcome} all="offered" result="costs" />{' '}
          <Trade verb="Selling" levels={bids} side={outcome} all="wanted" result="brings" />
        </p>
      )}
      <div class="ladder">
        <Ladder title="Bids" levels={bids} largest={largest} />
        <Ladder title="Asks" levels={asks} largest={largest} />
      </div>
    </section>
  );
}

/** The shares at the best prices of the list, until the book has been read. */
function Best({ market: { bestBid, bidSize, bestAsk, askSize } }: { readonly market: Listed }) {
  const sides = [
    ['bid', bestBid, bidSize],
    ['ask', bestAsk, askSize],
  ] as const;
  const texts = sides.flatMap(([side, price, size]) =>
    price === undefined || size === undefined
      ? []
      : `${wholeShares(size)} shares at ${cents(price)} ${side}`,
  );
  return texts.length > 0 && <p class="cost">Best in the list: {texts.join(' · ')}.</p>;
}

/** A number of shares without decimals. */
const wholeShares = (size: number): string =>
  size.toLocaleString('en', { maximumFractionDigits: 0 });

/** The shares of the example trade. */
const TRADED_SHARES = 1_000;

/** What a trade would cost or bring now, over as many levels as it needs. */
function Trade(props: {
  readonly verb: string;
  readonly levels: readonly Level[];
  /** The outcome that the shares pay for. */
  readonly side: string;
  /** What the shares of a book are that has fewer of them. */
  readonly all: string;
  readonly result: string;
}) {
  const { verb, levels, side, all, result } = props;
  const { shares, usd } = tradeOf(levels, TRADED_SHARES);
  if (shares < 1) return null;
  const count = Math.floor(shares).toLocaleString('en');
  const isAll = shares < TRADED_SHARES;
  return (
    <span>
      {verb} {count} shares of {side}
      {isAll && `, all that are ${all} now,`} {result} <b>{dollars(usd)}</b> before fees,{' '}
      {cents(usd / shares)} each.
    </span>
  );
}

/** Reads a token's book. @returns null for a token without one */
function readBook(token: string, signal: AbortSignal) {
  return client.orderBook(token, {}, { signal }).catch((error: unknown) => {
    if (ApiError.is(error, 'no_order_book')) return null;
    throw error;
  });
}

/** The best prices of both sides. */
function Quote({ bid, ask }: { readonly bid: Level | undefined; readonly ask: Level | undefined }) {
  if (!bid && !ask) return 'The order book is empty.';
  if (!bid || !ask) return 'One side is empty, so there is no midpoint and no spread.';
  return (
    <>
      Midpoint <b>{cents((Number(bid.price) + Number(ask.price)) / 2)}</b> · spread{' '}
      <b>{cents(Number(ask.price) - Number(bid.price))}</b>
    </>
  );
}

/** One side of the book, as bars. @param props.largest size of the longest bar */
function Ladder(props: {
  readonly title: string;
  readonly levels: readonly Level[];
  readonly largest: number;
}) {
  const { title, levels, largest } = props;
  const shown = levels
    .slice(0, LEVELS)
    .map(({ price, size }) => ({ price: Number(price), size: Number(size) }));
  const digits = centDigits(shown.map(({ price }) => price));
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
        {Array.from({ length: LEVELS }, (_, n) => shown[n]).map((level, n) => (
          <tr key={n} style={{ '--share': level ? `${(level.size / largest) * 100}%` : '0%' }}>
            <td>{level ? cents(level.price, digits) : '\u00a0'}</td>
            <td>{level ? wholeShares(level.size) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
