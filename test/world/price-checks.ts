import type { Market } from '../../lambda/core/domain/market.ts';
import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';
import {
  middle,
  type Quote,
  READING_MS,
  STEP_MS,
  TOLERANCE,
  type TrueMarket,
  tightMiddle,
} from './truth.ts';
import { MAX_SKEW_MS } from './world.ts';

export const MAX_PRICE_AGE_MS = 600_000;

/** Takes a broken promise: what it is about, what was expected, and what was found. */
export type Report = (what: string, expected: string, found: string) => void;

/** A price was true at its time, according to its source, and is at most 600 s old. */
export function checkPrice(
  market: Market,
  truth: TrueMarket,
  {
    pricedAt,
    asOf,
    readUntil,
    isIncomplete,
  }: SnapshotDraft & Readonly<{ pricedAt: number; isIncomplete: boolean }>,
  report: Report,
): void {
  const price = market.currentProbability / 100;
  if (asOf - pricedAt > MAX_PRICE_AGE_MS) {
    report(truth.yes, 'a price of the last 600 s', `${market.priceSource} of ${iso(pricedAt)}`);
  }
  const isOfClob = ['book', 'trade', 'carried'].includes(market.priceSource);
  const explained = isOfClob
    ? clobPrices(truth, pricedAt, isIncomplete)
    : cataloguePrices(truth, market, pricedAt, readUntil);
  for (const possible of explained) if (Math.abs(possible - price) * 100 <= TOLERANCE) return;
  const expected = `a price of ${iso(pricedAt)}: ${[...new Set([...explained].map(percent))].slice(0, 6).join(', ')}`;
  report(truth.yes, expected, `${percent(price)} (${market.priceSource})`);
}

/**
 * The prices by CLOB in a reading: the middle of a tight book, otherwise the last trade within the
 * sides. A token that two readings in a row do not contain has an empty book.
 */
function clobPrices(truth: TrueMarket, from: number, isIncomplete: boolean): Set<number> {
  const quotes = quotesBetween(truth, from, from + READING_MS);
  const prices = new Set<number>();
  for (const book of quotes) {
    const tight = tightMiddle(book);
    if (tight !== undefined) prices.add(tight);
    if (tight !== undefined && !isIncomplete) continue;
    for (const { last } of quotes)
      if (last !== undefined)
        prices.add(within(last, isIncomplete ? {} : book)).add(within(last, book));
  }
  return prices;
}

/** CLOB knows no trade of a market that closed between its book's reading and its trade's. */
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

/**
 * The prices that the catalogue's origin held in a span, within the sides that the market shows.
 */
function cataloguePrices(
  truth: TrueMarket,
  { bestBid, bestAsk }: Market,
  from: number,
  until: number,
): Set<number> {
  const prices = new Set<number>();
  const sides: Quote = { ...(bestBid && { bid: bestBid }), ...(bestAsk && { ask: bestAsk }) };
  for (const quote of quotesBetween(truth, from, until)) {
    const held = [middle(quote), tightMiddle(quote), quote.last];
    for (const price of held) {
      if (price !== undefined)
        prices.add(within(price, sides)).add(within(within(price, quote), sides));
    }
  }
  return prices;
}

/** A container's clock may have been wrong. */
export function quotesBetween(truth: TrueMarket, from: number, until: number): Quote[] {
  const quotes: Quote[] = [];
  const last = until + MAX_SKEW_MS;
  for (let at = from - MAX_SKEW_MS; at < last + STEP_MS; at += STEP_MS)
    quotes.push(truth.quote(Math.min(at, last)));
  return quotes;
}

function within(price: number, { bid = 0, ask = 1 }: Quote): number {
  return Math.min(Math.max(price, bid), ask);
}

function percent(price: number): string {
  return `${(price * 100).toFixed(3)} %`;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
