import { MAX_UPSTREAM_RETRIES } from '../../core/contract/constants.ts';
import type { PricePoint } from '../../core/domain/change.ts';
import {
  type HistoryPlan,
  type HistorySpan,
  historyPlan,
  mergeHistory,
} from '../../core/domain/history-plan.ts';
import { canonicalTokenId } from '../../core/domain/ids.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import { MINUTE_MS, toUnixSeconds, type UnixMs } from '../../core/domain/time.ts';
import type { Endpoint } from '../../http/pipeline.ts';
import { cacheControl, conditional, jsonObject, requireSendable } from '../../http/response.ts';
import type { Clock } from '../../io/platform/clock.ts';
import { LiveCache, type LiveRead, readTogether } from '../../io/polymarket/live-read.ts';
import type { PriceHistories } from '../../io/polymarket/price-histories.ts';
import { UpstreamError } from '../../io/upstream/upstream-error.ts';

/** A container keeps a history for this long: points are at least a minute apart. */
const HISTORY_TTL_MS = MINUTE_MS;
/** The characters of JSON in a container's cache. */
const HISTORY_CACHE_SIZE = 32_000_000;

/** What the endpoints of price histories use. */
export interface PricesHistoryDeps {
  readonly histories: Pick<PriceHistories, 'readLive'>;
  readonly live: LiveRead;
  readonly clock: Clock;
}

/** A cache of histories as JSON, which takes a tenth of the memory of objects. */
function historyCache(clock: Clock): LiveCache<string> {
  return new LiveCache({
    clock,
    ttlMs: HISTORY_TTL_MS,
    maxSize: HISTORY_CACHE_SIZE,
    sizeOf: ({ length }) => length,
  });
}

/** The headers of a history: how long a browser may keep it, and its fidelity. */
function headersOf(seconds: number, { fidelity }: HistoryPlan): Readonly<Record<string, string>> {
  return { 'Cache-Control': cacheControl(seconds), 'X-Fidelity-Minutes': String(fidelity) };
}

/**
 * `GET /api/clob/prices-history`: one series, from one or several calls. If one call fails, the
 * request fails, because a chart with a gap would be wrong.
 */
export function getPricesHistory(deps: PricesHistoryDeps): Endpoint<'get-prices-history'> {
  const { live, clock } = deps;
  const cache = historyCache(clock);
  const load = (token: string, plan: HistoryPlan): Promise<string> =>
    live('price history', async (deadline) => {
      const history = (await readSeries(deps, [token], plan, deadline)).get(token) ?? [];
      return requireSendable('price history', JSON.stringify({ history }));
    });
  return async ({ parameters, headers }) => {
    const { interval, startTs, endTs } = parameters;
    const token = canonicalTokenId(parameters.token_id);
    const plan = historyPlan(parameters, toUnixSeconds(clock.now()));
    const key = [token, interval, startTs, endTs, plan.fidelity].join(' ');
    const body = await cache.get(key, () => load(token, plan));
    const responseHeaders = headersOf(cache.remainingSeconds(key), plan);
    return conditional(headers, body, responseHeaders);
  };
}

/**
 * `GET /api/clob/prices-histories`: series by token as the caller wrote it. Series that are not
 * cached are read together. An unreadable series is `null` and not cached.
 */
export function getPricesHistories(deps: PricesHistoryDeps): Endpoint<'get-prices-histories'> {
  const { live, clock } = deps;
  const cache = historyCache(clock);
  return async ({ parameters, headers }) => {
    const { token_id: sent, interval } = parameters;
    const plan = historyPlan(parameters, toUnixSeconds(clock.now()));
    const keyOf = (token: string) => [canonicalTokenId(token), interval, plan.fidelity].join(' ');
    const read = readTogether((tokens) =>
      live('price histories', (deadline) => readSeries(deps, tokens, plan, deadline)),
    );
    const load = async (token: string): Promise<string> => {
      const history = await read(token);
      if (!history)
        throw new ServiceError(
          'upstream_unavailable',
          'The upstream did not return the price history.',
        );
      return JSON.stringify({ history });
    };
    const names = [...new Set(sent)];
    const bodies = await Promise.allSettled(
      names.map((name) => cache.get(keyOf(name), () => load(canonicalTokenId(name)))),
    );
    const [first] = bodies;
    if (first?.status === 'rejected' && bodies.every(({ status }) => status === 'rejected'))
      throw first.reason;
    const entries = bodies.map(
      (result, n) =>
        [names[n] ?? '', result.status === 'fulfilled' ? result.value : 'null'] as const,
    );
    const body = requireSendable('price histories', jsonObject(entries));
    const seconds = Math.min(...names.map((name) => cache.remainingSeconds(keyOf(name))));
    return conditional(headers, body, headersOf(seconds, plan));
  };
}

/**
 * Reads the series of tokens. Omits unreadable tokens.
 *
 * @throws UpstreamError if all tokens are unreadable
 */
async function readSeries(
  { histories, clock }: PricesHistoryDeps,
  tokens: readonly string[],
  plan: HistoryPlan,
  deadline: UnixMs,
): Promise<ReadonlyMap<string, readonly PricePoint[]>> {
  let retries = MAX_UPSTREAM_RETRIES;
  const mayRetry = () => retries-- > 0;
  const readSpans = async (historySpans: readonly HistorySpan[], until: UnixMs) => {
    const parts = await Promise.all(
      historySpans.map(async (span) => ({
        span,
        found: await histories.readLive(tokens, span, { deadline: until, mayRetry }),
      })),
    );
    const readable = tokens.filter((token) => parts.every(({ found }) => found.has(token)));
    const partsOf = (token: string) =>
      parts.map(({ span, found }) => ({ span, points: found.get(token) ?? [] }));
    return new Map(readable.map((token) => [token, mergeHistory(plan, partsOf(token))]));
  };
  const { spans, fallback } = plan;
  if (!fallback) return await readSpans(spans, deadline);
  try {
    return await readSpans(spans, (clock.now() + deadline) / 2);
  } catch (error) {
    if (error instanceof UpstreamError) return await readSpans(fallback, deadline);
    throw error;
  }
}
