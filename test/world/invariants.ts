// An invariant is a promise that each published snapshot must keep: its prices were true, its order
// is right, no price is too old. The service runs in a simulated world whose true prices are known.

import type { Market } from '../../lambda/core/domain/market.ts';
import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { changesOf } from './changes.ts';
import type { Published } from './container.ts';
import { checkKnownChanges } from './known-changes.ts';
import { ListChecks, QUIET_MS } from './list-checks.ts';
import { checkPrice, checkUntraded, iso, type Report } from './price-checks.ts';
import { hadFault, mayLackTrade } from './reading-faults.ts';
import { ServedChecks } from './served-checks.ts';
import { checkSizes } from './size-checks.ts';
import { checkStays } from './stay-checks.ts';
import type { TrueMarket } from './true-market.ts';
import type { World } from './world.ts';

/** A broken promise. */
interface Violation {
  readonly seed: number;
  /** ISO 8601. */
  readonly at: string;
  /** The `YES` token of a market, or the words "the list". */
  readonly market: string;
  readonly expected: string;
  readonly found: string;
}

/** Where the price of a market in a snapshot comes from, and its time in Unix ms. */
interface Shown {
  readonly pricedAt: number;
  readonly source: Market['priceSource'];
  /** Whether CLOB had a side for it. */
  readonly hasBook: boolean;
}

/** A market of a snapshot. */
interface Listed {
  readonly market: Market;
  readonly truth: TrueMarket;
  readonly shown: Shown;
  /** The same in the snapshot that the run began with. Undefined if it was not listed there. */
  readonly earlier: Shown | undefined;
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
  /** The number of checked prices by source. */
  readonly checked = new Map<string, number>();
  /** The number of checked changes by the book at their start. */
  readonly starts = { tight: 0, loose: 0, nowhere: 0 };
  readonly #world: World;
  readonly #lists: ListChecks;
  readonly #served: ServedChecks;
  #checkedSnapshots = 0;
  /**
   * For the id of each published snapshot, its prices by token. A run that read no snapshot looks up
   * `undefined`, and finds none.
   */
  readonly #shown = new Map<string | undefined, ReadonlyMap<string, Shown>>();

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
    const earlier = this.#shown.get(readId) ?? new Map<string, Shown>();
    const now = new Map<string, Shown>();
    for (const market of snapshot.markets) {
      const { clobTokenId } = market;
      const truth = this.#world.polymarket.byToken.get(clobTokenId);
      if (!truth) throw new Error(`The list has the unknown token ${clobTokenId}`);
      const shown = shownOf(market, snapshot);
      const listed = { market, truth, shown, earlier: earlier.get(clobTokenId) };
      this.#checkMarket(listed, snapshot, report);
      now.set(clobTokenId, shown);
    }
    this.#shown.set(snapshot.id, now);
    checkOrder(snapshot.markets, report);
    if (now.size !== snapshot.markets.length)
      report('the list', 'each market once', 'a market twice');
    checkStays(this.#world, published, [...earlier.keys()], report);
    this.#lists.check(published, report);
    checkKnownChanges(this.#world, published, report);
    this.#checkSources(published, report);
  }

  #checkMarket(listed: Listed, snapshot: SnapshotDraft, report: Report): void {
    const { market, truth } = listed;
    const { clobTokenId, priceSource } = market;
    if (clobTokenId !== truth.yes) report(truth.yes, 'the token of YES', 'that of NO');
    this.checked.set(priceSource, (this.checked.get(priceSource) ?? 0) + 1);
    this.#checkPrice(listed, snapshot, report);
    for (const { field, begins } of changesOf(market, truth, snapshot.asOf)) {
      this.starts[begins] += 1;
      if (begins === 'nowhere')
        report(truth.yes, `${field} since the middle of a book`, `${market[field]}`);
    }
    this.#checkNewer(listed, report);
  }

  /** Reports a price that is not true, or a market whose trade the service should know. */
  #checkPrice(
    { market, truth, shown, earlier }: Listed,
    snapshot: SnapshotDraft,
    report: Report,
  ): void {
    const { pricedAt, source } = shown;
    // A lost book excuses a price by the last trade alone. At the first loss, the service carries
    // the last price. Only without a book in the snapshot before does it take the book for empty. A
    // carried price may be of such a snapshot.
    const isBookLost =
      hadFault(this.#world, { route: 'prices', kind: 'partial' }, pricedAt) &&
      (source === 'carried' || !earlier?.hasBook);
    checkPrice(market, truth, { pricedAt, ...snapshot, isBookLost }, report);
    // A lost trade excuses the source `untraded`, unless the service knew the trade: then it counts
    // the trade as unread.
    const knewTrade = earlier?.source === 'trade';
    const isTradeLost = !knewTrade && mayLackTrade(this.#world, truth, snapshot.asOf);
    if (!isTradeLost) checkUntraded(market, truth, snapshot.asOf, report);
  }

  /** A price is not older than the one before, unless the market turned out to have no trade. */
  #checkNewer({ market, shown, earlier }: Listed, report: Report): void {
    if (!earlier) return;
    const isReplaced =
      shown.source === 'untraded' && ['book', 'trade', 'carried'].includes(earlier.source);
    // Two containers with different clocks date one page differently.
    const isOfPage = ['catalogue', 'untraded'].includes(earlier.source);
    const skewMs = isOfPage ? 2 * this.#world.maxSkewMs : 0;
    if (isReplaced || shown.pricedAt >= earlier.pricedAt - skewMs) return;
    const expected = `pricedAt of ${iso(earlier.pricedAt)} (${earlier.source}) or later`;
    report(market.clobTokenId, expected, `${iso(shown.pricedAt)} (${shown.source})`);
  }

  /**
   * If nothing has failed that could delay a market, CLOB gives the price of each market whose
   * token it does not reject.
   */
  #checkSources({ at, snapshot, containerRuns }: Published, report: Report): void {
    const { polymarket, isSteady, start } = this.#world;
    const from = at - QUIET_MS;
    const isQuiet = this.#world.faultsIn(from, at).length === 0 && isSteady && from > start;
    // One rejected token makes CLOB reject the whole call, with the prices of other markets. A new
    // container does not know these tokens: its first run looks for them, and its second goes on.
    const maySearch = polymarket.rejected.size > 0 && containerRuns <= 2;
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
  const isOfClob = ['book', 'trade', 'untraded'].includes(source);
  const pricedAt = market.pricedAt === undefined ? asOf : Date.parse(market.pricedAt);
  return { pricedAt, source, hasBook: isOfClob && (bestBid ?? bestAsk) !== undefined };
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
