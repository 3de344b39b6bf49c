import { fidelityOf, historyRequests, joinHistories } from '../domain/history-requests.ts';
import { cacheControl } from '../http/cache-control.ts';
import { conditional, contentTag } from '../http/conditional.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Clock } from '../platform/clock.ts';
import type { LoadCache } from '../platform/load-cache.ts';
import type { LiveRead } from '../polymarket/live-call.ts';
import { liveBody } from './live-body.ts';
import type { PriceHistories } from './ports.ts';

/** A response as it is kept: encoded, which is a tenth of what the points take as objects. */
export interface EncodedHistory {
  readonly body: string;
  readonly tag: string;
}

export interface GetPricesHistoryOptions {
  readonly histories: PriceHistories;
  readonly live: LiveRead;
  /** By token, interval and fidelity. */
  readonly cache: LoadCache<EncodedHistory>;
  readonly clock: Clock;
  readonly edgeCache: boolean;
}

/**
 * `GET /api/clob/prices-history`: one series, whatever number of requests it takes. If one of them fails, all
 * has failed: a chart with a silent hole would be wrong.
 */
export function getPricesHistory(options: GetPricesHistoryOptions) {
  const { histories, live, cache, clock, edgeCache } = options;
  return async (request: EndpointRequest<'get-prices-history'>): Promise<HttpResponse> => {
    const { token_id: token, interval } = request.parameters;
    const fidelity = fidelityOf(interval, request.parameters.fidelity);
    const { value, keptForMs } = await cache.get(`${token} ${interval} ${fidelity}`, () =>
      live('price history', async (deadline) => {
        const requests = historyRequests(interval, fidelity, Math.floor(clock.now() / 1_000));
        const parts = await Promise.all(
          requests.map(async (one) => ({
            request: one,
            points: await histories.points(token, one, deadline),
          })),
        );
        const body = liveBody('price history', JSON.stringify({ history: joinHistories(parts) }));
        return { body, tag: contentTag(body) };
      }),
    );
    return conditional(
      request.headers,
      { tag: value.tag },
      { 'Cache-Control': cacheControl(Math.floor(keptForMs / 1_000), edgeCache) },
      () => value.body,
    );
  };
}
