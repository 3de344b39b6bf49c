/**
 * Reads the prices of all markets from CLOB, Polymarket's order books. First it reads the two sides
 * of each book, its best bid and best ask. Where these are too far apart to be a price (the book is
 * not tight), it then reads the last trade.
 */
import type { CatalogueMarket } from '../../core/domain/market.ts';
import { isTrade, type PreviousPrice } from '../../core/domain/price.ts';
import { type LastTrade, midpointOf } from '../../core/domain/quote.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { sleep } from '../../io/platform/clock.ts';
import {
  type ClobPrices,
  LAST_TRADES_BATCH_TOKENS,
  MIN_TOKENS_TO_DOUBT,
} from '../../io/polymarket/clob-prices.ts';
import { batchesByVersion } from './batches.ts';
import {
  MIN_SHARE,
  type PreviousPrices,
  type SidesDependencies,
  SidesReader,
  type SidesReading,
} from './sides-reader.ts';
import { TIMEOUTS } from './timeouts.ts';

export interface PriceDependencies extends SidesDependencies {
  readonly prices: Pick<ClobPrices, 'sides' | 'lastTrades'>;
}

/** What CLOB returned about the prices of all markets. */
export interface PriceReading extends SidesReading {
  readonly readUntil: UnixMs;
  /** By token, for markets whose book is not tight; unread tokens are absent. */
  readonly lastTrades: ReadonlyMap<string, LastTrade>;
}

type ReadMarket = Pick<CatalogueMarket, 'clobTokenId' | 'protocolVersion' | 'volume'>;

/** Reads the prices of one run. */
export class PriceReader {
  readonly #deps: PriceDependencies;
  readonly #sides: SidesReader;

  constructor(deps: PriceDependencies) {
    this.#deps = deps;
    this.#sides = new SidesReader(deps);
  }

  /**
   * Reads both sides of all books, then last trades where the book is not tight.
   *
   * @param previous prices of the newest snapshot
   */
  async read(
    markets: readonly ReadMarket[],
    previous: PreviousPrices,
    deadline: UnixMs,
  ): Promise<PriceReading> {
    const reading = await this.#readSides(markets, previous, deadline);
    const notTight = markets.filter(({ clobTokenId }) => {
      const book = reading.sides.get(clobTokenId);
      return book && midpointOf(book) === undefined;
    });
    const lastTrades = await this.#readLastTrades(notTight, previous);
    return { ...reading, lastTrades, readUntil: this.#deps.clock.now() };
  }

  /**
   * Reads the sides of all books. After a failed call it reads all of them again, so that all prices
   * have one time. It tries this for 10 s, or until the deadline while no call succeeds.
   *
   * @returns the latest of the readings with the fewest failed calls
   */
  async #readSides(
    markets: readonly ReadMarket[],
    previous: PreviousPrices,
    deadline: UnixMs,
  ): Promise<SidesReading> {
    const { clock } = this.#deps;
    const shortDeadline = Math.min(deadline, clock.now() + TIMEOUTS.readingMs);
    let best = await this.#sides.read(markets, previous, deadline);
    let pauseMs: number = TIMEOUTS.minPauseMs;
    while (best.failed > 0) {
      const retryDeadline = allFailed(best) ? deadline : shortDeadline;
      const leftMs = retryDeadline - clock.now();
      if (leftMs <= 0) break;
      await sleep(clock, Math.min(pauseMs, leftMs));
      const next = await this.#sides.read(markets, previous, retryDeadline);
      if (next.failed <= best.failed) best = next;
      pauseMs = Math.min(2 * pauseMs, TIMEOUTS.maxPauseMs);
    }
    return best;
  }

  /** The last trades by token, without those of failed or implausible calls. */
  async #readLastTrades(
    markets: readonly ReadMarket[],
    previous: PreviousPrices,
  ): Promise<ReadonlyMap<string, LastTrade>> {
    const { prices, clock } = this.#deps;
    const deadline = clock.now() + TIMEOUTS.lastTradesMs;
    const lastTrades = new Map<string, LastTrade>();
    const readBatch = async (batch: readonly ReadMarket[]): Promise<void> => {
      const tokens = batch.map(({ clobTokenId }) => clobTokenId);
      const trades = await prices.lastTrades(tokens, deadline).catch(() => undefined);
      if (!trades || !isPlausible(batch, trades)) return;
      for (const token of tokens) {
        const trade = trades.get(token);
        // A token that CLOB omits was never traded. If a trade was known before, CLOB has omitted
        // it by mistake, and the token counts as unread.
        if (trade || !hadTrade(previous.get(token))) lastTrades.set(token, trade ?? {});
      }
    };
    await Promise.all(batchesByVersion(markets, LAST_TRADES_BATCH_TOKENS).map(readBatch));
    return lastTrades;
  }
}

/** Whether CLOB gave no price at all. */
export function allFailed({ calls, failed }: Pick<PriceReading, 'calls' | 'failed'>): boolean {
  return failed === calls;
}

/** Whether the trades are plausible: false if there are far fewer than traded markets. */
function isPlausible(
  batch: readonly ReadMarket[],
  trades: ReadonlyMap<string, LastTrade>,
): boolean {
  const traded = batch.filter(({ volume }) => volume > 0);
  const priced = traded.filter(({ clobTokenId }) => trades.get(clobTokenId)?.price !== undefined);
  return traded.length < MIN_TOKENS_TO_DOUBT || priced.length >= MIN_SHARE * traded.length;
}

/** Whether a trade of the market was known before this run. */
function hadTrade(price: PreviousPrice | undefined): boolean {
  return price !== undefined && isTrade(price);
}
