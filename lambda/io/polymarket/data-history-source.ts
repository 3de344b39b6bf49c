/**
 * The history of a token from Polymarket's Data API. It returns pages of points, one for each bucket,
 * a period of equal length.
 */
import {
  type HistorySpan,
  MAX_WINDOW_SECONDS,
  storedFidelity,
} from '../../core/domain/history-plan.ts';
import type { PricePoint } from '../../core/domain/price-history.ts';
import {
  MINUTE_SECONDS,
  toUnixSeconds,
  type UnixMs,
  type UnixSeconds,
} from '../../core/domain/time.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { type HistorySource, readList, readPoint } from './history-sources.ts';
import { asObject, asText } from './json-values.ts';

const ROUTE = 'v2-prices-history';

/**
 * A history has at most this many pages. A page has up to 10,000 points, so three cover eight
 * years; upstream may return shorter ones.
 */
const MAX_PAGES = 10;

/** The Data API's route, for one token. */
export function dataSource(upstream: Upstream, now: () => UnixMs): HistorySource {
  return {
    isBatch: false,
    hasAllTokens: true,
    async read([token = ''], span, limits) {
      const time = toUnixSeconds(now());
      const bucket = bucketOf(span, time);
      const query = `token_id=${token}&${dataRange(span)}&bucket_seconds=${bucket}`;
      const rows = await readPages(upstream, query, limits);
      const until = span.kind === 'window' ? Math.min(span.end, time) : time;
      return new Map([[token, markPayout(rows, bucket, until)]]);
    },
  };
}

/**
 * The bucket of a span, in seconds. Upstream returns an empty page if the bucket is finer than what
 * it still stores for that age (docs/upstream.md, "Data API").
 */
function bucketOf(span: HistorySpan, now: UnixSeconds): number {
  const minMinutes = span.kind === 'window' ? storedFidelity(now - span.start) : 0;
  return Math.max(span.fidelity, minMinutes) * MINUTE_SECONDS;
}

/**
 * The span in a query. Upstream excludes the end and rejects longer windows, so the longest window
 * loses its last second.
 */
function dataRange(span: HistorySpan): string {
  if (span.kind === 'interval') return `interval=${span.interval}`;
  return `start=${span.start}&end=${Math.min(span.end + 1, span.start + MAX_WINDOW_SECONDS)}`;
}

/**
 * Reads page after page until the cursor ends or repeats.
 *
 * @throws UpstreamError after `MAX_PAGES`
 */
async function readPages(
  upstream: Upstream,
  query: string,
  limits: CallLimits,
): Promise<readonly DataRow[]> {
  const rows: DataRow[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v2/prices-history?${query}${next}`;
    const read = await upstream.request({ route: ROUTE, path, parse: readPage, ...limits });
    // One call of `push` does not take thousands of arguments.
    for (const row of read.rows) rows.push(row);
    if (read.nextCursor === undefined || read.nextCursor === cursor) return rows;
    cursor = read.nextCursor;
  }
  throw new UpstreamError({ route: ROUTE, failure: 'too_large' });
}

/** A point of the Data API. An exact point has its own time, not its bucket's. */
interface DataRow extends PricePoint {
  readonly isExact: boolean;
}

interface DataPage {
  readonly rows: readonly DataRow[];
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined;
}

function readPage(body: unknown): DataPage | undefined {
  const page = asObject(body);
  const rows = readList(page?.data, (row) => {
    const point = readPoint(row.timestamp, row.price);
    return point && { ...point, isExact: row.resolution_seconds === 0 };
  });
  if (!rows) return undefined;
  const pagination = asObject(page?.pagination);
  const hasMore = pagination?.has_more === true;
  return { rows, nextCursor: hasMore ? asText(pagination.next_cursor) : undefined };
}

/** An open market has an observation at least this often. */
const QUIET_SECONDS = 60 * MINUTE_SECONDS;

/**
 * The points of rows. When a market is resolved, the Data API adds a last row with what a share
 * pays. This marks it, because nobody traded at that price.
 *
 * @param bucket in seconds
 * @param until end of the history
 */
function markPayout(
  rows: readonly DataRow[],
  bucket: number,
  until: UnixSeconds,
): readonly PricePoint[] {
  const points = rows.map(({ t, p }): PricePoint => ({ t, p }));
  const last = points.at(-1);
  if (!last || !endsWithPayout(rows, bucket, until)) return points;
  return points.with(-1, { ...last, payout: true });
}

/**
 * Whether the last row is a payout and not an observed price. A payout has its exact time, not its
 * bucket's. It is one bucket after the newest observation, or at the window's end.
 */
function endsWithPayout(rows: readonly DataRow[], bucket: number, until: UnixSeconds): boolean {
  const last = rows.at(-1);
  const before = rows.at(-2);
  if (!last?.isExact) return false;
  // No observation has these prices.
  if (last.p === 0 || last.p === 1) return true;
  // Only the newest observation is exact, so the exact row after it is the payout.
  if (before?.isExact) return true;
  // By chance, one newest observation in sixty is also exactly one bucket after the row before it.
  // On an open market, others follow it soon.
  const isQuiet = until - last.t > Math.max(bucket, QUIET_SECONDS);
  return isQuiet && before !== undefined && last.t - before.t === bucket;
}
