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
import { ServedChecks } from './served-checks.ts';
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
const CLOB_SOURCES: readonly string[] = ['book', 'trade', 'untraded'];
const CATALOGUE_SOURCES: readonly string[] = ['catalogue', 'untraded'];

/** A broken promise, with everything that one needs to look at it. */
interface Violation {
  readonly seed: number;
  /** ISO 8601. */
  readonly at: string;
  /** `YES` token, or the list. */
  readonly market: string;
  readonly expected: string;
  readonly found: string;
}

/** The price of a market in a snapshot. */
interface Shown {
  readonly pricedAt: number;
  readonly source: string;
  /** Whether CLOB had a side for it. */
  readonly hasBook: boolean;
}
/** The prices of a snapshot by token. */
type ShownMarkets = ReadonlyMap<string, Shown>;

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
  readonly #served: ServedChecks;
  #checkedSnapshots = 0;
  /** By the id of the snapshot. */
  readonly #shown = new Map<string | undefined, ShownMarkets>();

  constructor(world: World) {
    this.#world = world;
    this.#lists = new ListChecks(world);
    this.#served = new ServedChecks(world);
  }

  /** Adds a violation that another check has found now. */
  readonly violation: Report = (...found) => this.#reportAt(this.#world.clock.now())(...found);

  /** Checks what was published and served since the last call. */
  check(): void {
    const { published } = this.#world;
    for (const entry of published.slice(this.#checkedSnapshots)) this.#checkSnapshot(entry);
    this.#checkedSnapshots = published.length;
    this.#served.check((at) => this.#reportAt(at));
  }

  #reportAt(at: number): Report {
    const { seed } = this.#world.options;
    return (market, expected, found) =>
      this.violations.push({ seed, at: iso(at), market, expected, found });
  }

  #checkSnapshot(published: Published): void {
    const { at, snapshot, readId } = published;
    const report = this.#reportAt(at);
    checkSizes(this.#world, published, report);
    const before = this.#shown.get(readId) ?? new Map<string, Shown>();
    const now = new Map<string, Shown>();
    for (const market of snapshot.markets) {
      const shown = shownOf(market, snapshot);
      this.#checkMarket(market, snapshot, shown, before.get(market.clobTokenId), report);
      now.set(market.clobTokenId, shown);
    }
    this.#shown.set(snapshot.id, now);
    checkOrder(snapshot.markets, report);
    if (now.size !== snapshot.markets.length)
      report('the list', 'each market once', 'a market twice');
    this.#checkStays(published, before, now, report);
    this.#lists.check(published, report);
    this.#checkRead(published, report);
  }

  /** @param before the market in the snapshot that the run knew */
  #checkMarket(
    market: Market,
    snapshot: SnapshotDraft,
    shown: Shown,
    before: Shown | undefined,
    report: Report,
  ): void {
    const { asOf } = snapshot;
    const { clobTokenId, priceSource } = market;
    const truth = this.#world.polymarket.byToken.get(clobTokenId);
    if (!truth) throw new Error(`The list has the unknown token ${clobTokenId}`);
    if (clobTokenId !== truth.yes) report(truth.yes, 'the token of YES', 'that of NO');
    this.checked.set(priceSource, (this.checked.get(priceSource) ?? 0) + 1);
    // If a response lacks a book that the last one had, the market keeps its price for one
    // snapshot. If the next response lacks the book too, the service takes it for empty.
    const isBookLost =
      this.#hasFault('prices', 'partial', shown.pricedAt) &&
      (priceSource === 'carried' || !before?.hasBook);
    const { pricedAt } = shown;
    checkPrice(market, truth, { pricedAt, ...snapshot, isBookLost }, report);
    const mayLackTrade = before?.source !== 'trade' || truth.version === 'v2';
    const isTradeLost = mayLackTrade && this.#lacksTrade(truth, asOf);
    if (!isTradeLost) checkUntraded(market, truth, asOf, report);
    for (const { field, begins } of changesOf(market, truth, asOf)) {
      this.starts[begins] += 1;
      if (begins === 'nowhere')
        report(truth.yes, `${field} since the middle of a book`, `${market[field]}`);
    }
    if (before) this.#checkNewer(clobTokenId, shown, before, report);
  }

  /** A price is not older than the one before, unless the market turned out to have no trade. */
  #checkNewer(token: string, shown: Shown, before: Shown, report: Report): void {
    const isReplaced =
      shown.source === 'untraded' && ['book', 'trade', 'carried'].includes(before.source);
    // Two containers with different clocks date one page differently.
    const skewMs = CATALOGUE_SOURCES.includes(before.source) ? 2 * this.#world.maxSkewMs : 0;
    if (isReplaced || shown.pricedAt >= before.pricedAt - skewMs) return;
    const expected = `pricedAt of ${iso(before.pricedAt)} (${before.source}) or later`;
    report(token, expected, `${iso(shown.pricedAt)} (${shown.source})`);
  }

  /**
   * Whether a reading may lack a trade. The markets of Protocol V2 are so few that the service does
   * not doubt an empty response about them.
   */
  #lacksTrade({ version }: TrueMarket, from: number): boolean {
    const isEmpty = version === 'v2' && this.#hasFault('last-trades-prices', 'empty', from);
    return isEmpty || this.#hasFault('last-trades-prices', 'partial', from);
  }

  /** Whether a route had such a fault during a reading. */
  #hasFault(route: Fault['route'], kind: Fault['kind'], from: number): boolean {
    const faults = this.#world.faultsIn(from - MAX_SKEW_MS, from + READING_MS + MAX_SKEW_MS);
    return faults.some((fault) => fault.route === route && fault.kind === kind);
  }

  /** In its first minutes, one fault removes no market for which CLOB has a side and a trade. */
  #checkStays(
    { at, snapshot: { asOf } }: Published,
    before: ShownMarkets,
    now: ShownMarkets,
    report: Report,
  ): void {
    const { polymarket } = this.#world;
    const faults = this.#world
      .faultsIn(at - MAX_PRICE_AGE_MS, at)
      .filter(({ route }) => route !== 'batch-prices-history');
    const isLong = faults.some(
      ({ from }) => from < at - MAX_KEPT_MS || this.#crawls(from, at) > MAX_KEPT_CRAWLS,
    );
    if (faults.length > 1 || isLong) return;
    // Volumes move other markets across the end of the list.
    for (const token of [...before.keys()].slice(0, before.size / 2)) {
      const truth = polymarket.byToken.get(token);
      if (now.has(token) || !truth?.isOpen(at) || polymarket.rejected.has(token)) continue;
      if (this.#lacksTrade(truth, asOf)) continue;
      const hasBook = quotesBetween(truth, asOf, at).every(
        ({ bid, ask, last }) => (bid ?? ask) !== undefined && last !== undefined,
      );
      if (hasBook) report(token, 'listed: CLOB has its book and a trade', 'not listed');
    }
  }

  /** The number of catalogues that were published in a span. */
  #crawls(from: number, until: number): number {
    const { published } = this.#world;
    const recent = published.filter(
      ({ at, snapshot }) => snapshot.catalogueAsOf > from - MAX_SKEW_MS && at <= until,
    );
    return new Set(recent.map(({ snapshot }) => snapshot.catalogueAsOf)).size;
  }

  /**
   * If nothing has failed that could delay a market, CLOB gives the price of each market whose token
   * it does not reject.
   */
  #checkRead({ at, snapshot, containerRuns }: Published, report: Report): void {
    const { polymarket, isSteady, start } = this.#world;
    const from = at - QUIET_MS;
    const isQuiet = this.#world.faultsIn(from, at).length === 0 && isSteady && from > start;
    const maySearch = polymarket.rejected.size > 0 && containerRuns <= MAX_SEARCH_RUNS;
    if (!isQuiet || maySearch) return;
    const unread = snapshot.markets.filter(({ clobTokenId: token, priceSource }) => {
      const truth = polymarket.byToken.get(token);
      // A book that empties keeps its price for one snapshot, if no trade is known.
      const mustBeRead =
        truth?.isOpen(at) && truth.quote(at).last !== undefined && !polymarket.rejected.has(token);
      return mustBeRead && ['carried', 'catalogue'].includes(priceSource);
    });
    if (unread.length > 0)
      report('the list', 'prices of CLOB, which answers', `${unread.length} of other sources`);
  }
}

function shownOf(market: Market, { asOf }: SnapshotDraft): Shown {
  const { priceSource: source, bestBid, bestAsk } = market;
  const hasBook = CLOB_SOURCES.includes(source) && (bestBid ?? bestAsk) !== undefined;
  const pricedAt = market.pricedAt === undefined ? asOf : Date.parse(market.pricedAt);
  return { pricedAt, source, hasBook };
}

function checkOrder(markets: readonly Market[], report: Report): void {
  const misplaced = markets.find((market, n) => {
    const before = markets[n - 1];
    return before && !isInOrder(before, market);
  });
  if (misplaced) report(misplaced.clobTokenId, 'markets by volume, then id', 'another order');
}

function isInOrder(a: Market, b: Market): boolean {
  return a.volume > b.volume || (a.volume === b.volume && a.id < b.id);
}
