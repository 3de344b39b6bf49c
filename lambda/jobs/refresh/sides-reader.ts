import type { CatalogueMarket } from '../../core/domain/market.ts';
import type { PreviousPrice } from '../../core/domain/price.ts';
import { type BookSides, hasSide } from '../../core/domain/quote.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { Clock } from '../../io/platform/clock.ts';
import { type ClobPrices, MIN_TOKENS_TO_DOUBT } from '../../io/polymarket/clob-prices.ts';
import { UpstreamError } from '../../io/upstream/upstream-error.ts';
import type { Findings, RejectedTokens } from './rejected-tokens.ts';
import { TIMEOUTS } from './timeouts.ts';

/** The prices of the newest snapshot, by token of YES. */
export type PreviousPrices = ReadonlyMap<string, PreviousPrice>;

export interface SidesDependencies {
  readonly prices: Pick<ClobPrices, 'sides'>;
  readonly rejectedTokens: RejectedTokens;
  readonly clock: Clock;
}

/** One attempt to read the sides of all books. */
export interface SidesReading {
  /** When the reading began. No price is older. */
  readonly asOf: UnixMs;
  /** By token; unread tokens are absent. */
  readonly sides: ReadonlyMap<string, BookSides>;
  /** Counts the first calls, not the halves of rejected ones. */
  readonly calls: number;
  readonly failed: number;
}

/** What a reading has found so far. */
interface Progress {
  readonly previous: PreviousPrices;
  readonly deadline: UnixMs;
  readonly sides: Map<string, BookSides>;
  readonly findings: Findings;
}

type Batch = readonly string[];
type CallOutcome = 'read' | 'rejected' | 'failed';

/**
 * A call that returns fewer than this share of the expected books or trades counts as failed. Books
 * are expected of markets that had one a minute ago, trades of markets that have volume.
 */
export const MIN_SHARE = 0.5;
/** The calls that a run may make to find rejected tokens. */
const MAX_SEPARATE_CALLS = 64;

/**
 * Reads both sides of all books for one run. CLOB rejects a whole call if it rejects one of its
 * tokens, so the reader divides rejected batches to find that token.
 */
export class SidesReader {
  readonly #deps: SidesDependencies;
  #separateCallsLeft = MAX_SEPARATE_CALLS;

  constructor(deps: SidesDependencies) {
    this.#deps = deps;
  }

  /** Calls each batch once, and divides the rejected ones. Never throws. */
  async read(
    markets: readonly Pick<CatalogueMarket, 'clobTokenId' | 'protocolVersion'>[],
    previous: PreviousPrices,
    deadline: UnixMs,
  ): Promise<SidesReading> {
    const { clock, rejectedTokens } = this.#deps;
    const asOf = clock.now();
    const separateCalls = this.#separateCallsLeft;
    const { batches, suspects, due } = rejectedTokens.batches(markets, asOf, separateCalls);
    this.#separateCallsLeft -= suspects.length + due.length;
    const findings: Findings = { accepted: [], rejected: [], suspects: [] };
    const progress: Progress = {
      previous,
      deadline: Math.min(deadline, asOf + TIMEOUTS.readingMs),
      sides: new Map(),
      findings,
    };
    const all = [...suspects, ...due, ...batches];
    const outcomes = await Promise.all(all.map((batch) => this.#readBatch(batch, progress)));
    // Suspects whose call failed stay suspects. They are the first of all calls.
    findings.suspects.push(...suspects.filter((_, n) => outcomes[n] === 'failed'));
    // Divides one rejected call after the other, so that the calls of a run find whole tokens.
    for (const batch of all.filter((_, n) => outcomes[n] === 'rejected')) {
      await this.#divide(batch, progress);
    }
    const calls = all.length;
    const failed = outcomes.filter((outcome) => outcome === 'failed').length;
    // If the route rejects everything, no token is at fault: the route failed.
    const routeAccepts = rejectedTokens.record(findings, asOf);
    return { asOf, sides: progress.sides, calls, failed: routeAccepts ? failed : calls };
  }

  /** Halves a rejected batch until each rejected token is alone or no separate call is left. */
  async #divide(batch: Batch, progress: Progress): Promise<void> {
    const { findings } = progress;
    const toDivide = [batch];
    const unresolved: string[] = [];
    for (let part = toDivide.pop(); part; part = toDivide.pop()) {
      if (part.length === 1) {
        findings.rejected.push(...part);
      } else if (this.#separateCallsLeft < 2) {
        unresolved.push(...part);
      } else {
        this.#separateCallsLeft -= 2;
        const halves = inGroups(part, Math.ceil(part.length / 2));
        const outcomes = await Promise.all(halves.map((half) => this.#readBatch(half, progress)));
        unresolved.push(...halves.filter((_, n) => outcomes[n] === 'failed').flat());
        const rejected = halves.filter((_, n) => outcomes[n] === 'rejected');
        // The first half is the next part, so that the calls find one token after the other.
        toDivide.push(...rejected.toReversed());
      }
    }
    if (unresolved.length > 0) findings.suspects.push(unresolved);
  }

  /** Makes one call, and adds its books to the progress. */
  async #readBatch(
    batch: Batch,
    { previous, deadline, sides, findings }: Progress,
  ): Promise<CallOutcome> {
    try {
      const read = await this.#deps.prices.sides(batch, deadline);
      if (!isPlausible(batch, read, previous)) return 'failed';
      // An empty response to a small call says nothing about its tokens.
      if (read.size === 0) return 'read';
      findings.accepted.push(...batch);
      for (const [token, book] of booksOf(batch, read, previous)) sides.set(token, book);
      return 'read';
    } catch (error) {
      const isRejected =
        error instanceof UpstreamError && error.failure === 'status' && error.isAboutRequest;
      return isRejected ? 'rejected' : 'failed';
    }
  }
}

/**
 * The books of a response. A token that CLOB omits has an empty book, unless it had sides a minute
 * ago: then it counts as unread.
 */
function booksOf(
  batch: Batch,
  read: ReadonlyMap<string, BookSides>,
  previous: PreviousPrices,
): (readonly [string, BookSides])[] {
  return batch
    .filter((token) => read.has(token) || !hadReadSides(previous.get(token)))
    .map((token) => [token, read.get(token) ?? {}] as const);
}

/** Whether CLOB returned a side of the book for the newest snapshot. */
function hadReadSides(market: PreviousPrice | undefined): boolean {
  return (
    hadBook(market) && market?.priceSource !== 'carried' && market?.priceSource !== 'catalogue'
  );
}

/** Whether the newest snapshot has a side of the book, read or carried. */
function hadBook(market: PreviousPrice | undefined): boolean {
  return market?.bestBid !== undefined || market?.bestAsk !== undefined;
}

/** Whether a response is plausible: false if it has far fewer books than a minute ago. */
function isPlausible(
  batch: Batch,
  read: ReadonlyMap<string, BookSides>,
  previous: PreviousPrices,
): boolean {
  const hadSide = batch.filter((token) => hadBook(previous.get(token)));
  const stillHaveSide = hadSide.filter((token) => hasSide(read.get(token) ?? {}));
  return hadSide.length < MIN_TOKENS_TO_DOUBT || stillHaveSide.length >= MIN_SHARE * hadSide.length;
}
