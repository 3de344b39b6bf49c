import type { Upstream } from '../upstream/client.ts';
import { asObject, asPrice } from './json-values.ts';

/** Tokens that the midpoints route accepts in one call (docs/upstream.md). */
export const MIDPOINTS_BATCH_TOKENS = 500;

/** If none of this many open markets has a midpoint, the response is wrong, although its status is 200. */
const MIN_TOKENS_TO_DOUBT = 20;

/** Midpoints from CLOB's batch route (docs/upstream.md). */
export class ClobPrices {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * @param tokens at most MIDPOINTS_BATCH_TOKENS
   * @param deadline absolute Unix ms
   * @returns midpoints by token, 0–1. Tokens without one are missing.
   * @throws UpstreamError, also for a response without any midpoint for 20 or more tokens
   */
  midpoints(tokens: readonly string[], deadline: number): Promise<ReadonlyMap<string, number>> {
    return this.#upstream.request({
      route: 'midpoints',
      path: '/midpoints',
      body: tokens.map((token) => ({ token_id: token })),
      parse: (body) => readMidpoints(body, tokens),
      deadline,
      retries: 5,
      timeoutRetries: 3,
    });
  }
}

function readMidpoints(body: unknown, tokens: readonly string[]): ReadonlyMap<string, number> | undefined {
  const prices = asObject(body);
  const midpoints = new Map<string, number>();
  for (const token of tokens) {
    const price = asPrice(prices?.[token]);
    if (price !== undefined) midpoints.set(token, price);
  }
  return !prices || (midpoints.size === 0 && tokens.length >= MIN_TOKENS_TO_DOUBT) ? undefined : midpoints;
}
