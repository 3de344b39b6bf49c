/**
 * The endpoints of price histories: the past prices (a series) of one token, or of several. They
 * read Polymarket while the caller waits, and cache each series for a minute. A plan says which
 * calls a request needs: their spans of time, and the minutes between points.
 */
import { MAX_UPSTREAM_RETRIES } from '../../core/contract/constants.ts';
import { type HistoryPlan, type HistorySpan, historyPlan } from '../../core/domain/history-plan.ts';
import { canonicalTokenId } from '../../core/domain/ids.ts';
import { mergeHistory } from '../../core/domain/merge-history.ts';
import type { PricePoint } from '../../core/domain/price-history.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import { MINUTE_MS, toUnixSeconds, type UnixMs } from '../../core/domain/time.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { cacheControl, conditional, jsonObject, requireSendable } from '../../http/response.ts';
import type { Clock } from '../../io/platform/clock.ts';
import { LiveCache, readTogether } from '../../io/polymarket/live-cache.ts';
import type { LiveRead } from '../../io/polymarket/live-read.ts';
import type { PriceHistories } from '../../io/polymarket/price-histories.ts';
import { UpstreamError } from '../../io/upstream/upstream-error.ts';

/** A container keeps a series for this long: points are at least a minute apart. */
const HISTORY_TTL_MS = MINUTE_MS;
/** The most characters of JSON in a container's cache. */
const HISTORY_CACHE_SIZE = 32_000_000;

/** What the endpoints of price histories use. */
export interface PricesHistoryDeps {
  readonly histories: Pick<PriceHistories, 'readLive'>;
  readonly live: LiveRead;
  readonly clock: Clock;
}

/**
 * `GET /api/clob/prices-history`: one series, from one or several calls. If one call fails, the
 * request fails, because a chart with a gap would be wrong.
 */
export function getPricesHistory(deps: PricesHistoryDeps): Endpoint<'get-prices-history'> {
  const { live, clock } = deps;
  const cache = historyCache(clock);
  /** Reads the series that the cache lacks. */
  const load = (token: string, plan: HistoryPlan): Promise<string> =>
    live('price history', async (deadline) => {
      const series = await readSeries(deps, [token], plan, deadline);
      const body = JSON.stringify({ history: series.get(token) ?? [] });
      return requireSendable('price history', body);
    });
  return async ({ parameters, headers }) => {
    const { interval, startTs, endTs } = parameters;
    const token = canonicalTokenId(parameters.token_id);
    const plan = historyPlan(parameters, toUnixSeconds(clock.now()));
    const key = [token, interval, startTs, endTs, plan.fidelity].join(' ');
    const body = await cache.get(key, () => load(token, plan));
    return conditional(headers, body, headersOf(cache.remainingSeconds(key), plan));
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
    // The calls of `read` for single tokens become one reading of all these tokens.
    const read = readTogether((tokens) =>
      live('price histories', (deadline) => readSeries(deps, tokens, plan, deadline)),
    );
    const load = async (token: string) => historyJson(await read(token));
    const keyOf = (name: string) => [canonicalTokenId(name), interval, plan.fidelity].join(' ');
    const names = [...new Set(sent)];
    const reads = names.map((name) => cache.get(keyOf(name), () => load(canonicalTokenId(name))));
    const results = await Promise.allSettled(reads);
    const [first] = results;
    // If no series is readable, the request fails with the error of the first one.
    if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected'))
      throw first.reason;
    const entries = results.map((result, index) => {
      const series = result.status === 'fulfilled' ? result.value : 'null';
      return [names[index] ?? '', series] as const;
    });
    const body = requireSendable('price histories', jsonObject(entries));
    const seconds = Math.min(...names.map((name) => cache.remainingSeconds(keyOf(name))));
    return conditional(headers, body, headersOf(seconds, plan));
  };
}

/** A cache of series as JSON, which takes a tenth of the memory of objects. */
function historyCache(clock: Clock): LiveCache<string> {
  return new LiveCache({
    clock,
    ttlMs: HISTORY_TTL_MS,
    maxSize: HISTORY_CACHE_SIZE,
    sizeOf: ({ length }) => length,
  });
}

/** The headers of a response: how long a browser may keep it, and the minutes between points. */
function headersOf(seconds: number, { fidelity }: HistoryPlan): Readonly<Record<string, string>> {
  return { 'Cache-Control': cacheControl(seconds), 'X-Fidelity-Minutes': String(fidelity) };
}

/** A series as JSON. @throws ServiceError `upstream_unavailable` (502) without one */
function historyJson(history: readonly PricePoint[] | undefined): string {
  if (history) return JSON.stringify({ history });
  throw new ServiceError('upstream_unavailable', 'The upstream did not return the price history.');
}

/**
 * Reads the series of tokens as the plan says: with one call for each of its spans of time. If a
 * call fails, reads the spans of `plan.fallback` from another route. Omits unreadable tokens.
 *
 * @throws UpstreamError if all tokens are unreadable
 */
async function readSeries(
  { histories, clock }: PricesHistoryDeps,
  tokens: readonly string[],
  plan: HistoryPlan,
  deadline: UnixMs,
): Promise<ReadonlyMap<string, readonly PricePoint[]>> {
  // All calls of the request share these retries.
  let retries = MAX_UPSTREAM_RETRIES;
  const mayRetry = () => retries-- > 0;
  const read = async (spans: readonly HistorySpan[], spansDeadline: UnixMs) => {
    const limits = { deadline: spansDeadline, mayRetry };
    const calls = spans.map((span) => histories.readLive(tokens, span, limits));
    return mergeParts(plan, spans, await Promise.all(calls), tokens);
  };
  if (!plan.fallback) return await read(plan.spans, deadline);
  try {
    // Leaves half of the time for the fallback.
    return await read(plan.spans, (clock.now() + deadline) / 2);
  } catch (error) {
    if (error instanceof UpstreamError) return await read(plan.fallback, deadline);
    throw error;
  }
}

/**
 * The series of each token, from the parts that the spans returned. Omits a token that a part
 * lacks, because a chart with a gap would be wrong.
 *
 * @param parts one for each span
 */
function mergeParts(
  plan: HistoryPlan,
  spans: readonly HistorySpan[],
  parts: readonly ReadonlyMap<string, readonly PricePoint[]>[],
  tokens: readonly string[],
): ReadonlyMap<string, readonly PricePoint[]> {
  const readable = tokens.filter((token) => parts.every((part) => part.has(token)));
  const partsOf = (token: string) =>
    spans.map((span, index) => ({ span, points: parts[index]?.get(token) ?? [] }));
  return new Map(readable.map((token) => [token, mergeHistory(plan, partsOf(token))]));
}
