import { MIDPOINTS_BATCH_TOKENS } from '../contract/constants.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import type { Prices } from './ports.ts';

/** Midpoints that were read together. */
export interface PriceSweep {
  /** Ms: when the reading began. No price in it is older. */
  readonly asOf: number;
  /** By token; those of a call that failed are missing. */
  readonly midpoints: ReadonlyMap<string, number>;
  /** How many calls failed. */
  readonly failed: number;
}

/**
 * The pause after a reading in which a call failed, whatever its retries; it doubles up to the greatest. An outage is asked
 * about every few seconds, and noticed to be over as soon.
 */
const FIRST_PAUSE_MS = 1_000;
const GREATEST_PAUSE_MS = 8_000;

/**
 * Reads the midpoints of all tokens, as the last upstream step of a run. Where a call fails all of them are read again until
 * the deadline, so that one time is true of all prices.
 *
 * @param deadline absolute ms
 * @returns the reading of which the fewest calls failed, the latest of these
 */
export async function sweepPrices(
  prices: Prices,
  tokens: readonly string[],
  deadline: number,
  clock: Clock,
): Promise<PriceSweep> {
  let best = await readOnce(prices, tokens, deadline, clock);
  let pause = FIRST_PAUSE_MS;
  while (best.failed > 0 && clock.now() + pause < deadline) {
    await sleep(clock, pause);
    const again = await readOnce(prices, tokens, deadline, clock);
    if (again.failed <= best.failed) best = again;
    pause = Math.min(2 * pause, GREATEST_PAUSE_MS);
  }
  return best;
}

async function readOnce(
  prices: Prices,
  tokens: readonly string[],
  deadline: number,
  clock: Clock,
): Promise<PriceSweep> {
  const asOf = clock.now();
  const midpoints = new Map<string, number>();
  let failed = 0;
  const batches: Promise<void>[] = [];
  for (let start = 0; start < tokens.length; start += MIDPOINTS_BATCH_TOKENS) {
    const batch = tokens.slice(start, start + MIDPOINTS_BATCH_TOKENS);
    batches.push(
      prices.midpoints(batch, deadline).then(
        (found) => {
          for (const [token, price] of found) midpoints.set(token, price);
        },
        () => {
          failed += 1;
        },
      ),
    );
  }
  await Promise.all(batches);
  return { asOf, midpoints, failed };
}
