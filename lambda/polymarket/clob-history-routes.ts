import { HISTORY_BATCH_TOKENS } from '../contract/constants.ts';
import { MAX_LIVE_BYTES } from '../contract/upstreams.ts';
import type { PricePoint } from '../domain/change.ts';
import type { CallLimits, Upstream } from '../http-client/client.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { HistoriesByToken, HistoryRoute, HistorySpan } from './history-route.ts';
import { asList, asObject, asPrice, asUnixSeconds } from './json-values.ts';

/** `POST /batch-prices-history`: twenty tokens a call. */
export class ClobBatchHistories implements HistoryRoute {
  readonly name = 'clob-batch';
  readonly tokensPerCall = HISTORY_BATCH_TOKENS;
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  read(tokens: readonly string[], span: HistorySpan, limits: CallLimits): Promise<HistoriesByToken> {
    const route = 'batch-prices-history';
    // Snake case here, camel case on the single route (upstream.md).
    const range =
      span.kind === 'interval' ? { interval: span.interval } : { start_ts: span.start, end_ts: span.end };
    const body = { markets: tokens, ...range, fidelity: span.fidelity };
    const parse = (response: { body: unknown }) => {
      const histories = asObject(asObject(response.body)?.history);
      // A token may be missing, since upstream may not know it. Nothing but tokens that nobody asked for is no response.
      const given = Object.keys(histories ?? {});
      if (!histories || (given.length > 0 && !given.some((token) => tokens.includes(token)))) {
        throw new UpstreamError({ route, failure: 'wrong_shape' });
      }
      return new Map(tokens.map((token) => [token, readPoints(route, histories[token] ?? [])]));
    };
    return this.#upstream.request(route, '/batch-prices-history', parse, limits, body);
  }
}

/** `GET /prices-history`. */
export class ClobSingleHistories implements HistoryRoute {
  readonly name = 'clob-single';
  readonly tokensPerCall = 1;
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  async read([token = '']: readonly string[], span: HistorySpan, limits: CallLimits) {
    const route = 'prices-history';
    const range: Record<string, string> =
      span.kind === 'interval'
        ? { interval: span.interval }
        : { startTs: String(span.start), endTs: String(span.end) };
    const query = new URLSearchParams({ market: token, ...range, fidelity: String(span.fidelity) });
    const parse = (response: { body: unknown }) => readPoints(route, asObject(response.body)?.history);
    const points = await this.#upstream.request(route, `/prices-history?${query}`, parse, {
      maxBytes: MAX_LIVE_BYTES,
      ...limits,
    });
    return new Map([[token, points]]);
  }
}

/**
 * The points of a list `[{t, p}]`; what cannot be read is left out.
 *
 * @throws UpstreamError `wrong_shape` when it is no list, or has points of which none can be read: nothing readable is
 *   not the same as nothing there
 */
function readPoints(route: string, value: unknown): readonly PricePoint[] {
  const list = asList(value);
  if (!list) throw new UpstreamError({ route, failure: 'wrong_shape' });
  const points = list.flatMap((point: unknown): PricePoint[] => {
    const object = asObject(point);
    const t = asUnixSeconds(object?.t);
    const p = asPrice(object?.p);
    return t === undefined || p === undefined ? [] : [{ t, p }];
  });
  if (points.length === 0 && list.length > 0) throw new UpstreamError({ route, failure: 'wrong_shape' });
  return points;
}
