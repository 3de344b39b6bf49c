/**
 * Reads the two sides of each order book from CLOB: its best bid and its best ask. One call reads
 * the books of a batch of tokens.
 */
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

/** The prices of the newest snapshot, about a minute old, by token of YES. */
export type PreviousPrices = ReadonlyMap<string, PreviousPrice>;

export interface SidesDependencies {
  readonly prices: Pick<ClobPrices, 'sides'>;
  readonly rejectedTokens: RejectedTokens;
  readonly clock: Clock;
}

/** What one attempt to read all books has found. */
export interface SidesReading {
  /** When the reading began. No price is older. */
  readonly asOf: UnixMs;
  /** By token; unread tokens are absent. */
  readonly sides: ReadonlyMap<string, BookSides>;
  /** The number of calls, without those for the halves of rejected batches. */
  readonly calls: number;
  readonly failed: number;
}

/** A reading that is under way. */
interface Progress {
  readonly previous: PreviousPrices;
  readonly deadline: UnixMs;
  /** The books so far, by token. */
  readonly sides: Map<string, BookSides>;
  /** The accepted and the rejected tokens so far. */
  readonly findings: Findings;
}

/** The tokens of one call. */
type Batch = readonly string[];

/** A call that has ended. `rejected`: CLOB does not accept one of the tokens. */
interface Call {
  readonly batch: Batch;
  readonly outcome: 'read' | 'rejected' | 'failed';
}

/**
 * A call that returns fewer than this share of the expected books or trades counts as failed. Books
 * are expected of markets that had one a minute ago, trades of markets that have volume.
 */
export const MIN_SHARE = 0.5;
/**
 * The separate calls that a run may make: those for parts of a batch or single tokens, which find
 * rejected tokens.
 */
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
    // Suspects are parts of rejected batches that an earlier run could not divide. Due are rejected
    // tokens that no call contained for an hour.
    const { batches, suspects, due } = rejectedTokens.batches(markets, asOf, separateCalls);
    this.#separateCallsLeft -= suspects.length + due.length;
    const findings: Findings = { accepted: [], rejected: [], suspects: [] };
    const progress: Progress = {
      previous,
      deadline: Math.min(deadline, asOf + TIMEOUTS.readingMs),
      sides: new Map(),
      findings,
    };
    const calls = await this.#readBatches([...suspects, ...due, ...batches], progress);
    const failed = batchesOf(calls, 'failed');
    findings.suspects.push(...suspects.filter((batch) => failed.includes(batch)));
    // One batch after the other, so that the calls of a run suffice to find at least some tokens.
    for (const batch of batchesOf(calls, 'rejected')) await this.#divide(batch, progress);
    // If the route rejects everything, no token is at fault: the route failed.
    const isAccepting = rejectedTokens.record(findings, asOf);
    return {
      asOf,
      sides: progress.sides,
      calls: calls.length,
      failed: isAccepting ? failed.length : calls.length,
    };
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
        const calls = await this.#readBatches(halves, progress);
        unresolved.push(...batchesOf(calls, 'failed').flat());
        // The first half is the next part, so that the calls find one token after the other.
        toDivide.push(...batchesOf(calls, 'rejected').toReversed());
      }
    }
    if (unresolved.length > 0) findings.suspects.push(unresolved);
  }

  #readBatches(batches: readonly Batch[], progress: Progress): Promise<Call[]> {
    return Promise.all(
      batches.map(async (batch) => ({ batch, outcome: await this.#readBatch(batch, progress) })),
    );
  }

  /** Makes one call, and adds its books to the progress. */
  async #readBatch(
    batch: Batch,
    { previous, deadline, sides, findings }: Progress,
  ): Promise<Call['outcome']> {
    try {
      const read = await this.#deps.prices.sides(batch, deadline);
      if (!isPlausible(batch, read, previous)) return 'failed';
      // An empty response to a small call says nothing about its tokens.
      if (read.size === 0) return 'read';
      findings.accepted.push(...batch);
      for (const token of batch) {
        // A token that CLOB omits has an empty book, unless it had sides a minute ago: then it
        // counts as unread.
        if (read.has(token) || !hadReadSide(previous.get(token)))
          sides.set(token, read.get(token) ?? {});
      }
      return 'read';
    } catch (error) {
      const isRejected =
        error instanceof UpstreamError && error.failure === 'status' && error.isAboutRequest;
      return isRejected ? 'rejected' : 'failed';
    }
  }
}

/** The batches of the calls with this outcome. */
function batchesOf(calls: readonly Call[], wanted: Call['outcome']): Batch[] {
  return calls.filter(({ outcome }) => outcome === wanted).map(({ batch }) => batch);
}

/** Whether a response is plausible: false if it has far fewer books than a minute ago. */
function isPlausible(
  batch: Batch,
  read: ReadonlyMap<string, BookSides>,
  previous: PreviousPrices,
): boolean {
  const expected = batch.filter((token) => hadSide(previous.get(token)));
  const found = expected.filter((token) => hasSide(read.get(token) ?? {}));
  return expected.length < MIN_TOKENS_TO_DOUBT || found.length >= MIN_SHARE * expected.length;
}

/** Whether the newest snapshot has a side of the book, even if CLOB did not return it then. */
function hadSide(market: PreviousPrice | undefined): boolean {
  return market?.bestBid !== undefined || market?.bestAsk !== undefined;
}

/** Whether CLOB returned a side of the book for the newest snapshot. */
function hadReadSide(market: PreviousPrice | undefined): boolean {
  return (
    hadSide(market) && market?.priceSource !== 'carried' && market?.priceSource !== 'catalogue'
  );
}
