import {
  HISTORIES_HELD,
  HISTORY_CHARACTERS_HELD,
  HISTORY_KEPT_MS,
  LIVE_DEADLINE_MS,
} from '../contract/constants.ts';
import type { PricePoint } from '../domain/change.ts';
import {
  fidelityOf,
  type HistoryInterval,
  historyRequests,
  INTERVAL_SECONDS,
  joinHistories,
} from '../domain/history-requests.ts';
import { ServiceError } from '../domain/service-error.ts';
import { cacheControl } from '../http/cache-control.ts';
import { conditional, contentTag } from '../http/conditional.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Clock } from '../platform/clock.ts';
import { LoadCache } from '../platform/load-cache.ts';
import { liveBody } from './live-body.ts';
import type { LivePriceHistories, LiveRead, RememberedPrices } from './ports.ts';

/** What the memory is given once the upstream's time is over, ms: the caller still has a response within 5 s. */
const MEMORY_MS = 500;
/** One price is no history. */
const FEWEST_REMEMBERED = 2;

/** A response as it is kept: encoded, which is a tenth of what the points take as objects. */
export interface EncodedHistory {
  readonly body: string;
  readonly tag: string;
  /** Where the points are from, when not from the upstream. */
  readonly source?: 'memory';
}

export interface GetPricesHistoryOptions {
  readonly histories: LivePriceHistories;
  readonly remembered: RememberedPrices;
  readonly live: LiveRead;
  /** By token, interval and fidelity. */
  readonly cache: LoadCache<EncodedHistory>;
  readonly clock: Clock;
  readonly edgeCache: boolean;
}

/** Histories of a moment ago, in one container. */
export function historyCache(clock: Clock): LoadCache<EncodedHistory> {
  return new LoadCache({
    clock,
    keptMs: HISTORY_KEPT_MS,
    maxEntries: HISTORIES_HELD,
    maxSize: HISTORY_CHARACTERS_HELD,
    sizeOf: ({ body }) => body.length,
  });
}

/**
 * `GET /api/clob/prices-history`: one series, whatever number of requests it takes. If one of them fails, all
 * has failed: a chart with a silent hole would be wrong. Then it is what the service itself remembers, and says so.
 */
export function getPricesHistory(options: GetPricesHistoryOptions) {
  const { histories, remembered, live, cache, clock, edgeCache } = options;
  const fromUpstream = ({ token, interval, fidelity }: Asked) =>
    live('price history', async (deadline) => {
      const requests = historyRequests(interval, fidelity, Math.floor(clock.now() / 1_000));
      const parts = await Promise.all(
        requests.map(async (one) => ({ request: one, points: await histories.points(token, one, deadline) })),
      );
      return encoded(joinHistories(parts));
    });
  const load = async (asked: Asked): Promise<EncodedHistory> => {
    const deadline = clock.now() + LIVE_DEADLINE_MS + MEMORY_MS;
    try {
      return await fromUpstream(asked);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'upstream_unavailable')) throw error;
      const { token, interval, fidelity } = asked;
      const points = await remembered.points(token, INTERVAL_SECONDS[interval], fidelity, deadline);
      if (points.length < FEWEST_REMEMBERED) throw error;
      return { ...encoded(points), source: 'memory' };
    }
  };
  return async (request: EndpointRequest<'get-prices-history'>): Promise<HttpResponse> => {
    const { token_id: token, interval } = request.parameters;
    const fidelity = fidelityOf(interval, request.parameters.fidelity);
    const { value, keptForMs } = await cache.get(`${token} ${interval} ${fidelity}`, () =>
      load({ token, interval, fidelity }),
    );
    const headers = {
      'Cache-Control': cacheControl(Math.floor(keptForMs / 1_000), edgeCache),
      ...(value.source ? { 'X-Data-Source': value.source } : {}),
    };
    return conditional(request.headers, { tag: value.tag }, headers, () => value.body);
  };
}

interface Asked {
  readonly token: string;
  readonly interval: HistoryInterval;
  readonly fidelity: number;
}

/** @throws ServiceError `upstream_unavailable` when it is too large */
function encoded(history: readonly PricePoint[]): EncodedHistory {
  const body = liveBody('price history', JSON.stringify({ history }));
  return { body, tag: contentTag(body) };
}
