import {
  fidelityOf,
  type HistoryInterval,
  type HistorySpan,
  historySpans,
  joinHistories,
} from '../domain/history-spans.ts';
import { canonicalTokenId } from '../domain/token-id.ts';
import { cacheControl, conditional, contentTag } from '../http/caching.ts';
import type { Endpoint } from '../http/pipeline.ts';
import type { Clock } from '../platform/clock.ts';
import { LiveCache, type LiveRead } from '../polymarket/live-read.ts';
import type { PriceHistories } from '../polymarket/price-histories.ts';
import { requireSendable } from './order-books.ts';

/** How long a container keeps a price history. */
const HISTORY_TTL_MS = 60_000;
/** Characters of JSON that a container caches as price histories. */
const HISTORY_CACHE_SIZE = 32_000_000;

export interface PricesHistoryDeps {
  readonly histories: Pick<PriceHistories, 'read'>;
  readonly live: LiveRead;
  readonly clock: Clock;
}

/** Cached as text, which is a tenth of the points as objects. */
interface EncodedHistory {
  readonly body: string;
  readonly tag: string;
}

/**
 * `GET /api/clob/prices-history`: one series, made of one call to the upstream or of several. If one of them fails, the
 * request fails: a chart with a gap would be wrong.
 */
export function getPricesHistory({ histories, live, clock }: PricesHistoryDeps): Endpoint<'get-prices-history'> {
  const cache = new LiveCache<EncodedHistory>({
    clock,
    ttlMs: HISTORY_TTL_MS,
    maxSize: HISTORY_CACHE_SIZE,
    sizeOf: ({ body }) => body.length,
  });
  const load = (token: string, interval: HistoryInterval, fidelity: number): Promise<EncodedHistory> =>
    live('price history', async (deadline) => {
      const spans = historySpans(interval, fidelity, Math.floor(clock.now() / 1_000));
      const readSpan = async (span: HistorySpan) => ({
        span,
        points: (await histories.read([token], span, deadline)).get(token) ?? [],
      });
      const history = joinHistories(await Promise.all(spans.map(readSpan)));
      const body = requireSendable('price history', JSON.stringify({ history }));
      return { body, tag: contentTag(body) };
    });
  return async ({ parameters, headers }) => {
    const { interval } = parameters;
    const token = canonicalTokenId(parameters.token_id);
    const fidelity = fidelityOf(interval, parameters.fidelity);
    const key = `${token} ${interval} ${fidelity}`;
    const { body, tag } = await cache.get(key, () => load(token, interval, fidelity));
    const cacheHeaders = { 'Cache-Control': cacheControl(cache.remainingSeconds(key)) };
    return conditional(headers, { tag }, cacheHeaders, () => body);
  };
}
