/**
 * Reads sizes: how many shares each order book has at its best bid and best ask (its best levels).
 * A full run reads them while it reads the catalogue.
 */
import type { Market } from '../../core/domain/market.ts';
import type { BestLevels } from '../../core/domain/quote.ts';
import type { Clock } from '../../io/platform/clock.ts';
import { BOOKS_BATCH_TOKENS, type ClobPrices } from '../../io/polymarket/clob-prices.ts';
import { batchesByVersion } from './batches.ts';
import { TIMEOUTS } from './timeouts.ts';

export interface SizeDependencies {
  readonly prices: Pick<ClobPrices, 'bestLevels'>;
  readonly clock: Clock;
}

type ReadMarket = Pick<Market, 'clobTokenId' | 'protocolVersion'>;

/** A reading that goes on in the background. A run publishes what has arrived. */
interface SizeReading {
  /** By token. Grows until the reading is done. */
  readonly levels: ReadonlyMap<string, BestLevels>;
  /** Never rejects. */
  readonly done: Promise<unknown>;
}

/** Begins to read the best levels of all books. A failed call costs the levels of its tokens. */
export function beginSizes(
  { prices, clock }: SizeDependencies,
  markets: readonly ReadMarket[],
): SizeReading {
  const deadline = clock.now() + TIMEOUTS.sizesMs;
  const levels = new Map<string, BestLevels>();
  const readBatch = async (batch: readonly ReadMarket[]): Promise<void> => {
    const tokens = batch.map(({ clobTokenId }) => clobTokenId);
    for (const [token, best] of await prices.bestLevels(tokens, deadline)) levels.set(token, best);
  };
  // Upstream does not document a call with ids of both protocol versions.
  const batches = batchesByVersion(markets, BOOKS_BATCH_TOKENS);
  return { levels, done: Promise.allSettled(batches.map(readBatch)) };
}
