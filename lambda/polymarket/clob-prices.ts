import type { PricePoint } from '../domain/change.ts';
import type { Upstream } from '../http-client/client.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { HistoryRange, Prices } from '../refresh/ports.ts';
import { asNumber, asObject, asPrice } from './json-values.ts';

/** A call of the refresh that fails is tried again this often, time permitting. */
const RETRIES = 3;

/** Prices over CLOB's batch routes (upstream.md). */
export class ClobPrices implements Prices {
  private readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  midpoints(tokens: readonly string[], deadline: number): Promise<ReadonlyMap<string, number>> {
    const route = 'midpoints';
    const body = tokens.map((token) => ({ token_id: token }));
    const read = (answer: { body: unknown }) => {
      const prices = asObject(answer.body);
      if (!prices) throw new UpstreamError({ route, failure: 'wrong_shape' });
      return new Map(
        tokens.flatMap((token): [string, number][] => {
          const price = asPrice(prices[token]);
          return price === undefined ? [] : [[token, price]];
        }),
      );
    };
    return this.upstream.request(route, '/midpoints', read, { deadline, retries: RETRIES }, body);
  }

  histories(
    tokens: readonly string[],
    range: HistoryRange,
    deadline: number,
  ): Promise<ReadonlyMap<string, readonly PricePoint[]>> {
    const route = 'batch-prices-history';
    // Snake case here, camel case on the single route (upstream.md).
    const body = { markets: tokens, start_ts: range.start, end_ts: range.end, fidelity: range.fidelity };
    const read = (answer: { body: unknown }) => {
      const histories = asObject(asObject(answer.body)?.history);
      if (!histories) throw new UpstreamError({ route, failure: 'wrong_shape' });
      return new Map(tokens.map((token) => [token, readPoints(histories[token])]));
    };
    return this.upstream.request(route, '/batch-prices-history', read, { deadline, retries: RETRIES }, body);
  }

  history(token: string, range: HistoryRange, deadline: number): Promise<readonly PricePoint[]> {
    const route = 'prices-history';
    const query = new URLSearchParams({
      market: token,
      startTs: String(range.start),
      endTs: String(range.end),
      fidelity: String(range.fidelity),
    });
    const read = (answer: { body: unknown }) => readHistory(route, answer.body);
    return this.upstream.request(route, `/prices-history?${query}`, read, { deadline, retries: RETRIES });
  }
}

/** @throws UpstreamError `wrong_shape` when the body holds no history at all, or points of which none can be read */
export function readHistory(route: string, body: unknown): PricePoint[] {
  const history = asObject(body)?.history;
  if (!Array.isArray(history)) throw new UpstreamError({ route, failure: 'wrong_shape' });
  const points = readPoints(history);
  // Nothing readable is not the same as nothing there.
  if (points.length === 0 && history.length > 0) throw new UpstreamError({ route, failure: 'wrong_shape' });
  return points;
}

/** The points that can be read; others are left out. */
function readPoints(value: unknown): PricePoint[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((point: unknown): PricePoint[] => {
    const object = asObject(point);
    const t = asNumber(object?.t);
    const p = asPrice(object?.p);
    return t === undefined || p === undefined ? [] : [{ t, p }];
  });
}
