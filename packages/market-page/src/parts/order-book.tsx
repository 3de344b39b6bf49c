import { ApiError, type Level, type MarketWithAllFields } from 'market-data-proxy-client';
import { useEffect, useRef } from 'preact/hooks';
import { centDigits, cents, clockTimeWithSeconds, dollars } from '../format.ts';
import { useOnline, useRestInView } from '../state/browser.ts';
import { client } from '../state/service.ts';
import { tradeOf } from '../state/trade.ts';
import { useRead } from '../state/use-read.ts';

/** The book is read every ten seconds: 6 of the 60 requests allowed in a minute. */
const POLL_MS = 10_000;
/** The rows of each side, always as many, so that nothing moves. A thin book has empty ones. */
const LEVELS = 8;

/** The best prices of a market in the list. A side without bids or asks is absent. */
type Listed = Partial<Pick<MarketWithAllFields, 'bestBid' | 'bidSize' | 'bestAsk' | 'askSize'>>;

/**
 * The live order book of YES in the panel of a market: its midpoint and spread, what a trade of
 * 1,000 shares would cost, and the best levels of both sides as bars. It is read only while it is
 * in view.
 */
export function OrderBook(props: {
  readonly market: Listed & { readonly clobTokenId: string; readonly outcome?: string };
  /** Called with the address of the API call. */
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
  const shownLevels = [...bids.slice(0, LEVELS), ...asks.slice(0, LEVELS)];
  // One scale for both sides: equal bars are equal shares.
  const largest = Math.max(1, ...shownLevels.map(({ size }) => Number(size)));
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
      {value === undefined && <ListedSizes market={market} />}
      {value && (
        <p class="cost">
          <Trade kind="buy" levels={asks} outcome={outcome} />{' '}
          <Trade kind="sell" levels={bids} outcome={outcome} />
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
function ListedSizes({ market }: { readonly market: Listed }) {
  const { bestBid, bidSize, bestAsk, askSize } = market;
  const bid = sizeWords('bid', bestBid, bidSize);
  const ask = sizeWords('ask', bestAsk, askSize);
  const known = [bid, ask].filter((text) => text !== '');
  return known.length > 0 && <p class="cost">Best in the list: {known.join(' · ')}.</p>;
}

/** "1,200 shares at 4.5 ¢ bid"; empty if the price or the size is unknown. */
function sizeWords(side: string, price: number | undefined, size: number | undefined): string {
  if (price === undefined || size === undefined) return '';
  return `${wholeShares(size)} shares at ${cents(price)} ${side}`;
}

/** A number of shares without decimals. */
const wholeShares = (size: number): string =>
  size.toLocaleString('en', { maximumFractionDigits: 0 });

/** The shares of the example trade. */
const TRADED_SHARES = 1_000;

/**
 * What a trade would cost or bring now, over as many levels as it needs: "Buying 1,000 shares of
 * Yes costs $369.40 before fees, 36.9 ¢ each." Nothing if the side has no whole share.
 *
 * @param props.levels of the side of the book with which the trade matches
 */
function Trade(props: {
  readonly kind: 'buy' | 'sell';
  readonly levels: readonly Level[];
  readonly outcome: string;
}) {
  const { kind, levels, outcome } = props;
  const { shares, usd } = tradeOf(levels, TRADED_SHARES);
  if (shares < 1) return null;
  const words =
    kind === 'buy'
      ? { verb: 'Buying', available: 'offered', result: 'costs' }
      : { verb: 'Selling', available: 'wanted', result: 'brings' };
  return (
    <span>
      {words.verb} {Math.floor(shares).toLocaleString('en')} shares of {outcome}
      {shares < TRADED_SHARES && `, all that are ${words.available} now,`} {words.result}{' '}
      <b>{dollars(usd)}</b> before fees, {cents(usd / shares)} each.
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

/** One side of the book, as bars. @param props.largest the shares of the longest bar */
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
        {shown.map(({ price, size }, n) => (
          <tr key={n} style={{ '--share': `${(size / largest) * 100}%` }}>
            <td>{cents(price, digits)}</td>
            <td>{wholeShares(size)}</td>
          </tr>
        ))}
        {Array.from({ length: LEVELS - shown.length }, (_, n) => (
          <tr key={LEVELS - n} style={{ '--share': '0%' }}>
            <td>{'\u00a0'}</td>
            <td />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
