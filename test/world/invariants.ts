import type { Market } from '../../lambda/core/domain/market.ts';
import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { changesOf } from './changes.ts';
import type { Published } from './container.ts';
import type { Fault } from './faults.ts';
import { ListChecks, QUIET_MS } from './list-checks.ts';
import {
  checkPrice,
  checkUntraded,
  iso,
  MAX_PRICE_AGE_MS,
  quotesBetween,
  type Report,
} from './price-checks.ts';
import { checkSizes } from './size-checks.ts';
import { READING_MS, type TrueMarket } from './truth.ts';
import { MAX_SKEW_MS, MINUTE, type World } from './world.ts';

/** Two crawls of a punctual schedule. Late and doubled runs crawl more often. */
const MAX_KEPT_MS = 4 * MINUTE;
const MAX_KEPT_CRAWLS = 2;
/**
 * The runs of a new container look for the rejected tokens again. Each goes on where the last one
 * stopped.
 */
const MAX_SEARCH_RUNS = 2;
/** Readers notice a new snapshot within this time, and serve none that is older. */
const POINTER_MS = 6_000;
const MAX_USUAL_AGE_MS = 105_000;
/** A first list is there within this time. */
const FIRST_LIST_MS = 3 * MINUTE;
const MAX_SERVED_AGE_MS = 150_000 - MAX_SKEW_MS;
const CATALOGUE_SOURCES: readonly string[] = ['catalogue', 'untraded'];

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

/** By the snapshot that a run knew. */
interface Shown {
  readonly pricedAt: number;
  readonly source: string;
  /** Whether CLOB had a side for it. */
  readonly hasBook: boolean;
}

/**
 * Checks each published snapshot against the truth. {@link World} shows how a test uses it. A
 * broken promise becomes an entry of `violations`:
 *
 *     { seed: 4, at: '2026-11-21T12:09:02.000Z', market: '1000…0017',
 *       expected: 'a price of 2026-11-21T12:09:00.000Z: 27.600 %', found: '31.200 % (book)' }
 */
export class Invariants {
  readonly violations: Violation[] = [];
  /** Prices by source that were checked. */
  readonly checked = new Map<string, number>();
  /** Changes by the book at their start. */
  readonly starts = { tight: 0, loose: 0, nowhere: 0 };
  readonly #world: World;
  readonly #lists: ListChecks;
  #next = 0;
  /** By snapshot. */
  readonly #shown = new Map<string | undefined, ReadonlyMap<string, Shown>>();
  #servedAsOf = 0;
  #nextServed = 0;

  constructor(world: World) {
    this.#world = world;
    this.#lists = new ListChecks(world);
  }

  /** What another check found just now. */
  readonly violation: Report = (...found) => this.#report(this.#world.clock.now())(...found);

  /** Checks what was published and served since the last call. */
  check(): void {
    const { published, served } = this.#world;
    for (const entry of published.slice(this.#next)) this.#checkSnapshot(entry);
    this.#next = published.length;
    for (const { at, asOf: found } of served.slice(this.#nextServed)) {
      const report = this.#report(at);
      if (found === undefined && this.#mustServe(at))
        report('the list', 'data: at most Gamma or histories fail', 'none');
      if (found !== undefined && this.#mustBeFresh(at) && at - found > MAX_USUAL_AGE_MS) {
        report('the list', `prices of the last ${MAX_USUAL_AGE_MS / 1_000} s`, `of ${iso(found)}`);
      }
      const asOf = found ?? this.#servedAsOf;
      if (asOf < this.#servedAsOf)
        report('the list', `asOf of ${iso(this.#servedAsOf)} or later`, iso(asOf));
      this.#servedAsOf = Math.max(this.#servedAsOf, asOf);
    }
    this.#nextServed = served.length;
  }

  #report(at: number): Report {
    const { seed } = this.#world.options;
    return (market, expected, found) =>
      this.violations.push({ seed, at: iso(at), market, expected, found });
  }

  #checkSnapshot(published: Published): void {
    const { at, snapshot, readId, containerRuns } = published;
    const report = this.#report(at);
    checkSizes(this.#world, published, report);
    const shown = this.#shown.get(readId) ?? new Map<string, Shown>();
    const now = new Map<string, Shown>();
    for (const market of snapshot.markets) {
      const truth = this.#world.polymarket.byToken.get(market.clobTokenId);
      if (!truth) throw new Error(`The list has the unknown token ${market.clobTokenId}`);
      if (market.clobTokenId !== truth.yes) report(truth.yes, 'the token of YES', 'that of NO');
      const pricedAt = market.pricedAt === undefined ? snapshot.asOf : Date.parse(market.pricedAt);
      this.checked.set(market.priceSource, (this.checked.get(market.priceSource) ?? 0) + 1);
      const before = shown.get(market.clobTokenId);
      // One response without a token is not enough: the book of a moment ago counts.
      const isBookLost =
        this.#lacks('prices', pricedAt) && (market.priceSource === 'carried' || !before?.hasBook);
      checkPrice(market, truth, { pricedAt, ...snapshot, isIncomplete: isBookLost }, report);
      const mayLackTrade = before?.source !== 'trade' || truth.version === 'v2';
      const isTradeLost = mayLackTrade && this.#lacksTrade(truth, snapshot.asOf);
      if (!isTradeLost) checkUntraded(market, truth, snapshot.asOf, report);
      for (const { field, begins } of changesOf(market, truth, snapshot.asOf)) {
        this.starts[begins] += 1;
        if (begins === 'nowhere')
          report(truth.yes, `${field} since the middle of a book`, `${market[field]}`);
      }
      const givesWay =
        market.priceSource === 'untraded' &&
        ['book', 'trade', 'carried'].includes(before?.source ?? '');
      // Two containers with different clocks date one page differently.
      const error = CATALOGUE_SOURCES.includes(before?.source ?? '')
        ? 2 * this.#world.maxSkewMs
        : 0;
      if (before && pricedAt < before.pricedAt - error && !givesWay) {
        const found = `${iso(pricedAt)} (${market.priceSource})`;
        report(
          market.clobTokenId,
          `pricedAt of ${iso(before.pricedAt)} (${before.source}) or later`,
          found,
        );
      }
      const isRead = ['book', 'trade', 'untraded'].includes(market.priceSource);
      const hasBook = isRead && (market.bestBid !== undefined || market.bestAsk !== undefined);
      now.set(market.clobTokenId, { pricedAt, source: market.priceSource, hasBook });
    }
    const misplaced = snapshot.markets.find(
      (market, n, all) => n > 0 && !isInOrder(all[n - 1] ?? market, market),
    );
    if (misplaced) report(misplaced.clobTokenId, 'markets by volume, then id', 'another order');
    if (now.size !== snapshot.markets.length)
      report('the list', 'each market once', 'a market twice');
    this.#checkStays(at, snapshot.asOf, { shown, now }, report);
    this.#shown.set(snapshot.id, now);
    this.#lists.check(published, report);
    if (!this.#wasQuiet(at)) return;
    const maySearch = this.#world.polymarket.rejected.size > 0 && containerRuns <= MAX_SEARCH_RUNS;
    if (!maySearch) this.#checkRead(at, snapshot, report);
  }

  /** The few markets of Protocol V2 give no reason to doubt an empty response. */
  #lacksTrade({ version }: TrueMarket, from: number): boolean {
    const isV2Lost = version === 'v2' && this.#lacks('last-trades-prices', from, 'empty');
    return isV2Lost || this.#lacks('last-trades-prices', from);
  }

  /** Whether a route had a fault during a reading. */
  #lacks(route: Fault['route'], from: number, kind: Fault['kind'] = 'partial'): boolean {
    const faults = this.#world.faultsIn(from - MAX_SKEW_MS, from + READING_MS + MAX_SKEW_MS);
    return faults.some((fault) => fault.route === route && fault.kind === kind);
  }

  /** In its first minutes, one fault removes no market for which CLOB has a side and a trade. */
  #checkStays(
    at: number,
    asOf: number,
    { shown, now }: Record<'shown' | 'now', ReadonlyMap<string, Shown>>,
    report: Report,
  ) {
    const { polymarket } = this.#world;
    const faults = this.#world
      .faultsIn(at - MAX_PRICE_AGE_MS, at)
      .filter(({ route }) => route !== 'batch-prices-history');
    const isLong = faults.some(
      ({ from }) => from < at - MAX_KEPT_MS || this.#crawls(from, at) > MAX_KEPT_CRAWLS,
    );
    if (faults.length > 1 || isLong) return;
    // Volumes move other markets across the end of the list.
    for (const token of [...shown.keys()].slice(0, shown.size / 2)) {
      const truth = polymarket.byToken.get(token);
      if (now.has(token) || !truth?.isOpen(at) || polymarket.rejected.has(token)) continue;
      if (this.#lacksTrade(truth, asOf)) continue;
      const quotes = quotesBetween(truth, asOf, at);
      const hasBook = quotes.every(
        ({ bid, ask, last }) => (bid ?? ask) !== undefined && last !== undefined,
      );
      if (hasBook) report(token, 'listed: CLOB has its book and a trade', 'not listed');
    }
  }

  /** Catalogues that were published in a span. */
  #crawls(from: number, until: number): number {
    const { published } = this.#world;
    const recent = published.filter(
      ({ at, snapshot }) => snapshot.catalogueAsOf > from - MAX_SKEW_MS && at <= until,
    );
    return new Set(recent.map(({ snapshot }) => snapshot.catalogueAsOf)).size;
  }

  /** Without Gamma the service goes on for an hour, which is longer than its faults. */
  #mustServe(at: number): boolean {
    const { isUnpunctual = false } = this.#world.options;
    const faults = this.#world.faultsIn(at - MAX_PRICE_AGE_MS, at);
    const hasFailed = faults.some(
      ({ route }) => route === 'prices' || route === 'last-trades-prices',
    );
    const newest = this.#world.published.findLast(
      ({ at: publishedAt }) => publishedAt < at - POINTER_MS,
    );
    const isLate = at - (newest?.snapshot.asOf ?? 0) > MAX_SERVED_AGE_MS;
    const isExcused = (isUnpunctual && isLate) || this.#mayHaveNone(at);
    return !hasFailed && !isExcused && this.#world.isSteady && at > this.#world.start + 2 * MINUTE;
  }

  /** Before the first list, whether Gamma failed recently. */
  #mayHaveNone(at: number): boolean {
    const isFirst = this.#world.published.every(({ at: publishedAt }) => publishedAt > at);
    const faults = this.#world.faultsIn(at - FIRST_LIST_MS, at);
    return isFirst && faults.some(({ route }) => route === 'markets-keyset');
  }

  /**
   * A full run whose catalogue is late or fails publishes prices after 30 s: none wait for the next
   * price run.
   */
  #mustBeFresh(at: number): boolean {
    return this.#mustServe(at) && !this.#world.options.isUnpunctual;
  }

  /** Whether nothing failed that could delay a market. */
  #wasQuiet(at: number): boolean {
    const from = at - QUIET_MS;
    return (
      this.#world.faultsIn(from, at).length === 0 &&
      this.#world.isSteady &&
      from > this.#world.start
    );
  }

  /** CLOB gives the price of every market whose token it does not reject. */
  #checkRead(at: number, { markets }: SnapshotDraft, report: Report): void {
    const { polymarket } = this.#world;
    const unread = markets.filter(({ clobTokenId: token, priceSource }) => {
      const truth = polymarket.byToken.get(token);
      // A book that empties keeps its price for one snapshot, if no trade is known.
      const isRead = truth?.isOpen(at) && truth.quote(at).last !== undefined;
      return (
        isRead && !polymarket.rejected.has(token) && ['carried', 'catalogue'].includes(priceSource)
      );
    });
    if (unread.length > 0)
      report('the list', 'prices of CLOB, which answers', `${unread.length} of other sources`);
  }
}

function isInOrder(a: Market, b: Market): boolean {
  return a.volume > b.volume || (a.volume === b.volume && a.id < b.id);
}
