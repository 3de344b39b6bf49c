import type { PricePoint } from '../../core/domain/change.ts';
import {
  type HistorySpan,
  MAX_WINDOW_SECONDS,
  storedFidelity,
} from '../../core/domain/history-plan.ts';
import {
  MINUTE_SECONDS,
  toUnixSeconds,
  type UnixMs,
  type UnixSeconds,
} from '../../core/domain/time.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { asObject, asPrice, asText, asUnixSeconds, type WireObject } from './json-values.ts';

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
   * Whether an empty history is reliable. It is not from CLOB, which lacks resolved markets and may
   * lack Protocol V2 tokens.
   */
  readonly isComplete: boolean;
  /** @throws UpstreamError */
  read(tokens: readonly string[], span: HistorySpan, limits: CallLimits): Promise<Histories>;
}

/** CLOB's route for many tokens. */
export function clobBatchSource(upstream: Upstream): HistorySource {
  return {
    isBatch: true,
    isComplete: false,
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
 * The histories of a batch. Upstream omits unknown tokens and may omit others, so an omitted token
 * has no history here: the next route reads it. A response with only other tokens is invalid.
 */
function readBatch(body: unknown, tokens: readonly string[]): Histories | undefined {
  const histories = asObject(asObject(body)?.history);
  const returned = Object.keys(histories ?? {});
  if (!histories || (returned.length > 0 && !returned.some((token) => tokens.includes(token))))
    return undefined;
  const found = new Map<string, readonly PricePoint[]>();
  for (const token of tokens) {
    if (histories[token] === undefined) continue;
    const points = readPoints(histories[token]);
    if (!points) return undefined;
    found.set(token, points);
  }
  return found;
}

/** CLOB's route for one token, which upstream caches. */
export function clobSingleSource(upstream: Upstream): HistorySource {
  return {
    isBatch: false,
    isComplete: false,
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

/**
 * A history has at most this many pages. A page has up to 10,000 points, so three cover eight
 * years; upstream may return shorter ones.
 */
const MAX_PAGES = 10;

/**
 * The Data API's route, for one token. Reads page after page until the cursor ends.
 *
 * @throws UpstreamError after `MAX_PAGES`
 */
export function dataSource(upstream: Upstream, now: () => UnixMs): HistorySource {
  return {
    isBatch: false,
    isComplete: true,
    async read([token = ''], span, limits) {
      const time = toUnixSeconds(now());
      const bucket = bucketOf(span, time);
      const until = span.kind === 'window' ? Math.min(span.end, time) : time;
      const query = `token_id=${token}&${dataRange(span)}&bucket_seconds=${bucket}`;
      const rows: DataRow[] = [];
      let cursor: string | undefined;
      for (let page = 1; page <= MAX_PAGES; page++) {
        const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const path = `/v2/prices-history?${query}${next}`;
        const read = await upstream.request({
          route: 'v2-prices-history',
          path,
          parse: readPage,
          ...limits,
        });
        // One call of `push` does not take thousands of arguments.
        for (const row of read.rows) rows.push(row);
        if (read.cursor === undefined || read.cursor === cursor) {
          return new Map([[token, markPayout(rows, bucket, until)]]);
        }
        cursor = read.cursor;
      }
      throw new UpstreamError({ route: 'v2-prices-history', failure: 'too_large' });
    },
  };
}

/**
 * The bucket of a span, in seconds. Upstream returns an empty page if the bucket is finer than what
 * it still stores for that age (docs/upstream.md, "Data API").
 */
function bucketOf(span: HistorySpan, now: UnixSeconds): number {
  const stored = span.kind === 'window' ? storedFidelity(now - span.start) : 0;
  return Math.max(span.fidelity, stored) * MINUTE_SECONDS;
}

/**
 * The span in a query. Upstream excludes the end and rejects longer windows, so the longest window
 * loses its last second.
 */
function dataRange(span: HistorySpan): string {
  if (span.kind === 'interval') return `interval=${span.interval}`;
  return `start=${span.start}&end=${Math.min(span.end + 1, span.start + MAX_WINDOW_SECONDS)}`;
}

/** A point of the Data API. An exact point has its own time, not its bucket's. */
interface DataRow extends PricePoint {
  readonly isExact: boolean;
}

function readPage(
  body: unknown,
): { rows: readonly DataRow[]; cursor: string | undefined } | undefined {
  const page = asObject(body);
  const pagination = asObject(page?.pagination);
  const rows = readList(page?.data, (row) => {
    const point = readPoint(row, 'timestamp', 'price');
    return point && { ...point, isExact: row.resolution_seconds === 0 };
  });
  return (
    rows && {
      rows,
      cursor: pagination?.has_more === true ? asText(pagination.next_cursor) : undefined,
    }
  );
}

/** An open market has an observation at least this often. */
const QUIET_SECONDS = 60 * MINUTE_SECONDS;

/** The points of rows. The last one is marked if it is the payout of a resolved market. */
function markPayout(
  rows: readonly DataRow[],
  bucket: number,
  until: UnixSeconds,
): readonly PricePoint[] {
  const points = rows.map(({ t, p }): PricePoint => ({ t, p }));
  const last = rows.at(-1);
  if (!last || !isPayout(last, rows.at(-2), bucket, until)) return points;
  return points.with(-1, { t: last.t, p: last.p, payout: true });
}

/**
 * Whether the last row is a payout and not an observation. A payout is exact. It is one bucket
 * after the newest observation, or at the window's end.
 */
function isPayout(
  last: DataRow,
  before: DataRow | undefined,
  bucket: number,
  until: UnixSeconds,
): boolean {
  if (!last.isExact) return false;
  // No observation has these prices.
  if (last.p === 0 || last.p === 1) return true;
  // Only the newest observation is exact, so the exact row after it is the payout.
  if (before?.isExact) return true;
  // One observation in sixty is also one bucket after the row before, but others follow it soon.
  const isQuiet = until - last.t > Math.max(bucket, QUIET_SECONDS);
  return isQuiet && before !== undefined && last.t - before.t === bucket;
}

function readPoints(list: unknown): readonly PricePoint[] | undefined {
  return readList(list, (row) => readPoint(row, 't', 'p'));
}

function readPoint(row: WireObject, timeField: string, priceField: string): PricePoint | undefined {
  const t = asUnixSeconds(row[timeField]);
  const p = asPrice(row[priceField]);
  return t === undefined || p === undefined ? undefined : { t, p };
}

/**
 * The readable entries of a list.
 *
 * @returns undefined unless the list is empty or has a readable entry
 */
function readList<T>(
  list: unknown,
  read: (row: WireObject) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = list.flatMap((value: unknown) => read(asObject(value) ?? {}) ?? []);
  return entries.length === 0 && list.length > 0 ? undefined : entries;
}
