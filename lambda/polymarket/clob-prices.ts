import type { Upstream } from '../http-client/client.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { Prices } from '../refresh/ports.ts';
import { asObject, asPrice } from './json-values.ts';

/** A call of the refresh that fails is tried again this often, time permitting. */
const RETRIES = 5;

/** Prices over CLOB's batch route (upstream.md). */
export class ClobPrices implements Pick<Prices, 'midpoints'> {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  midpoints(tokens: readonly string[], deadline: number): Promise<ReadonlyMap<string, number>> {
    const route = 'midpoints';
    const body = tokens.map((token) => ({ token_id: token }));
    const read = (response: { body: unknown }) => {
      const prices = asObject(response.body);
      if (!prices) throw new UpstreamError({ route, failure: 'wrong_shape' });
      return new Map(
        tokens.flatMap((token): [string, number][] => {
          const price = asPrice(prices[token]);
          return price === undefined ? [] : [[token, price]];
        }),
      );
    };
    return this.#upstream.request(
      route,
      '/midpoints',
      read,
      { deadline, retries: RETRIES, timeoutRetries: 3 },
      body,
    );
  }
}
