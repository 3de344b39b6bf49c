import type { Market } from '../../lambda/core/domain/market.ts';
import { midpointOf } from '../../lambda/core/domain/price.ts';
import type { Snapshot } from '../../lambda/core/domain/snapshot.ts';
import type { Fault } from './polymarket.ts';
import { middle, type Quote, STEP_MS, type TrueMarket } from './truth.ts';
import { MINUTE, type Published, type World } from './world.ts';

/** A price of CLOB was true at some moment of its reading, which takes no longer. */
const READING_MS = 15_000;
const MAX_PRICE_AGE_MS = 600_000;
/** After this time the list contains a market that opened, and no longer contains one that closed. */
const LISTING_MS = 15 * MINUTE;
/** Markets near the end of the list come and go with their volumes. */
const SURE_SHARE = 0.9;
const MAX_UNREAD_SHARE = 0.5;
/** In percentage points: the price itself has five decimals. */
const TOLERANCE = 0.001;

/** A broken promise, with everything that one needs to look at it. */
export interface Violation {
  readonly seed: number;
  /** ISO 8601. */
  readonly at: string;
  /** `YES` token, or the list. */
  readonly market: string;
  readonly expected: string;
  readonly found: string;
}

type Report = (market: string, expected: string, found: string) => void;

/** Checks each published snapshot against the truth. */
export class Invariants {
  readonly violations: Violation[] = [];
  /** Prices by source that were checked. */
  readonly checked = new Map<string, number>();
  readonly #world: World;
  #next = 0;
  #before = new Map<string, { readonly pricedAt: number; readonly source: string }>();
  #servedAsOf = 0;
  #nextServed = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Checks what was published and served since the last call. */
  check(): void {
    const { published, served } = this.#world;
    for (; this.#next < published.length; this.#next++) {
      const entry = published[this.#next];
      if (entry) this.#checkSnapshot(entry);
    }
    for (; this.#nextServed < served.length; this.#nextServed++) {
      const { at, asOf } = served[this.#nextServed] ?? { at: 0, asOf: undefined };
      if (asOf !== undefined && asOf < this.#servedAsOf) {
        this.#report(at)('the list', `asOf of ${iso(this.#servedAsOf)} or later`, iso(asOf));
      }
      this.#servedAsOf = Math.max(this.#servedAsOf, asOf ?? 0);
    }
  }

  #report(at: number): Report {
    const { seed } = this.#world.options;
    return (market, expected, found) => this.violations.push({ seed, at: iso(at), market, expected, found });
  }

  #checkSnapshot({ at, snapshot }: Published): void {
    const report = this.#report(at);
    const lacksBooks = this.#isFaulty(at, (fault) => fault.route === 'prices' && fault.kind !== 'slow');
    const lacksTrades = this.#isFaulty(at, (fault) => fault.route === 'last-trades-prices');
    const now = new Map<string, { readonly pricedAt: number; readonly source: string }>();
    for (const market of snapshot.markets) {
      const truth = this.#world.polymarket.byToken.get(market.clobTokenId);
      if (!truth) throw new Error(`The list has the unknown token ${market.clobTokenId}`);
      const pricedAt = market.pricedAt === undefined ? snapshot.asOf : Date.parse(market.pricedAt);
      this.checked.set(market.priceSource, (this.checked.get(market.priceSource) ?? 0) + 1);
      const before = this.#before.get(market.clobTokenId);
      // One response without a token is not enough: the book of a moment ago counts.
      const isIncomplete = lacksBooks && before?.source !== 'book';
      checkPrice(market, truth, { pricedAt, asOf: snapshot.asOf, isIncomplete }, report);
      const mayLackTrade = lacksTrades && (before?.source !== 'trade' || market.protocolVersion === 'v2');
      if (!mayLackTrade) checkUntraded(market, truth, snapshot.asOf, report);
      checkLongChanges(market, truth, at, report);
      checkHourChange(market, truth, snapshot.asOf, report);
      const givesWay = market.priceSource === 'untraded' && ['book', 'trade', 'carried'].includes(before?.source ?? '');
      if (before && pricedAt < before.pricedAt && !givesWay) {
        const found = `${iso(pricedAt)} (${market.priceSource})`;
        report(market.clobTokenId, `pricedAt of ${iso(before.pricedAt)} (${before.source}) or later`, found);
      }
      now.set(market.clobTokenId, { pricedAt, source: market.priceSource });
    }
    if (now.size !== snapshot.markets.length) report('the list', 'each market once', 'a market twice');
    this.#checkShortPages(at, now, report);
    this.#before = now;
    if (this.#wasQuiet(at)) this.#checkListing(at, snapshot, report);
  }

  #isFaulty(at: number, isMeant: (fault: Fault) => boolean): boolean {
    const { faults } = this.#world.polymarket;
    return faults.some((fault) => isMeant(fault) && fault.from < at && fault.until > at - MAX_PRICE_AGE_MS);
  }

  /** Pages that lack markets remove none that CLOB still has, for two crawls. */
  #checkShortPages(at: number, now: ReadonlyMap<string, unknown>, report: Report): void {
    const { polymarket, killRate, tableFaultRate } = this.#world;
    const short = polymarket.faults.find(({ route, kind }) => route === 'markets-keyset' && kind === 'partial');
    const isAlone = polymarket.faults.length === 1 && killRate === 0 && tableFaultRate === 0;
    if (!short || !isAlone || at < short.from || at > short.from + 4 * MINUTE) return;
    const largest = [...this.#before.keys()].slice(0, this.#before.size / 2);
    for (const token of largest) {
      const truth = polymarket.byToken.get(token);
      const hasBook = truth?.isOpen(at) && midpointOf(truth.quote(at)) !== undefined;
      if (hasBook && !polymarket.rejected.has(token) && !now.has(token))
        report(token, 'listed: it has a book', 'not listed');
    }
  }

  /** Whether nothing failed that could delay a market. */
  #wasQuiet(at: number): boolean {
    const { polymarket, killRate, tableFaultRate, start } = this.#world;
    const from = at - LISTING_MS - 10 * MINUTE;
    const overlaps = polymarket.faults.some((fault) => fault.from < at && fault.until > from);
    return !overlaps && killRate === 0 && tableFaultRate === 0 && from > start;
  }

  #checkListing(at: number, { markets, asOf }: Snapshot, report: Report): void {
    const { polymarket, options } = this.#world;
    const unread = markets.filter(({ clobTokenId: token, priceSource }) => {
      const truth = polymarket.byToken.get(token);
      // A book that empties keeps its price for one snapshot, if no trade is known.
      const isRead = truth?.isOpen(at) && truth.quote(at).last !== undefined;
      return isRead && !polymarket.rejected.has(token) && ['carried', 'catalogue'].includes(priceSource);
    });
    // A new container looks for the rejected tokens again, and reads the others of their calls a minute later.
    if (unread.length > (polymarket.rejected.size === 0 ? 0 : MAX_UNREAD_SHARE * markets.length)) {
      report('the list', 'prices of CLOB, which answers', `${unread.length} of other sources`);
    }
    const listed = new Set(markets.map(({ clobTokenId }) => clobTokenId));
    for (const { yes, closesAt } of polymarket.markets) {
      if (listed.has(yes) && closesAt < asOf - LISTING_MS) report(yes, 'not listed', `listed, closed ${iso(closesAt)}`);
    }
    const open = polymarket.markets
      .filter((market) => market.isOpen(at) && market.opensAt < asOf - LISTING_MS && market.closesAt > at + MINUTE)
      .sort((a, b) => b.volume(at) - a.volume(at));
    for (const market of open.slice(0, SURE_SHARE * options.maxMarkets)) {
      const { yes, opensAt } = market;
      const hasTrade = market.quote(at).last !== undefined;
      if (!listed.has(yes) && hasTrade) report(yes, 'listed', `not listed, open since ${iso(Math.max(opensAt, 0))}`);
    }
  }
}

function checkPrice(
  market: Market,
  truth: TrueMarket,
  { pricedAt, asOf, isIncomplete }: Readonly<{ pricedAt: number; asOf: number; isIncomplete: boolean }>,
  report: Report,
): void {
  const price = market.currentProbability / 100;
  if (asOf - pricedAt > MAX_PRICE_AGE_MS) {
    report(truth.yes, 'a price of the last 600 s', `${market.priceSource} of ${iso(pricedAt)}`);
  }
  const isOfClob = ['book', 'trade', 'carried'].includes(market.priceSource);
  const explained = isOfClob
    ? clobPrices(truth, pricedAt, isIncomplete)
    : cataloguePrices(truth, market, pricedAt, asOf);
  for (const possible of explained) if (Math.abs(possible - price) * 100 <= TOLERANCE) return;
  const expected = `a price of ${iso(pricedAt)}: ${[...new Set([...explained].map(percent))].slice(0, 6).join(', ')}`;
  report(truth.yes, expected, `${percent(price)} (${market.priceSource})`);
}

/**
 * The prices by CLOB in a reading: the middle of a tight book, otherwise the last trade within the sides. A token that
 * two readings in a row do not contain has an empty book.
 */
function clobPrices(truth: TrueMarket, from: number, isIncomplete: boolean): Set<number> {
  const quotes = quotesBetween(truth, from, from + READING_MS);
  const prices = new Set<number>();
  for (const book of quotes) {
    const tight = midpointOf(book);
    if (tight !== undefined) prices.add(tight);
    if (tight !== undefined && !isIncomplete) continue;
    for (const { last } of quotes)
      if (last !== undefined) prices.add(within(last, isIncomplete ? {} : book)).add(within(last, book));
  }
  return prices;
}

function checkUntraded({ priceSource }: Market, truth: TrueMarket, asOf: number, report: Report): void {
  const isTraded = quotesBetween(truth, asOf, asOf + READING_MS).every(({ last }) => last !== undefined);
  if (priceSource === 'untraded' && isTraded) report(truth.yes, 'the last trade', 'untraded');
}

/** The prices that the catalogue's origin held in a span, within the sides that the market shows. */
function cataloguePrices(truth: TrueMarket, { bestBid, bestAsk }: Market, from: number, until: number): Set<number> {
  const prices = new Set<number>();
  const sides: Quote = { ...(bestBid && { bid: bestBid }), ...(bestAsk && { ask: bestAsk }) };
  for (const quote of quotesBetween(truth, from, until)) {
    const held = [middle(quote), midpointOf(quote), quote.last];
    for (const price of held) {
      if (price !== undefined) prices.add(within(price, sides)).add(within(within(price, quote), sides));
    }
  }
  return prices;
}

/** Before the universe began nothing moved, so the start of every long change has one price. */
function checkLongChanges(market: Market, truth: TrueMarket, now: number, report: Report): void {
  const begin = truth.quote(0);
  const isEmpty = begin.bid === undefined && begin.ask === undefined;
  const changes = [market.oneDayPriceChange, market.sevenDayPriceChange, market.thirtyDayPriceChange];
  for (const change of changes) {
    if (change === null || change === undefined) continue;
    if (market.midpoint === undefined) report(truth.yes, 'no change without a midpoint', `${change}`);
    const expected = ((market.midpoint ?? 0) - middle(begin)) * 100;
    if (isEmpty && !isOnceNearHalf(truth, now)) report(truth.yes, 'no change from an empty book', `${change}`);
    if (Math.abs(change - expected) > TOLERANCE) report(truth.yes, `a change of ${expected.toFixed(3)}`, `${change}`);
  }
}

/** The start of a 1-hour change is the middle of a book that was not empty, 60 to 75 minutes ago. */
function checkHourChange(market: Market, truth: TrueMarket, asOf: number, report: Report): void {
  const { oneHourPriceChange: change, midpoint } = market;
  if (change === null) return;
  if (midpoint === undefined) report(truth.yes, 'no 1-hour change without a midpoint', `${change}`);
  let wasEmpty = false;
  for (let at = asOf - 75 * MINUTE; at <= asOf - 60 * MINUTE + READING_MS; at += STEP_MS) {
    const quote = truth.quote(at);
    const isStart = Math.abs(change - ((midpoint ?? 0) - middle(quote)) * 100) <= TOLERANCE;
    const isEmpty = quote.bid === undefined && quote.ask === undefined;
    if (isStart && !isEmpty) return;
    wasEmpty ||= isStart;
  }
  if (wasEmpty && isOnceNearHalf(truth, asOf)) return;
  report(truth.yes, `a 1-hour change of ${iso(asOf)}`, `${change}`);
}

/** A history shows 0.5 for an empty book, too. Beside prices near it, nobody can tell which it was. */
function isOnceNearHalf(truth: TrueMarket, now: number): boolean {
  for (let at = truth.start; at <= now; at += STEP_MS) {
    const price = middle(truth.quote(at));
    if (price !== 0.5 && Math.abs(price - 0.5) <= 0.05) return true;
  }
  return false;
}

function quotesBetween(truth: TrueMarket, from: number, until: number): Quote[] {
  const quotes: Quote[] = [];
  for (let at = from; at < until + STEP_MS; at += STEP_MS) quotes.push(truth.quote(Math.min(at, until)));
  return quotes;
}

function within(price: number, { bid = 0, ask = 1 }: Quote): number {
  return Math.min(Math.max(price, bid), ask);
}

function percent(price: number): string {
  return `${(price * 100).toFixed(3)} %`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
