// Compares the prices of a published snapshot with the true quotes of the simulated Polymarket.

import type { Market } from '../../lambda/core/domain/market.ts';
import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { middle, type Quote, tightMiddle } from './quote.ts';
import { STEP_MS, type TrueMarket } from './true-market.ts';
import { MAX_SKEW_MS } from './world.ts';

/** The service shows no older price. */
export const MAX_PRICE_AGE_MS = 600_000;
/** A run reads all prices within this time. A price of CLOB was true at some moment of it. */
export const READING_MS = 15_000;
/** In percentage points. A price has five decimals. */
export const TOLERANCE = 0.001;

/**
 * Records a broken promise.
 *
 * @param market the `YES` token of a market, or the words "the list"
 */
export type Report = (market: string, expected: string, found: string) => void;

/**
 * Reports a price that its source did not have at its time, or that is older than 600 s.
 *
 * @param isBookLost whether the responses at that time may have lacked the market's book
 */
export function checkPrice(
  market: Market,
  truth: TrueMarket,
  {
    pricedAt,
    asOf,
    readUntil,
    isBookLost,
  }: SnapshotDraft & Readonly<{ pricedAt: number; isBookLost: boolean }>,
  report: Report,
): void {
  const price = market.currentProbability / 100;
  if (asOf - pricedAt > MAX_PRICE_AGE_MS) {
    report(truth.yes, 'a price of the last 600 s', `${market.priceSource} of ${iso(pricedAt)}`);
  }
  const isOfClob = ['book', 'trade', 'carried'].includes(market.priceSource);
  const explained = isOfClob
    ? clobPrices(truth, pricedAt, isBookLost)
    : cataloguePrices(truth, market, pricedAt, readUntil);
  for (const possible of explained) if (Math.abs(possible - price) * 100 <= TOLERANCE) return;
  const examples = [...new Set([...explained].map(percent))].slice(0, 6).join(', ');
  report(
    truth.yes,
    `a price of ${iso(pricedAt)}: ${examples}`,
    `${percent(price)} (${market.priceSource})`,
  );
}

/** The prices that follow from CLOB's books and last trades during a reading. */
function clobPrices(truth: TrueMarket, from: number, isBookLost: boolean): Set<number> {
  const quotes = quotesBetween(truth, from, from + READING_MS);
  const lastTrades = quotes.flatMap(({ last }) => last ?? []);
  const prices = quotes.flatMap((book) =>
    isBookLost ? pricesIfLost(book, lastTrades) : pricesOfBook(book, lastTrades),
  );
  return new Set(prices);
}

/** The price of a known book: the middle of a tight one, otherwise a last trade within its sides. */
function pricesOfBook(book: Quote, lastTrades: readonly number[]): readonly number[] {
  const tight = tightMiddle(book);
  return tight === undefined ? lastTrades.map((last) => within(last, book)) : [tight];
}

/**
 * The prices of a book that responses may have lacked. If they did, the service takes it for empty
 * and uses the last trade alone. If they did not, the price may follow from the book.
 */
function pricesIfLost(book: Quote, lastTrades: readonly number[]): readonly number[] {
  const withinBook = lastTrades.map((last) => within(last, book));
  return [...lastTrades, ...withinBook, ...pricesOfBook(book, lastTrades)];
}

/**
 * Reports a market without a trade if CLOB had its last trade during the whole reading. Markets
 * that close meanwhile are exempt: CLOB may return the book before the closing, but no trade after
 * it.
 */
export function checkUntraded(
  { priceSource }: Market,
  truth: TrueMarket,
  asOf: number,
  report: Report,
): void {
  const until = asOf + READING_MS;
  const isOpen = truth.closesAt > until + MAX_SKEW_MS;
  const isTraded =
    isOpen && quotesBetween(truth, asOf, until).every(({ last }) => last !== undefined);
  if (priceSource === 'untraded' && isTraded) report(truth.yes, 'the last trade', 'untraded');
}

/** The prices that Gamma had in a span, within the sides that the market shows. */
function cataloguePrices(
  truth: TrueMarket,
  { bestBid, bestAsk }: Market,
  from: number,
  until: number,
): Set<number> {
  const prices = new Set<number>();
  const shownSides: Quote = { ...(bestBid && { bid: bestBid }), ...(bestAsk && { ask: bestAsk }) };
  for (const quote of quotesBetween(truth, from, until)) {
    for (const price of [middle(quote), tightMiddle(quote), quote.last]) {
      if (price === undefined) continue;
      // The sides of that time may have limited the price before the shown ones do.
      const limited = within(price, quote);
      prices.add(within(price, shownSides)).add(within(limited, shownSides));
    }
  }
  return prices;
}

/**
 * All quotes of a span. It begins earlier and ends later than given, because the clock of the
 * container that read them may have been wrong.
 */
export function quotesBetween(truth: TrueMarket, from: number, until: number): Quote[] {
  const quotes: Quote[] = [];
  const last = until + MAX_SKEW_MS;
  for (let at = from - MAX_SKEW_MS; at < last + STEP_MS; at += STEP_MS)
    quotes.push(truth.quote(Math.min(at, last)));
  return quotes;
}

/** Limits a price to the sides of a book. */
function within(price: number, { bid = 0, ask = 1 }: Quote): number {
  return Math.min(Math.max(price, bid), ask);
}

function percent(price: number): string {
  return `${(price * 100).toFixed(3)} %`;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
