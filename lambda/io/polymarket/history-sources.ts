/**
 * CLOB's two routes for price histories. `data-history-source.ts` has the third, of the Data API. The
 * fidelity of a history is the minutes between its points.
 */
import type { HistorySpan } from '../../core/domain/history-plan.ts';
import type { PricePoint } from '../../core/domain/price-history.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { asObject, asPrice, asUnixSeconds, type WireObject } from './json-values.ts';

/** CLOB's batch route accepts this many tokens per call (docs/upstream.md). */
export const HISTORY_BATCH_TOKENS = 20;

/**
 * Histories by token. A history is empty if upstream has no prices, absent if the response omits
 * the token.
 */
export type Histories = ReadonlyMap<string, readonly PricePoint[]>;

/** One of upstream's routes for price histories. */
export interface HistorySource {
  /** Whether one call reads several tokens. */
  readonly isBatch: boolean;
  /**
   * Whether the route has the history of every token, so that an empty one means that there are no
   * prices. CLOB lacks resolved markets, and may lack Protocol V2 tokens.
   */
  readonly hasAllTokens: boolean;
  /**
   * @param tokens exactly one, unless the source is a batch
   * @throws UpstreamError
   */
  read(tokens: readonly string[], span: HistorySpan, limits: CallLimits): Promise<Histories>;
}

/** CLOB's route for many tokens. */
export function clobBatchSource(upstream: Upstream): HistorySource {
  return {
    isBatch: true,
    hasAllTokens: false,
    read(tokens, span, limits) {
      // Snake case, unlike the single route (docs/upstream.md).
      const range =
        span.kind === 'interval'
          ? { interval: span.interval }
          : { start_ts: span.start, end_ts: span.end };
      return upstream.request({
        route: 'batch-prices-history',
        path: '/batch-prices-history',
        body: { markets: tokens, ...range, fidelity: span.fidelity },
        parse: (body) => readBatch(body, tokens),
        ...limits,
      });
    },
  };
}

/**
 * The histories of a batch: `{"history": {"<token>": [{"t": 1700000000, "p": 0.5}, …], …}}`. CLOB
 * omits unknown tokens and may omit others, so an omitted token has no history here: the next route
 * reads it.
 *
 * @returns undefined if the response is not usable: malformed, or only about other tokens
 */
function readBatch(body: unknown, tokens: readonly string[]): Histories | undefined {
  const histories = asObject(asObject(body)?.history);
  if (!histories) return undefined;
  const found = new Map<string, readonly PricePoint[]>();
  for (const token of tokens) {
    if (!Object.hasOwn(histories, token)) continue;
    const points = readPoints(histories[token]);
    if (!points) return undefined;
    found.set(token, points);
  }
  const hasOnlyOthers = found.size === 0 && Object.keys(histories).length > 0;
  return hasOnlyOthers ? undefined : found;
}

/** CLOB's route for one token, which upstream caches. */
export function clobSingleSource(upstream: Upstream): HistorySource {
  return {
    isBatch: false,
    hasAllTokens: false,
    async read([token = ''], span, limits) {
      const range =
        span.kind === 'interval'
          ? `interval=${span.interval}`
          : `startTs=${span.start}&endTs=${span.end}`;
      const points = await upstream.request({
        route: 'prices-history',
        path: `/prices-history?market=${token}&${range}&fidelity=${span.fidelity}`,
        parse: (body) => readPoints(asObject(body)?.history),
        ...limits,
      });
      return new Map([[token, points]]);
    },
  };
}

/** Reads a list of `{"t": 1700000000, "p": 0.5}`. @returns undefined if it is not usable */
function readPoints(list: unknown): readonly PricePoint[] | undefined {
  return readList(list, (row) => readPoint(row.t, row.p));
}

/** A point of a history. @returns undefined if its time or its price is not readable */
export function readPoint(time: unknown, price: unknown): PricePoint | undefined {
  const t = asUnixSeconds(time);
  const p = asPrice(price);
  return t === undefined || p === undefined ? undefined : { t, p };
}

/**
 * The readable entries of a list.
 *
 * @returns undefined if the value is not a list, or if it has entries but none is readable
 */
export function readList<T>(
  list: unknown,
  read: (row: WireObject) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = list.flatMap((value: unknown) => read(asObject(value) ?? {}) ?? []);
  return entries.length === 0 && list.length > 0 ? undefined : entries;
}
