import { MIDPOINTS_BATCH_TOKENS } from '../contract/constants.ts';
import type { Prices } from './ports.ts';
import type { RunReport } from './run-report.ts';

/**
 * Reads the midpoints of all tokens, as the last upstream step of a run. A failed call leaves its tokens without
 * one; the catalogue's price stands in for them.
 */
export async function sweepPrices(
  prices: Prices,
  tokens: readonly string[],
  deadline: number,
  report: RunReport,
): Promise<ReadonlyMap<string, number>> {
  const midpoints = new Map<string, number>();
  const batches: Promise<void>[] = [];
  for (let start = 0; start < tokens.length; start += MIDPOINTS_BATCH_TOKENS) {
    const batch = tokens.slice(start, start + MIDPOINTS_BATCH_TOKENS);
    batches.push(
      prices.midpoints(batch, deadline).then(
        (found) => {
          for (const [token, price] of found) midpoints.set(token, price);
        },
        () => {
          report.midpointBatchesFailed += 1;
        },
      ),
    );
  }
  await Promise.all(batches);
  return midpoints;
}
