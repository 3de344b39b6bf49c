import type { PricePoint } from '../domain/change.ts';
import type { HistorySpan } from '../domain/history-spans.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { asObject, asPrice, asText, asUnixSeconds } from './json-values.ts';

/** Tokens that CLOB's batch history route accepts in one call (docs/upstream.md). */
export const HISTORY_BATCH_TOKENS = 20;

/** Histories by token. Empty: upstream has no prices of the token. */
export type Histories = ReadonlyMap<string, readonly PricePoint[]>;

/** One of the ways in which upstream gives price histories. */
export interface HistoryRoute {
  /** Whether one call reads all tokens. Otherwise each token has its own call. */
  readonly isBatch: boolean;
  /**
   * Whether an empty history of a token of Protocol V2 is reliable. No source says whether CLOB's history routes accept
   * such tokens (docs/upstream.md).
   */
  readonly knowsPositions: boolean;
  /** @throws UpstreamError */
  read(tokens: readonly string[], span: HistorySpan, limits: CallLimits): Promise<Histories>;
}

/** CLOB's `POST /batch-prices-history`: at most HISTORY_BATCH_TOKENS tokens a call. */
export function clobBatchRoute(upstream: Upstream): HistoryRoute {
  return {
    isBatch: true,
    knowsPositions: false,
    read(tokens, span, limits) {
      // This route has snake case, the single route camel case (docs/upstream.md).
      const range = span.kind === 'interval' ? { interval: span.interval } : { start_ts: span.start, end_ts: span.end };
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

/** Upstream leaves out tokens that it does not know. A response with other tokens only is wrong. */
function readBatch(body: unknown, tokens: readonly string[]): Histories | undefined {
  const histories = asObject(asObject(body)?.history);
  const returned = Object.keys(histories ?? {});
  if (!histories || (returned.length > 0 && !returned.some((token) => tokens.includes(token)))) return undefined;
  const found = new Map<string, readonly PricePoint[]>();
  for (const token of tokens) {
    const points = readPoints(histories[token] ?? [], 't', 'p');
    if (!points) return undefined;
    found.set(token, points);
  }
  return found;
}

/** CLOB's `GET /prices-history`. */
export function clobSingleRoute(upstream: Upstream): HistoryRoute {
  return {
    isBatch: false,
    knowsPositions: false,
    async read([token = ''], span, limits) {
      const range = span.kind === 'interval' ? `interval=${span.interval}` : `startTs=${span.start}&endTs=${span.end}`;
      const points = await upstream.request({
        route: 'prices-history',
        path: `/prices-history?market=${token}&${range}&fidelity=${span.fidelity}`,
        parse: (body) => readPoints(asObject(body)?.history, 't', 'p'),
        ...limits,
      });
      return new Map([[token, points]]);
    },
  };
}

const MINUTE = 60;
const DAY = 86_400;
/** The longest window and the longest bucket that the Data API accepts, in seconds. */
const MAX_WINDOW = 15 * DAY;
const MAX_BUCKET = DAY;
/**
 * How long the Data API stores prices, by bucket. For a finer bucket than it stores, the route returns an empty page, not
 * an error (docs/upstream.md, "Data API"). One hour is subtracted because the two clocks can differ.
 */
const STORED = [
  { bucket: 60, seconds: 7 * DAY - 3_600 },
  { bucket: 300, seconds: 60 * DAY - 3_600 },
  { bucket: 1_800, seconds: 90 * DAY - 3_600 },
  { bucket: 10_800, seconds: Number.POSITIVE_INFINITY },
] as const;
/** A page holds 10,000 points, more than any history here. */
const MAX_PAGES = 5;

/** The Data API's `GET /v2/prices-history`, with pages. @param now Unix ms */
export function dataRoute(upstream: Upstream, now: () => number): HistoryRoute {
  return {
    isBatch: false,
    knowsPositions: true,
    async read([token = ''], span, limits) {
      const query = `token_id=${token}&${dataRange(span, Math.floor(now() / 1_000))}`;
      const points: PricePoint[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const path = `/v2/prices-history?${query}${next}`;
        const read = await upstream.request({ route: 'v2-prices-history', path, parse: readPage, ...limits });
        for (const point of read.points) points.push(point); // too many for the arguments of one call
        if (read.cursor === undefined || read.cursor === cursor) break;
        cursor = read.cursor;
      }
      return new Map([[token, thinned(points, span.fidelity * MINUTE)]]);
    },
  };
}

/**
 * The end is exclusive here, inclusive in a span. The longest window loses its last second, because the route rejects a
 * longer one; the next window begins there.
 *
 * @param now Unix seconds
 */
function dataRange(span: HistorySpan, now: number): string {
  const requested = Math.min(span.fidelity * MINUTE, MAX_BUCKET);
  if (span.kind === 'interval') return `interval=${span.interval}&bucket_seconds=${requested}`;
  const { start, end } = span;
  const stored = STORED.find(({ seconds }) => now - start <= seconds)?.bucket ?? 0;
  const exclusiveEnd = Math.min(end + 1, start + MAX_WINDOW);
  return `start=${start}&end=${exclusiveEnd}&bucket_seconds=${Math.max(requested, stored)}`;
}

function readPage(body: unknown): { points: readonly PricePoint[]; cursor: string | undefined } | undefined {
  const page = asObject(body);
  const pagination = asObject(page?.pagination);
  const points = readPoints(page?.data, 'timestamp', 'price');
  return points && { points, cursor: pagination?.has_more === true ? asText(pagination.next_cursor) : undefined };
}

/** The route has no bucket longer than a day. If a caller wants points further apart, the ones between are left out. */
function thinned(points: readonly PricePoint[], seconds: number): readonly PricePoint[] {
  if (seconds <= MAX_BUCKET) return points;
  let last = Number.NEGATIVE_INFINITY;
  return points.filter(({ t }, n) => {
    if (t - last < seconds && n < points.length - 1) return false;
    last = t;
    return true;
  });
}

/**
 * The points of a list of objects. A point that cannot be read is left out.
 *
 * @returns undefined if it is no list, or if none of its points can be read
 */
function readPoints(list: unknown, timeField: string, priceField: string): readonly PricePoint[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const points = list.flatMap((value: unknown): PricePoint[] => {
    const point = asObject(value);
    const t = asUnixSeconds(point?.[timeField]);
    const p = asPrice(point?.[priceField]);
    return t === undefined || p === undefined ? [] : [{ t, p }];
  });
  return points.length === 0 && list.length > 0 ? undefined : points;
}
