/** Reads the shares at the best prices, beside the catalogue of a full run. */
import type { Market } from '../../core/domain/market.ts';
import type { BestLevels } from '../../core/domain/quote.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { Clock } from '../../io/platform/clock.ts';
import { BOOKS_BATCH_TOKENS, type ClobPrices } from '../../io/polymarket/clob-prices.ts';
import { TIMEOUTS } from './timeouts.ts';

export interface SizeDependencies {
  readonly prices: Pick<ClobPrices, 'bestLevels'>;
  readonly clock: Clock;
}

/** The best levels that a run reads beside its catalogue. A run publishes what has arrived. */
interface SizeReading {
  /** By token. Grows until the reading is done. */
  readonly levels: ReadonlyMap<string, BestLevels>;
  /** Never rejects. */
  readonly done: Promise<unknown>;
}

/** Begins to read the best levels of all books. A failed call costs the levels of its tokens. */
export function beginSizes(
  { prices, clock }: SizeDependencies,
  markets: readonly Pick<Market, 'clobTokenId' | 'protocolVersion'>[],
): SizeReading {
  const deadline = clock.now() + TIMEOUTS.sizesMs;
  const levels = new Map<string, BestLevels>();
  const groups = [...Map.groupBy(markets, ({ protocolVersion }) => protocolVersion).values()];
  const reads = groups
    .flatMap((group) => inGroups(group, BOOKS_BATCH_TOKENS))
    .map(async (batch) => {
      const tokens = batch.map(({ clobTokenId }) => clobTokenId);
      for (const [token, best] of await prices.bestLevels(tokens, deadline))
        levels.set(token, best);
    });
  return { levels, done: Promise.allSettled(reads) };
}
