import type { CatalogueMarket } from '../../core/domain/market.ts';
import {
  type BookSides,
  hasSide,
  isTrade,
  type LastTrade,
  midpointOf,
  type PreviousPrice,
} from '../../core/domain/price.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import { type Clock, sleep } from '../../io/platform/clock.ts';
import {
  type ClobPrices,
  LAST_TRADES_BATCH_TOKENS,
  MIN_TOKENS_TO_DOUBT,
} from '../../io/polymarket/clob-prices.ts';
import { UpstreamError } from '../../io/upstream/upstream-error.ts';
import type { Findings, RejectedTokens } from './rejected-tokens.ts';
import { TIMEOUTS } from './timeouts.ts';

export interface PriceDependencies {
  readonly prices: Pick<ClobPrices, 'sides' | 'lastTrades'>;
  readonly rejectedTokens: RejectedTokens;
  readonly clock: Clock;
}

/** By token; unread tokens are absent. */
export interface PriceReading {
  /** When the reading began. No price is older. */
  readonly asOf: UnixMs;
  readonly readUntil: UnixMs;
  readonly sides: ReadonlyMap<string, BookSides>;
  /** For markets whose book is not tight. */
  readonly lastTrades: ReadonlyMap<string, LastTrade>;
  /** Counts the first calls, not the halves of rejected ones. */
  readonly calls: number;
  readonly failed: number;
}

export type PreviousPrices = ReadonlyMap<string, PreviousPrice>;

type ReadMarket = Pick<CatalogueMarket, 'clobTokenId' | 'protocolVersion' | 'volume'>;
type SidesReading = Omit<PriceReading, 'lastTrades' | 'readUntil'>;
type CallResult = ReadonlyMap<string, BookSides> | 'rejected' | 'failed';

/** If a call returns less than this share of the expected sides or trades, it fails. */
const MIN_SHARE = 0.5;
/** Per run, to find rejected tokens. */
const MAX_SEPARATE_CALLS = 64;

export class PriceReader {
  readonly #deps: PriceDependencies;
  #separateCallsLeft = MAX_SEPARATE_CALLS;

  constructor(deps: PriceDependencies) {
    this.#deps = deps;
  }

  /**
   * Reads both sides of all books, then last trades where the book is not tight. After a failed
   * call it reads all sides again, so that all prices have one time: for 10 s, or until the
   * deadline if no call succeeds.
   *
   * @returns the latest of the readings with the fewest failed calls
   */
  async read(
    markets: readonly ReadMarket[],
    previous: PreviousPrices,
    deadline: UnixMs,
  ): Promise<PriceReading> {
    const { clock } = this.#deps;
    const firstDeadline = Math.min(deadline, clock.now() + TIMEOUTS.readingMs);
    let best = await this.#readSides(markets, previous, deadline);
    let pauseMs: number = TIMEOUTS.minPauseMs;
    while (best.failed > 0) {
      const retryDeadline = allFailed(best) ? deadline : firstDeadline;
      const leftMs = retryDeadline - clock.now();
      if (leftMs <= 0) break;
      await sleep(clock, Math.min(pauseMs, leftMs));
      const next = await this.#readSides(markets, previous, retryDeadline);
      if (next.failed <= best.failed) best = next;
      pauseMs = Math.min(2 * pauseMs, TIMEOUTS.maxPauseMs);
    }
    const { sides } = best;
    const untight = markets.filter(({ clobTokenId }) => {
      const book = sides.get(clobTokenId);
      return book && midpointOf(book) === undefined;
    });
    const lastTrades = await this.#readLastTrades(untight, previous);
    return { ...best, lastTrades, readUntil: clock.now() };
  }

  async #readSides(
    markets: readonly ReadMarket[],
    previous: PreviousPrices,
    deadline: UnixMs,
  ): Promise<SidesReading> {
    const { clock, rejectedTokens } = this.#deps;
    const asOf = clock.now();
    const readingDeadline = Math.min(deadline, asOf + TIMEOUTS.readingMs);
    const { batches, suspects, due } = rejectedTokens.batches(
      markets,
      asOf,
      this.#separateCallsLeft,
    );
    this.#separateCallsLeft -= suspects.length + due.length;
    const findings: Findings = { accepted: [], rejected: [], suspects: [] };
    const sides = new Map<string, BookSides>();
    const readBatch = async (batch: readonly string[]): Promise<CallResult> => {
      const result = await this.#callSides(batch, previous, readingDeadline);
      if (typeof result === 'object') {
        // An empty response to a small call says nothing about its tokens.
        if (result.size === 0) return result;
        findings.accepted.push(...batch);
        for (const [token, book] of answered(batch, result, previous)) sides.set(token, book);
      }
      return result;
    };
    /** @param unresolved gets the tokens of parts that are not divided yet */
    const divide = async (batch: readonly string[], unresolved: string[]): Promise<void> => {
      if (batch.length === 1) findings.rejected.push(...batch);
      else if (this.#separateCallsLeft < 2) unresolved.push(...batch);
      else {
        this.#separateCallsLeft -= 2;
        const halves = inGroups(batch, Math.ceil(batch.length / 2));
        const results = await Promise.all(halves.map(readBatch));
        for (const [n, half] of halves.entries()) {
          if (results[n] === 'rejected') await divide(half, unresolved);
          else if (results[n] === 'failed') unresolved.push(...half);
        }
      }
    };
    const all = [...suspects, ...due, ...batches];
    const results = await Promise.all(all.map(readBatch));
    findings.suspects.push(...suspects.filter((_, n) => results[n] === 'failed'));
    // In sequence, so that each run finds whole tokens.
    for (const batch of all.filter((_, n) => results[n] === 'rejected')) {
      const unresolved: string[] = [];
      await divide(batch, unresolved);
      if (unresolved.length > 0) findings.suspects.push(unresolved);
    }
    const calls = all.length;
    const failed = results.filter((result) => result === 'failed').length;
    // If the route rejects everything, no token is at fault: the route failed.
    return { asOf, sides, calls, failed: rejectedTokens.record(findings, asOf) ? failed : calls };
  }

  async #callSides(
    batch: readonly string[],
    previous: PreviousPrices,
    deadline: UnixMs,
  ): Promise<CallResult> {
    try {
      const sides = await this.#deps.prices.sides(batch, deadline);
      return isPlausible(batch, sides, previous) ? sides : 'failed';
    } catch (error) {
      const isRejected =
        error instanceof UpstreamError && error.failure === 'status' && error.isAboutRequest;
      return isRejected ? 'rejected' : 'failed';
    }
  }

  async #readLastTrades(
    markets: readonly ReadMarket[],
    previous: PreviousPrices,
  ): Promise<ReadonlyMap<string, LastTrade>> {
    const { prices, clock } = this.#deps;
    const deadline = clock.now() + TIMEOUTS.lastTradesMs;
    const groups = [...Map.groupBy(markets, ({ protocolVersion }) => protocolVersion).values()];
    const reads = groups
      .flatMap((group) => inGroups(group, LAST_TRADES_BATCH_TOKENS))
      .map(async (batch) => {
        const tokens = batch.map(({ clobTokenId }) => clobTokenId);
        const trades = await prices.lastTrades(tokens, deadline).catch(() => undefined);
        return trades && hasTrades(batch, trades)
          ? tokens.flatMap((token) => tradeOf(token, trades, previous))
          : [];
      });
    return new Map((await Promise.all(reads)).flat());
  }
}

export function allFailed({ calls, failed }: Pick<PriceReading, 'calls' | 'failed'>): boolean {
  return failed === calls;
}

/** A token without an entry has an empty book, unless it had sides a minute ago. */
function answered(
  batch: readonly string[],
  read: ReadonlyMap<string, BookSides>,
  previous: PreviousPrices,
): (readonly [string, BookSides])[] {
  return batch
    .filter((token) => read.has(token) || !hadReadSides(previous.get(token)))
    .map((token) => [token, read.get(token) ?? {}] as const);
}

function hadReadSides(market: PreviousPrice | undefined): boolean {
  return (
    hadBook(market) && market?.priceSource !== 'carried' && market?.priceSource !== 'catalogue'
  );
}

function hadBook(market: PreviousPrice | undefined): boolean {
  return market?.bestBid !== undefined || market?.bestAsk !== undefined;
}

/** False if there are far fewer books than a minute ago. */
function isPlausible(
  batch: readonly string[],
  sides: ReadonlyMap<string, BookSides>,
  previous: PreviousPrices,
): boolean {
  const had = batch.filter((token) => hadBook(previous.get(token)));
  const has = had.filter((token) => hasSide(sides.get(token) ?? {}));
  return had.length < MIN_TOKENS_TO_DOUBT || has.length >= MIN_SHARE * had.length;
}

/** False if there are far fewer trades than traded markets. */
function hasTrades(batch: readonly ReadMarket[], trades: ReadonlyMap<string, LastTrade>): boolean {
  const traded = batch.filter(({ volume }) => volume > 0);
  const has = traded.filter(({ clobTokenId }) => trades.get(clobTokenId)?.price !== undefined);
  return traded.length < MIN_TOKENS_TO_DOUBT || has.length >= MIN_SHARE * traded.length;
}

/** A token without an entry was never traded. If a trade was known, the token was not read. */
function tradeOf(
  token: string,
  trades: ReadonlyMap<string, LastTrade>,
  previous: PreviousPrices,
): readonly (readonly [string, LastTrade])[] {
  const trade = trades.get(token);
  if (trade) return [[token, trade]];
  const price = previous.get(token);
  const hadTrade = price !== undefined && isTrade(price);
  return hadTrade ? [] : [[token, {}]];
}
